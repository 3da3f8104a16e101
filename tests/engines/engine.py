"""What the tests of all engines share: the logs of one job on several hosts, and the report that every engine must
give."""
import hashlib
import json
import os
import pathlib
import re
import subprocess
import sys

import program
from program import Case

EXAMPLES = pathlib.Path(__file__).resolve().parents[2] / "examples"
HOSTS = tuple(f"worker-{number}" for number in range(4))


def job_logs(channels=4):
    """The log of each host, of a job that stopped: the last host printed half of its lines, and an error."""
    generator = pathlib.Path(program.BINARY).parents[1] / "tests/simulate_job"
    whole = subprocess.run([generator, str(len(HOSTS)), str(channels)], capture_output=True, check=True, timeout=60)
    logs = {host: [] for host in HOSTS}
    for line in whole.stdout.splitlines(keepends=True):
        logs[line.split(b":", 1)[0].decode()].append(line)
    last = logs[HOSTS[-1]]
    del last[len(last) // 2:]
    last.append(b"worker-3:1000:1200 [0] NCCL WARN NET/IB: Got completion from peer 10.0.0.2<41563> with status=12 "
                b"opcode=0 len=0 vendor err 129 (Recv)\n")
    return {host: b"".join(lines) for host, lines in logs.items()}


class Engine(Case):
    """`logs` is a folder with a log for each host."""

    def setUp(self):
        super().setUp()
        self.folder.chmod(0o755)
        self.logs = self.folder / "logs"
        self.logs.mkdir()
        for host, text in job_logs().items():
            (self.logs / f"{host}.log").write_bytes(text)

    def report_on(self, *arguments):
        """The report of one process, as text."""
        report = program.run("--fail-on", "never", *arguments, cwd=self.folder).stdout.decode()
        self.assertIn("ERROR", report)
        return report

    def environment(self, **more):
        """The environment of a user whose PATH has the program."""
        folder = pathlib.Path(program.BINARY).parent
        return {**os.environ, "PATH": f"{folder}:{os.environ['PATH']}", "LC_ALL": "C.UTF-8", **more}

    def checksum(self, *arguments):
        """The checksum of a whole report as JSON. Engines store logs under different names, so that each log gets the
        name of its host."""
        report = program.run(*arguments, "-f", "json", "--fail-on", "never", cwd=self.folder).stdout.decode()
        named = re.sub(r'"[^"]*(worker-[0-9])[^"/]*[.]log"', r'"\1"', report)
        self.assertEqual([one["name"] for one in json.loads(named)["input"]["sources"]], list(HOSTS))
        return hashlib.sha256(named.encode()).hexdigest()

    def assert_same_checksum(self, engine, summaries):
        """The merged report is that of one process on `logs`. Both checksums are shown."""
        merged, whole = self.checksum("merge", summaries), self.checksum("logs")
        print(f"{engine}: report {merged[:16]}, one process {whole[:16]}", file=sys.stderr)
        self.assertEqual(merged, whole)
