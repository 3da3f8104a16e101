"""Standard descriptors that are closed or not writable, and little memory."""
import os
import resource
import subprocess

from program import BINARY, Case, run


class Descriptors(Case):
    def run_closed(self, closed, *arguments):
        return run(*arguments, preexec_fn=lambda: [os.close(number) for number in closed])

    def test_diagnostics_never_reach_the_report(self):
        for closed in ((2,), (0, 2), (1, 2), (0, 1, 2)):
            for arguments in (("nosuch",), ("-v",)):
                whole = run(*arguments, "-f", "json", self.broken).stdout  # which names what could not be read
                target = self.folder / "report.json"
                done = self.run_closed(closed, *arguments, "-f", "json", "-o", target, self.broken)
                self.assertEqual((done.returncode, target.read_bytes()), (1, whole), closed)

    def test_closed_standard_input_cannot_be_read(self):
        done = self.run_closed((0,), "-f", "json")
        self.assertEqual((done.returncode, done.stdout), (2, b""))
        self.assertEqual(done.stderr, b"nccl-analyze: error: cannot read <stdin>: Bad file descriptor\n")

    def test_closed_standard_output_cannot_be_written(self):
        for arguments in ((self.broken,), ("--help",), ("--version",), ("rules",)):
            done = self.run_closed((1,), *arguments)
            self.assertEqual(done.returncode, 2, arguments)
            self.assertEqual(done.stderr, b"nccl-analyze: error: cannot write standard output: Bad file descriptor\n")

    def test_full_device(self):
        for arguments in ((self.broken,), ("-f", "events", self.broken), ("--help",), ("--version",), ("rules",),
                          ("explain", "NCA301")):
            with open("/dev/full", "wb") as full:
                done = subprocess.run([BINARY, *map(str, arguments)], stdout=full, stderr=subprocess.PIPE, timeout=60)
            self.assertEqual(done.returncode, 2, arguments)
            self.assertEqual(done.stderr, b"nccl-analyze: error: cannot write standard output: No space left on device\n")

    def test_a_reader_that_goes_away_is_no_fault(self):
        log = self.big_log(300)
        for arguments in (("-f", "events", log), ("-f", "json", log), (log,), ("rules", "-f", "json"), ("--help",)):
            for count in ([], ["--threads", "1"], ["--threads", "8"]) if log in arguments else ([],):
                head = subprocess.Popen(["head", "-n", "1"], stdin=subprocess.PIPE, stdout=subprocess.DEVNULL)
                done = subprocess.run([BINARY, *map(str, arguments), *count, *(["--fail-on", "never"] if log in arguments else [])],
                                      stdout=head.stdin, stderr=subprocess.PIPE, timeout=60)
                head.stdin.close()
                head.wait()
                self.assertEqual((done.returncode, done.stderr), (0, b""), arguments)

    def test_little_memory(self):
        whole = run("-f", "json", self.broken).stdout
        for kilobytes in (100_000, 200_000, 300_000):
            limit = kilobytes * 1024
            done = run("-f", "json", self.broken,
                       preexec_fn=lambda limit=limit: resource.setrlimit(resource.RLIMIT_AS, (limit, limit)))
            self.assertEqual((done.returncode, done.stdout, done.stderr), (1, whole, b""), kilobytes)

    def test_no_further_processes(self):
        done = run("-f", "json", self.broken, preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_NPROC, (0, 0)))
        self.assertEqual((done.returncode, done.stderr), (1, b""))

    def test_never_is_about_findings(self):
        self.assertEqual(run("--fail-on", "never", self.broken).returncode, 0)
        for arguments in (("nosuch.log",), (self.folder,), ("merge", self.broken)):
            done = run(*arguments, "--fail-on", "never")
            self.assertEqual((done.returncode, done.stdout, done.stderr.count(b"\n")), (2, b"", 1), arguments)
