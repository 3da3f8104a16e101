"""nccl_analyze.dask on a cluster of local processes and on the workers of two schedulers: the report is that of one
process, also if a worker is killed while it reads a log."""
import hashlib
import os
import pathlib
import signal
import sys
import threading

import program
from dask_cluster import Cluster
from engine import HOSTS, Engine
from program import wait_until

ROOT = pathlib.Path(__file__).resolve().parents[2]
LIBRARY = pathlib.Path(program.BINARY).parents[1] / "lib/c_api/libnccl_analyze_c.so.0"
os.environ["NCCL_ANALYZE_LIBRARY"] = str(LIBRARY)
os.environ["PYTHONPATH"] = str(ROOT / "lib/python")
sys.path.insert(0, os.environ["PYTHONPATH"])

import distributed
import nccl_analyze
from distributed import Client, LocalCluster
from nccl_analyze import dask

COPIES = 40  # of the log of each host, each with the name of another host


def checksum(report):
    return hashlib.sha256(report.to_json().encode()).hexdigest()


class Dask(Engine):
    def setUp(self):
        super().setUp()
        for host in HOSTS:
            log = (self.logs / f"{host}.log").read_bytes()
            for number in range(COPIES):
                (self.logs / f"{host}-{number}.log").write_bytes(log.replace(host.encode(), f"{host}-{number}".encode()))
        self.files = sorted(self.logs.iterdir())
        self.whole = checksum(nccl_analyze.read(self.files))

    def check(self, engine, report):
        """The report is that of one process. Both checksums are shown."""
        print(f"Dask {distributed.__version__}, {engine}: report {checksum(report)[:16]}, one process {self.whole[:16]}",
              file=sys.stderr)
        self.assertEqual(checksum(report), self.whole)

    def local(self):
        cluster = LocalCluster(n_workers=3, threads_per_worker=1, processes=True, host="127.0.0.1",
                               dashboard_address="127.0.0.1:0", local_directory=str(self.folder / "local"))
        self.addCleanup(cluster.close)
        return self.connected(cluster, 3)

    def by_hand(self, name):
        cluster = Cluster(self.folder / name, dict(os.environ))
        self.addCleanup(cluster.stop)
        self.assertTrue(wait_until(lambda: os.path.exists(cluster.address), 60), cluster.output())
        return self.connected(cluster, 2)

    def connected(self, cluster, workers):
        """The client of a cluster, whose workers have started."""
        client = Client(scheduler_file=cluster.address) if isinstance(cluster, Cluster) else Client(cluster)
        self.addCleanup(client.close)
        client.wait_for_workers(workers, timeout=60)
        return client

    def analyze_with_a_killed_worker(self, client):
        """One log is a pipe, so that the worker that reads it waits. It is killed when the log stands in the place of
        the pipe, which another worker then reads."""
        workers = client.run(os.getpid).values()
        log = self.logs / f"{HOSTS[1]}.log"
        kept = self.folder / "kept.log"
        log.rename(kept)
        os.mkfifo(log)
        reports = []
        caller = threading.Thread(daemon=True, target=lambda: reports.append(
            dask.analyze(self.files, client=client, files_per_task=2)))
        caller.start()
        readers = []
        self.assertTrue(wait_until(
            lambda: readers.extend(pid for pid in workers if self.has_open(pid, log)) or readers, 60))
        kept.rename(log)
        os.kill(readers[0], signal.SIGKILL)
        caller.join(120)
        self.assertEqual(len(reports), 1, "the analysis did not end")
        return reports[0]

    @staticmethod
    def has_open(pid, file):
        try:
            return any(os.readlink(one) == str(file) for one in pathlib.Path(f"/proc/{pid}/fd").iterdir())
        except OSError:
            return False  # A descriptor that was closed meanwhile.

    def test_local_processes(self):
        client = self.local()
        self.check("local processes", dask.analyze(self.logs, client=client))
        self.check("local processes, one killed", self.analyze_with_a_killed_worker(client))

    def test_workers_of_two_schedulers(self):
        clients = [self.by_hand("one"), self.by_hand("two")]
        self.check("a scheduler by hand, one worker of two killed", self.analyze_with_a_killed_worker(clients[0]))
        self.check("another scheduler by hand", dask.analyze(f"{self.logs}/**/*.log", client=clients[1]))
        halves = [dask.summary(self.files[part::2], client=client) for part, client in enumerate(clients)]
        self.check("two schedulers, half of the logs each", nccl_analyze.merge(halves))
