"""The format for lnav: lnav accepts it with its samples, and shows the lines of a log with it."""
import csv
import os
import pathlib
import shutil
import subprocess
import unittest

from program import JOBS, Case

FORMAT = pathlib.Path(__file__).resolve().parents[2] / "examples/lnav/nccl.json"


@unittest.skipUnless(shutil.which("lnav"), "lnav is not there")
class Lnav(Case):
    def setUp(self):
        super().setUp()
        home = self.folder / "lnav"
        (home / "formats/nccl").mkdir(parents=True)
        shutil.copy(FORMAT, home / "formats/nccl")
        self.command = ["lnav", "-I", home]

    def lnav(self, *arguments):
        environment = {**os.environ, "HOME": str(self.folder), "TERM": "xterm"}
        done = subprocess.run([*self.command, *map(str, arguments)], capture_output=True, timeout=120, env=environment,
                              stdin=subprocess.DEVNULL)
        self.assertEqual((done.returncode, done.stderr), (0, b""))
        return done.stdout.decode()

    def test_lnav_accepts_the_format_and_its_samples(self):
        self.lnav("-C")

    def test_lines_with_a_time_are_records(self):
        log = JOBS / "wrapped-kubectl/input.log"
        query = ";SELECT pod, host, pid, gpu, log_level FROM nccl_log"
        rows = list(csv.DictReader(self.lnav("-n", "-c", query, "-c", ":write-csv-to -", log).splitlines()))
        self.assertEqual(len(rows), log.read_text().count(" NCCL INFO "))
        self.assertEqual(rows[0], {"pod": "train-job-worker-0", "host": "train-job-worker-0", "pid": "101", "gpu": "0",
                                   "log_level": "info"})
