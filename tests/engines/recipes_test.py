"""The recipes of examples/fleet with the real programs: each gives the report of one process on all logs."""
import subprocess
import sys

import journal
import program
from engine import EXAMPLES, HOSTS, Engine
from program import wait_until
from rsyslog_fleet import Fleet

FLEET = EXAMPLES / "fleet"


def show_version(*command):
    shown = subprocess.run(command, capture_output=True, text=True, check=True, timeout=60)
    print((shown.stdout + shown.stderr).splitlines()[0], file=sys.stderr)


class Recipes(Engine):
    def setUp(self):
        super().setUp()
        self.summaries = self.folder / "summaries"
        self.summaries.mkdir()

    def recipe(self, script, *arguments, **environment):
        """What the script prints; it runs in the folder that holds `logs` and `summaries`."""
        done = subprocess.run([FLEET / script, *arguments], cwd=self.folder, env=self.environment(**environment),
                              capture_output=True, timeout=120)
        self.assertEqual(done.stderr.decode(), "")
        return done.stdout

    def test_xargs(self):
        show_version("xargs", "--version")
        self.assert_same_report("xargs", self.recipe("xargs.sh", "logs", "summaries"))

    def test_parallel(self):
        show_version("parallel", "--version")
        self.assert_same_report("parallel", self.recipe("parallel.sh", "logs", "summaries"))

    def test_mpirun(self):
        show_version("mpirun", "--version")
        root = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}
        report = self.recipe("mpirun.sh", "logs", "summaries", "--oversubscribe", "-np", "3", "--mca", "btl", "self,vader",
                             **root)
        self.assertEqual(len(list(self.summaries.iterdir())), 3)
        self.assert_same_report("mpirun", report)

    def test_names_with_blanks_and_lines(self):
        (self.logs / "worker-0.log").rename(self.logs / "worker 0\n.log")
        whole = program.run("-f", "json", "logs", cwd=self.folder).stdout
        for script, *options in (("xargs.sh",), ("parallel.sh",)):
            with self.subTest(script):
                for old in self.summaries.iterdir():
                    old.unlink()
                self.recipe(script, "logs", "summaries", *options)
                self.assertEqual(program.run("merge", "-f", "json", "summaries", cwd=self.folder).stdout, whole)

    def test_rsyslog(self):
        show_version("rsyslogd", "-v")
        fleet = Fleet(self.folder, HOSTS, self.environment())
        self.addCleanup(fleet.stop)
        fleet.start()
        for host in HOSTS:
            (fleet.logs(host) / "nccl.log").write_bytes((self.logs / f"{host}.log").read_bytes())
        gathered = fleet.collected / "hosts"
        self.assertTrue(wait_until(lambda: all(fleet.same(self.logs / f"{host}.log", gathered / f"{host}.log")
                                               for host in HOSTS), 60), fleet.output())
        # The report of each minute names the logs by the folder that rsyslog writes.
        self.whole = self.report_in(self.folder, gathered)
        command = fleet.cron_command()
        done = subprocess.run(["sh", "-c", command], env=self.environment(), timeout=60, check=False)
        self.assertEqual(done.returncode, 1)  # the report has an error
        self.assert_same_report("rsyslog, each minute", (fleet.collected / "report.txt").read_bytes())
        records = b"".join(log.read_bytes() for log in self.logs.iterdir()).count(b" NCCL ")
        self.assertTrue(wait_until(lambda: fleet.events().count("\n") == records, 60), fleet.output())
        self.assertTrue(wait_until(lambda: "NCA" in fleet.news(), 60), fleet.news())

    def test_journal(self):
        """Summaries of standard input do not name it, so the test gives them the names of the logs."""
        show_version("journalctl", "--version")
        for host in HOSTS:
            file = journal.write(self.folder / f"{host}.journal", host, (self.logs / f"{host}.log").read_bytes())
            summary = self.recipe("journal.sh", "--file", file)
            self.assertEqual(summary.count(b'"piece": "<stdin>"'), 1)
            (self.summaries / f"{host}.sum").write_bytes(summary.replace(b'"<stdin>"', f'"logs/{host}.log"'.encode()))
        merged = program.run("merge", "summaries", cwd=self.folder).stdout
        self.assert_same_report("journal", merged)
