"""rsyslogd on each node and one that gathers, on this machine, with the configuration of examples/fleet."""
import pathlib
import shutil
import socket
import subprocess

from slurm_cluster import free_ports, wait_until

FLEET = pathlib.Path(__file__).resolve().parents[2] / "examples/fleet"


class Fleet:
    """Each node has its logs in `nodes/HOST`; what arrives is in `collected`."""

    def __init__(self, folder, hosts, env):
        self.folder, self.hosts, self.env = folder, hosts, env
        self.collected = folder / "collected"
        self.port, = free_ports(1)
        self.daemons = []
        for name in ("hosts", "summaries"):
            (self.collected / name).mkdir(parents=True)
        for host in hosts:
            self.logs(host).mkdir(parents=True)

    def logs(self, host):
        return self.folder / "nodes" / host

    def installed(self, name, **more):
        """A file of the recipe with the paths, the port and the host of this machine."""
        text = (FLEET / name).read_text()
        for old, new in {"/var/log/nccl": self.collected, "/etc/nccl": self.folder, "10514": self.port,
                         "collector.example.org": "127.0.0.1", "/run/nccl.lock": self.folder / "lock", **more}.items():
            text = text.replace(old, str(new))
        return text

    def start(self):
        script = self.folder / "rsyslog-events.sh"
        script.write_text(self.installed(script.name))
        script.chmod(0o755)
        shutil.copy(FLEET / "xargs.sh", self.folder)
        self.start_daemon("collector", self.installed("rsyslog-collector.conf"))
        # A node whose first connection is refused sends its first line twice.
        if not wait_until(self.gathers, 60):
            raise AssertionError(f"nothing listens on port {self.port}:\n{self.output()}")
        for host in self.hosts:
            text = self.installed("rsyslog-node.conf", **{"/var/tmp/nccl": self.logs(host)})
            self.start_daemon(host, text, f'localHostname="{host}"')

    def start_daemon(self, name, text, options=""):
        work = self.folder / f"rsyslog-{name}"
        work.mkdir()
        config = work / "rsyslog.conf"
        config.write_text(f'global(workDirectory="{work}" {options})\n{text}')
        with open(work / "output", "wb") as output:
            self.daemons.append(subprocess.Popen(["rsyslogd", "-n", "-f", config, "-i", work / "pid"], env=self.env,
                                                 stdout=output, stderr=output))

    def gathers(self):
        try:
            socket.create_connection(("127.0.0.1", self.port), timeout=1).close()
        except OSError:
            return False
        return True

    def stop(self):
        for daemon in self.daemons:
            daemon.terminate()
        for daemon in self.daemons:
            try:
                daemon.wait(timeout=20)
            except subprocess.TimeoutExpired:
                daemon.kill()
                daemon.wait(timeout=20)

    def cron_command(self):
        """The command of the crontab, without the five times and the user."""
        line, = [one for one in self.installed("nccl.cron").splitlines() if one.startswith("* ")]
        return line.split(None, 6)[6]

    def read(self, name):
        file = self.collected / name
        return file.read_text() if file.exists() else ""

    def events(self):
        return self.read("events.jsonl")

    def news(self):
        return self.read("news.log")

    @staticmethod
    def same(one, other):
        return other.exists() and one.read_bytes() == other.read_bytes()

    def output(self):
        return "\n".join(file.read_text() for file in self.folder.glob("rsyslog-*/output"))
