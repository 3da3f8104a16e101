"""A scheduler of Dask and its workers, started by hand: each is a process of its own that listens on the loopback
interface only, on a port that the system chooses."""
import subprocess
import sys


class Cluster:
    """All files are in `folder`; clients find the scheduler by the file `address`."""

    def __init__(self, folder, environment, workers=2):
        self.folder, self.environment = folder, environment
        self.address = str(folder / "scheduler.json")
        self.processes = []
        folder.mkdir()
        self.start("dask_scheduler", "--host", "127.0.0.1", "--port", "0")
        self.workers = [self.start_worker() for _ in range(workers)]

    def start_worker(self):
        """Without a nanny, so that nobody starts it again."""
        return self.start("dask_worker", "--host", "127.0.0.1", "--no-nanny", "--nthreads", "1", "--death-timeout", "60",
                          "--local-directory", self.folder / f"worker-{len(self.processes)}")

    def start(self, module, *options):
        with open(self.folder / "output", "ab") as output:
            process = subprocess.Popen(
                [sys.executable, "-m", f"distributed.cli.{module}", "--scheduler-file", self.address,
                 "--dashboard-address", "127.0.0.1:0", *map(str, options)],
                env=self.environment, cwd=self.folder, stdout=output, stderr=output)
        self.processes.append(process)
        return process

    def stop(self):
        for process in reversed(self.processes):
            process.terminate()
        for process in self.processes:
            try:
                process.wait(timeout=20)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait(timeout=20)

    def output(self):
        return (self.folder / "output").read_text()
