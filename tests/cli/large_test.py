"""Large inputs, read errors in the middle of a file, and the number of threads."""
import subprocess
import unittest

from program import BINARY, FAULTY, TESTDATA, Case, run


class Large(Case):
    @unittest.skipUnless(FAULTY, "nothing to preload")
    def test_what_cannot_be_read_on_is_told_once_and_what_came_before_stays(self):
        log = self.folder / "faulty.log"
        log.write_bytes(b"".join(path.read_bytes() for path in sorted(TESTDATA.rglob("input.log"))) * 3)
        lines = log.read_bytes().count(b"\n")
        for begin, end in ((100, 200), (100_000, 100_001), (1_000_000, 1_004_096), (1_000_000, 1 << 40)):
            faulty = {"LD_PRELOAD": FAULTY, "FAULTY_FROM": str(begin), "FAULTY_TO": str(end)}
            done = run("-f", "events", self.broken, log, env=faulty)
            self.assertEqual(done.stderr.count(b"cannot read"), 1)
            self.assertIn(b"faulty.log", done.stderr)
            self.assertGreater(done.stdout.count(b"\n"), 10)
            self.assertLess(done.stdout.count(b"\n"), lines)

    def test_a_reader_that_goes_away_ends_the_run(self):
        log = self.folder / "many.log"
        log.write_bytes(self.broken.read_bytes() * 2000)
        process = subprocess.Popen([BINARY, "-f", "events", log], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        process.stdout.readline()
        process.stdout.close()
        self.assertEqual(process.stderr.read(), b"")
        process.stderr.close()
        self.assertIn(process.wait(timeout=60), (0, 1))

    def test_number_of_threads_is_accepted_and_changes_nothing(self):
        one = run("-f", "json", self.broken)
        for count in ("1", "4"):
            other = run("--threads", count, "-f", "json", self.broken)
            self.assertEqual((other.returncode, other.stdout, other.stderr), (one.returncode, one.stdout, one.stderr))
