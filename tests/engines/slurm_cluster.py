"""A cluster of Slurm's real daemons on this machine, without systemd: munged, slurmctld, one slurmd for each node."""
import os
import pathlib
import shutil
import signal
import socket
import subprocess
import time

SCRIPTS = pathlib.Path(__file__).resolve().parents[2] / "examples/slurm"
CONFIG = """
ClusterName=test
SlurmctldHost=localhost(127.0.0.1)
SlurmctldPort={ports[0]}
AuthInfo=socket={folder}/munge/socket
SlurmUser=root
SlurmdUser=root
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/%n
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/%n.pid
SlurmctldLogFile={folder}/slurmctld.log
SlurmdLogFile={folder}/%n.log
SlurmdTimeout=5
MailProg=/bin/true
SchedulerParameters=batch_sched_delay=0
ProctrackType=proctrack/pgid
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
MpiDefault=none
AccountingStorageType=accounting_storage/none
JobAcctGatherType=jobacct_gather/none
SlurmdParameters=config_overrides
ReturnToService=2
{nodes}
PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE State=UP
{more}
"""
NODE = "NodeName={name} NodeHostname=localhost NodeAddr=127.0.0.1 Port={port} CPUs=4"


def wait_until(what, seconds):
    """As program.wait_until(), for questions that take a process each."""
    end = time.monotonic() + seconds
    while not what():
        if time.monotonic() > end:
            return False
        time.sleep(0.3)
    return True


def free_ports(count):
    held = [socket.create_server(("127.0.0.1", 0)) for _ in range(count)]
    ports = [one.getsockname()[1] for one in held]
    for one in held:
        one.close()
    return ports


class Cluster:
    """`folder` is an absolute path that every user may enter; all files are in it. Each node has the folder
    `local/NODE` where a real one has /var/tmp."""

    def __init__(self, folder, nodes, more=""):
        self.folder, self.nodes = folder, nodes
        self.env = {**os.environ, "SLURM_CONF": str(folder / "slurm.conf"), "NCCL_SCRIPTS": str(folder / "scripts")}
        self.summaries = folder / "shared"
        for name in ("munge", "state", "shared", *nodes, *(f"local/{node}" for node in nodes)):
            (folder / name).mkdir(parents=True)
        for name in ("shared", *(f"local/{node}" for node in nodes)):
            (folder / name).chmod(0o1777)
        ports = free_ports(1 + len(nodes))
        lines = [NODE.format(name=node, port=port) for node, port in zip(nodes, ports[1:])]
        (folder / "slurm.conf").write_text(
            CONFIG.format(folder=folder, ports=ports, nodes="\n".join(lines), more=more.format(folder=folder)))

    def configure(self, program, seconds=30):
        """The scripts as an administrator installs them: copied, with the settings changed and nothing else."""
        shutil.copytree(SCRIPTS, self.folder / "scripts", dirs_exist_ok=True)
        (self.folder / "scripts/nccl.conf").write_text(
            f"nccl_analyze={program}\nlogs={self.folder}/local/$SLURMD_NODENAME\nsummaries={self.summaries}\n"
            f"seconds={seconds}\n")

    def start(self):
        munge = self.folder / "munge"
        (munge / "key").write_bytes(os.urandom(1024))
        (munge / "key").chmod(0o400)
        subprocess.run(["munged", f"--key-file={munge}/key", f"--socket={munge}/socket", f"--pid-file={munge}/pid",
                        f"--log-file={munge}/log", f"--seed-file={munge}/seed"], check=True, timeout=60)
        subprocess.run(["slurmctld", "-c"], env=self.env, check=True, timeout=60)
        for node in self.nodes:
            self.start_node(node)
        if not wait_until(lambda: self.states() == {node: "idle" for node in self.nodes}, 60):
            raise AssertionError(f"the nodes did not start: {self.states()}\n{self.log()}")

    def start_node(self, node):
        subprocess.run(["slurmd", "-N", node], env=self.env, check=True, timeout=60)

    def stop(self):
        """Ends every process that was started in the cluster: daemons and what is left of jobs."""
        mark = f"SLURM_CONF={self.env['SLURM_CONF']}".encode()
        for number in [int(one) for one in os.listdir("/proc") if one.isdigit() and int(one) != os.getpid()]:
            try:
                started_here = mark in pathlib.Path(f"/proc/{number}/environ").read_bytes().split(b"\0")
                if started_here:
                    os.kill(number, signal.SIGKILL)
            except (OSError, ProcessLookupError):
                continue
        try:
            os.kill(int((self.folder / "munge/pid").read_text()), signal.SIGKILL)
        except (OSError, ValueError):
            pass  # it had not started

    def run(self, *command, **options):
        return subprocess.run([str(one) for one in command], env=self.env, capture_output=True, text=True, timeout=150,
                              cwd=self.folder, **options)

    def states(self):
        """The state of each node: idle, mixed, down*, drained, …"""
        lines = self.run("sinfo", "--noheader", "--Node", "--format=%N %T").stdout.split()
        return dict(zip(lines[::2], lines[1::2]))

    def submit(self, *command, nodes=None, options=()):
        """Starts a job and returns its number."""
        done = self.run("sbatch", "--parsable", f"--nodes={nodes or len(self.nodes)}", "--ntasks-per-node=2",
                        "--output=job.%j.out", *options, *command)
        if done.returncode != 0:
            raise AssertionError(f"no job: {done.stderr}\n{self.log()}")
        return done.stdout.strip()

    def wait(self, job):
        """Waits until the job and its epilogs have ended; returns what it printed."""
        def ended():
            return self.run("squeue", "--noheader", "--states=all", f"--jobs={job}", "--format=%T").stdout.strip() \
                not in ("PENDING", "RUNNING", "COMPLETING", "CONFIGURING")
        if not wait_until(ended, 120):
            raise AssertionError(f"job {job} did not end:\n{self.output(job)}\n{self.log()}")
        return self.output(job)

    def output(self, job):
        return (self.folder / f"job.{job}.out").read_text()

    def report(self, job, *options):
        return self.run(self.folder / "scripts/report.sh", job, *options)

    def log(self):
        return (self.folder / "slurmctld.log").read_text()[-4000:]
