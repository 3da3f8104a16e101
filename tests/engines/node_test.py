"""examples/node under a systemd that runs, and in what a container of its DaemonSet sees."""
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import textwrap

import program
from engine import EXAMPLES, HOSTS, Engine, job_logs
from program import run, wait_until
from systemd_machine import Machine

NODE = EXAMPLES / "node"
OFTEN = "[Timer]\nOnUnitInactiveSec=\nOnActiveSec=0\nOnUnitInactiveSec=1s\nRandomizedDelaySec=0\nAccuracySec=100ms\n"
ROTATE = "/var/log/nccl/rotated/w.log {\n  su root root\n  copytruncate\n  rotate 9\n  dateext\n  dateformat -%s\n  extension .log\n}\n"
# A process that keeps its place in a log, as NCCL does, and appends what it reads.
WRITER = "import sys\nlog = open(sys.argv[1], 'wb', buffering=0)\nfor line in sys.stdin.buffer:\n    log.write(line)\n"
USERS = {"4711": 61001, "4712": 61002, "rotated": 0}  # the owners of the jobs


def whole(folder, job, texts):
    """The report of one process on the logs of a job before any of them is cut or removed."""
    shutil.rmtree(folder / job, ignore_errors=True)
    (folder / job).mkdir()
    for name, text in texts.items():
        (folder / job / f"{name}.log").write_bytes(text)
    return run("--fail-on", "never", job, cwd=folder).stdout.decode()


class Node(Engine):
    def install(self, machine):
        machine.install("usr/local/bin/nccl-analyze", pathlib.Path(program.BINARY).read_bytes(), 0o755)
        machine.install("usr/local/sbin/nccl-node.sh", (NODE / "nccl-node.sh").read_text(), 0o755)
        for name in ("nccl-node.service", "nccl-node.timer"):
            machine.install(f"etc/systemd/system/{name}", (NODE / name).read_text())
        machine.install("etc/systemd/system/nccl-node.timer.d/often.conf", OFTEN)
        machine.install("etc/default/nccl-node", "NCCL_NODE=n1\nNCCL_LOG_MB=0\n")
        machine.install("etc/rotate.conf", ROTATE, 0o644)

    def machine(self):
        machine = Machine(self.folder)
        self.addCleanup(machine.remove)
        self.install(machine)
        machine.start()
        machine.run("sh", "-c", "mkdir -p /var/log/nccl /shared/nccl; chmod 1777 /var/log/nccl /shared/nccl")
        for job, user in USERS.items():
            machine.run("install", "-d", "-m", "700", "-o", user, "-g", user, f"/var/log/nccl/{job}")
        return machine

    def write(self, machine, job, name, text):
        """Writes a log as the owner of the job."""
        machine.run("setpriv", f"--reuid={USERS[job]}", f"--regid={USERS[job]}", "--clear-groups", "sh", "-c",
                    f"umask 077; cat >/var/log/nccl/{job}/{name}.log", input=text.decode())

    def report(self, machine, job):
        return run("merge", "--fail-on", "never", self.handed(machine, job)).stdout.decode()

    @staticmethod
    def handed(machine, job):
        return machine.upper / f"shared/nccl/{job}/n1.sum"

    def assert_handed(self, machine, job, texts):
        wanted = whole(self.folder, job, texts)
        self.assertTrue(wait_until(lambda: self.handed(machine, job).exists() and self.report(machine, job) == wanted, 60),
                        machine.run("journalctl", "--no-pager", "--unit", "nccl-node", check=False).stdout[-2000:])
        print(f"systemd, job {job}: the report of one process", file=sys.stderr)

    def wait_for_looks(self, machine):
        end = ("systemctl", "show", "--property=InactiveEnterTimestampMonotonic", "nccl-node.service")
        ends = set()
        self.assertTrue(wait_until(lambda: ends.add(machine.run(*end).stdout) or len(ends) > 3, 60))

    def test_timer_users_and_a_power_cut(self):
        """Two users' jobs on a machine whose timer runs. One log grows while it is cut off, across a power cut. The other job
        ends and is silent for days."""
        print(subprocess.getoutput("systemctl --version").splitlines()[0], file=sys.stderr)
        texts = {host: (self.logs / f"{host}.log").read_bytes() for host in HOSTS}
        machine = self.machine()
        machine.run("systemctl", "daemon-reload")
        machine.run("systemctl", "enable", "nccl-node.timer")
        machine.run("systemctl", "start", "nccl-node.timer")
        first = dict(list(texts.items())[:2])
        for host, text in first.items():
            self.write(machine, "4711", host, text)
        self.assert_handed(machine, "4711", first)
        last, lines = HOSTS[-1], texts[HOSTS[-1]].splitlines(keepends=True)
        writer = machine.popen("setpriv", "--reuid=61002", "--regid=61002", "--clear-groups", "/usr/bin/python3", "-c", WRITER,
                               f"/var/log/nccl/4712/{last}.log", stdin=subprocess.PIPE)
        third = len(lines) // 3
        for part in (lines[:third], lines[third:2 * third]):
            writer.stdin.write(b"".join(part))
            writer.stdin.flush()
        self.assert_handed(machine, "4712", {last: b"".join(lines[:2 * third])})
        log = machine.upper / f"var/log/nccl/4712/{last}.log"
        self.assertTrue(wait_until(lambda: log.stat().st_blocks <= 8, 30), log.stat())
        for job in ("4711", "4712"):
            machine.run("find", f"/var/log/nccl/{job}", "-exec", "touch", "-d", "9 days ago", "{}", "+")
        self.assertTrue(wait_until(lambda: not (machine.upper / "var/log/nccl/4711").exists(), 30))
        self.wait_for_looks(machine)
        self.assertTrue(log.exists())  # its writer has it open
        writer.stdin.write(b"".join(lines[2 * third:]))
        writer.stdin.close()
        machine.kill()
        writer.wait(timeout=20)
        log_text = log.read_bytes().replace(b"\0", b"")
        self.assertTrue(texts[last].endswith(log_text))
        with open(log, "ab") as rest:  # what the power cut may have kept from the disk
            written = len(log.read_bytes())
            rest.write(texts[last][written:])
        machine.start()
        machine.run("systemctl", "start", "nccl-node.timer")
        self.assert_handed(machine, "4712", {last: texts[last]})
        self.assert_handed(machine, "4711", first)
        for job in ("4711", "4712"):
            for path in (self.handed(machine, job), self.handed(machine, job).parent, machine.upper / f"var/lib/nccl-node/{job}"):
                self.assertEqual(path.stat().st_uid, USERS[job], path)
        self.wait_for_looks(machine)
        before = {path: path.stat().st_mtime_ns for path in (machine.upper / "shared").rglob("*")}
        self.wait_for_looks(machine)
        self.assertEqual({path: path.stat().st_mtime_ns for path in (machine.upper / "shared").rglob("*")}, before)
        self.assertEqual(machine.run("systemctl", "show", "--property=Result", "nccl-node.service").stdout, "Result=success\n")

    def test_logrotate(self):
        """copytruncate of the real logrotate, between looks that cut nothing off."""
        print(subprocess.getoutput("logrotate --version").splitlines()[0], file=sys.stderr)
        text = (self.logs / f"{HOSTS[-1]}.log").read_bytes()
        lines = text.splitlines(keepends=True)
        machine = self.machine()
        machine.install("etc/default/nccl-node", "NCCL_NODE=n1\n")
        writer = machine.popen("/usr/bin/python3", "-c", WRITER, "/var/log/nccl/rotated/w.log", stdin=subprocess.PIPE)
        texts, parts = {}, (lines[:40], lines[40:90], lines[90:])
        for number, part in enumerate(parts):
            writer.stdin.write(b"".join(part))
            writer.stdin.flush()
            size = len(b"".join(b"".join(one) for one in parts[:number + 1]))
            log = machine.upper / "var/log/nccl/rotated/w.log"
            self.assertTrue(wait_until(lambda: log.exists() and log.stat().st_size == size))
            machine.run("systemctl", "start", "nccl-node.service")
            if number < 2:
                before = set(log.parent.iterdir())
                machine.run("sh", "-c", "sleep 1; logrotate --force --state /var/lib/rotate /etc/rotate.conf")
                copy, = set(log.parent.iterdir()) - before
                texts[copy.stem] = b"".join(part)
                machine.run("systemctl", "start", "nccl-node.service")
        texts["w"] = b"".join(parts[2])
        self.assert_handed(machine, "rotated", texts)
        writer.stdin.close()
        writer.wait(timeout=20)

    def test_sandbox(self):
        """What the service may do: read and write its three folders, and become the owner of a job."""
        machine = self.machine()
        unit = re.sub("(?m)^ExecStart=.*", "ExecStart=/usr/local/sbin/probe.sh", (NODE / "nccl-node.service").read_text())
        machine.install("etc/systemd/system/probe.service", unit)
        machine.install("usr/local/sbin/probe.sh", """#!/bin/sh
for folder in /etc /usr /root /home /var/log /shared /var/tmp /var/log/nccl /shared/nccl /var/lib/nccl-node; do
    if touch "$folder/probe" 2>/dev/null; then echo "$folder"; fi
done >/shared/nccl/probe.out
{
    ls /sys/class/net
    grep -E 'CapBnd|NoNewPrivs|Seccomp:' /proc/self/status
    setpriv --reuid 61001 --clear-groups id -u
    mount -t tmpfs tmpfs /mnt 2>/dev/null && echo mounted
    unshare --user true 2>/dev/null && echo unshared
} >>/shared/nccl/probe.out
exit 0
""", 0o755)
        machine.run("systemctl", "daemon-reload")
        machine.run("systemctl", "start", "probe.service")
        found = (machine.upper / "shared/nccl/probe.out").read_text().split("\n")
        # /var/tmp is the service's own.
        self.assertEqual(found, ["/var/tmp", "/var/log/nccl", "/shared/nccl", "/var/lib/nccl-node", "lo",
                                 f"CapBnd:\t{0b11001011:016x}", "NoNewPrivs:\t1", "Seccomp:\t2", "61001", ""])


SANDBOX = """
set -e
root={folder}/mnt/root
mount --make-rprivate /
mount -t tmpfs tmpfs {folder}/mnt
mkdir {folder}/mnt/upper {folder}/mnt/work $root
mount -t overlay overlay -o lowerdir=/,upperdir={folder}/mnt/upper,workdir={folder}/mnt/work $root
{mounts}
mount -t proc proc $root/proc
mount --bind /dev $root/dev
cp {binary} $root/usr/bin/nccl-analyze
mount -o remount,ro $root
mount -o remount,bind,ro $root/scripts
cd $root
exec chroot $root setpriv --inh-caps=-all --bounding-set=-all --no-new-privs /bin/sh -c "$1"
"""


class Container(Engine):
    """The command of the DaemonSet in a mount namespace in which all but its volumes is read-only, without capabilities."""

    def command(self):
        manifest = (NODE / "daemonset.yaml").read_text()
        return textwrap.dedent(re.search(r"        - \|\n(.*?)\n        env:", manifest, re.S)[1])

    def test_command(self):
        volumes = {name: self.folder / name for name in ("logs", "summaries", "scripts")}
        for name in ("summaries", "scripts"):
            volumes[name].mkdir()
        shutil.copy(NODE / "nccl-node.sh", volumes["scripts"])
        (self.logs / "4711").mkdir()
        for log in list(self.logs.glob("*.log")):
            log.rename(self.logs / "4711" / log.name)
        mounts = "".join(f"mkdir -p $root/{name}; mount --bind {path} $root/{name}; " for name, path in volumes.items())
        sandbox = SANDBOX.format(folder=self.folder, mounts=mounts, binary=program.BINARY)
        (self.folder / "mnt").mkdir()
        environment = {"PATH": "/usr/bin:/bin:/usr/sbin:/sbin", "NCCL_NODE": "n1", "NCCL_LOGS": "/logs", "NCCL_STATE": "/logs/.nccl-node",
                       "NCCL_SUMMARIES": "/summaries", "NCCL_LOG_MB": "0"}
        process = subprocess.Popen(["unshare", "--mount", "--pid", "--net", "--fork", "--kill-child", "sh", "-c", sandbox, "sandbox",
                                    f"touch /etc/x 2>/dev/null && echo not read-only; grep CapEff /proc/self/status; {self.command()}"],
                                   env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        self.addCleanup(process.kill)
        handed = self.folder / "summaries/4711/n1.sum"
        self.assertTrue(wait_until(lambda: handed.exists() or process.poll() is not None, 60))
        log = self.logs / "4711" / f"{HOSTS[0]}.log"
        more = b"worker-0:1000:1200 [0] NCCL WARN Cuda failure 'out of memory'\n"
        with open(log, "ab") as grown:
            grown.write(more)
        first, = pathlib.Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split()
        os.kill(int(first), signal.SIGTERM)
        output, _ = process.communicate(timeout=60)
        self.assertEqual((process.returncode, output), (0, f"CapEff:\t{0:016x}\n"))
        self.assertLessEqual(log.stat().st_blocks, 8)
        texts = {host: text + (more if host == HOSTS[0] else b"") for host, text in job_logs().items()}
        merged = run("merge", "--fail-on", "never", handed).stdout.decode()
        self.assertEqual(merged, whole(self.folder, "4711", texts))
        self.assertIn("out of memory", merged)
