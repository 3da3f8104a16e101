"""Dask on this machine: two processes give the report of one."""
import hashlib
import importlib.util
import signal
import sys
import warnings

import nccl_analyze
import program
from program import JOBS


def checksum(report):
    return hashlib.sha256(report.to_json().encode()).hexdigest()


def late(*_):
    raise TimeoutError("the cluster hangs")


@program.unittest.skipUnless(importlib.util.find_spec("distributed"), "python3-distributed is not installed")
class Dask(program.Case):
    def setUp(self):
        super().setUp()
        signal.signal(signal.SIGALRM, late)
        signal.alarm(120)
        self.addCleanup(signal.alarm, 0)
        from dask.distributed import Client, LocalCluster
        cluster = LocalCluster(n_workers=2, threads_per_worker=1, processes=True, host="127.0.0.1",
                               dashboard_address=None, local_directory=str(self.folder / "work"))
        self.addCleanup(cluster.close)
        self.client = Client(cluster)
        self.addCleanup(self.client.close)

    def test_two_processes_give_the_report_of_one(self):
        from nccl_analyze import dask
        logs = self.folder / "logs"
        logs.mkdir()
        for log in sorted(JOBS.glob("*/input.log")):
            (logs / f"{log.parent.name}.log").write_bytes(log.read_bytes())
        (logs / "copy.log").write_bytes(self.broken.read_bytes())
        (logs / "page.html").write_text(nccl_analyze.read(self.broken).to_html())
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            whole = nccl_analyze.read(logs)
            alone = {str(one.message) for one in caught}
            caught.clear()
            report = dask.analyze(logs, client=self.client, files_per_task=3)
        self.assertEqual(checksum(report), checksum(whole))
        told = {str(one.message) for one in caught}
        self.assertTrue(any("page.html is left out: it is a report" in one for one in told), told)
        self.assertEqual({one for one in told if "copy" in one}, {one for one in alone if "copy" in one})
        print(f"Dask, 2 processes: report {checksum(report)[:16]}, one process {checksum(whole)[:16]}", file=sys.stderr)
        with self.assertWarnsRegex(nccl_analyze.InputWarning, "on .*: cannot read /nonexistent: No such file"):
            report = dask.analyze(self.healthy, "/nonexistent", client=self.client)
        self.assertEqual(report.verdict.status, "unknown")
        with self.assertRaisesRegex(nccl_analyze.Error, "page.html is left out"):
            dask.analyze(logs / "page.html", client=self.client)
        with self.assertRaisesRegex(nccl_analyze.Error, "^cannot read /nonexistent"):
            dask.analyze("/nonexistent", client=self.client)
