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

    def recipe(self, script, *arguments, options=(), environment=None):
        """What the script prints; it runs in the folder that holds `logs` and `summaries`."""
        done = subprocess.run([FLEET / script, *arguments, *options], cwd=self.folder, capture_output=True, timeout=120,
                              env=self.environment(**(environment or {})), check=False)
        self.assertEqual(done.stderr.decode(), "")
        return done.stdout

    def check(self, engine, *version, **options):
        """The script ENGINE.sh prints the report that one process prints, and leaves summaries of the same report."""
        show_version(*version)
        report = self.recipe(f"{engine}.sh", "logs", "summaries", **options)
        self.assertEqual(report.decode(), self.report_on("logs"))
        self.assert_same_checksum(engine, "summaries")

    def test_xargs(self):
        self.check("xargs", "xargs", "--version")

    def test_parallel(self):
        self.check("parallel", "parallel", "--version")

    def test_mpirun(self):
        options = ("--oversubscribe", "-np", "3", "--mca", "btl", "self,vader")
        root = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}
        self.check("mpirun", "mpirun", "--version", options=options, environment=root)
        self.assertEqual(len(list(self.summaries.iterdir())), 3)

    def test_names_with_blanks_and_lines(self):
        (self.logs / "worker-0.log").rename(self.logs / "worker 0\n.log")
        whole = program.run("-f", "json", "logs", cwd=self.folder).stdout
        for script in ("xargs.sh", "parallel.sh"):
            with self.subTest(script):
                for old in self.summaries.iterdir():
                    old.unlink()
                self.recipe(script, "logs", "summaries")
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
        command = fleet.cron_command()
        done = subprocess.run(["sh", "-c", command], env=self.environment(), timeout=60, check=False)
        self.assertEqual(done.returncode, 1)  # the report has an error
        self.assertEqual((fleet.collected / "report.txt").read_text(), self.report_on(gathered))
        self.assert_same_checksum("rsyslog, each minute", fleet.collected / "summaries")
        records = b"".join(log.read_bytes() for log in self.logs.iterdir()).count(b"\n")
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
        self.assertEqual(merged.decode(), self.report_on("logs"))
