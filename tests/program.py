"""Runs the program as its users do; the base of every test of it."""
import fcntl
import json
import os
import pathlib
import pty
import re
import select
import struct
import subprocess
import tempfile
import termios
import time
import unittest

BINARY = ""  # run_python_test.py sets it
TESTDATA = pathlib.Path(__file__).resolve().parent.parent / "testdata"
JOBS = TESTDATA / "jobs"
FINDING = "NCA301 net-plugin-failed"  # the first finding of Case.broken
FAULTY = os.environ.get("NCCL_ANALYZE_FAULTY")  # a library to preload that makes system calls fail: faulty.cc


def environment(arguments):
    """Graphviz and its plugins leave memory behind when they end, which is not what is tested here."""
    return {"ASAN_OPTIONS": "detect_leaks=0"} if {"svg", "png", "html"} & set(arguments) else {}


def run(*arguments, data=b"", env=None, **options):
    """Returns the finished process; its standard input was `data`."""
    return subprocess.run([BINARY, *map(str, arguments)], input=data, capture_output=True, timeout=120,
                          env={**os.environ, **environment(arguments), **(env or {})}, **options)


def report(*arguments, data=b""):
    return json.loads(run("--format", "json", "--fail-on", "never", *arguments, data=data).stdout)


def wait_until(what, seconds=30):
    """Returns whether `what()` became true in time."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if what():
            return True
        time.sleep(0.01)
    return False


def read_terminal(leader):
    """Reads what a terminal shows until the program at its other end closes it."""
    text = b""
    try:
        while block := os.read(leader, 4096):
            text += block
    except OSError:
        pass  # a closed terminal is an error, not an end of file
    return text


class Case(unittest.TestCase):
    maxDiff = None

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.broken = JOBS / "efa-fallback/input.log"
        self.healthy = JOBS / "healthy-1x4-nvlink/input.log"

    def assert_one_line(self, done, *words):
        """A failure is one line on standard error that holds the words; standard output is empty."""
        text = done.stderr.decode()
        self.assertEqual(text.count("\n"), 1, text)
        for word in words:
            self.assertIn(word, text)
        self.assertEqual(done.stdout, b"")
        self.assertEqual(done.returncode, 2)

    def names(self):
        return sorted(path.name for path in self.folder.iterdir())

    def big_log(self, copies=3000):
        log = self.folder / "big.log"
        log.write_bytes(self.broken.read_bytes() * copies)
        return log


class Watched:
    """The program while it follows a log: `write` grows it, `wait_for` waits for what standard error shows."""

    def __init__(self, *arguments, command=(), terminal=False, width=200, stdin=subprocess.PIPE, **options):
        leader, follower = pty.openpty() if terminal else os.pipe()
        if terminal:
            fcntl.ioctl(follower, termios.TIOCSWINSZ, struct.pack("HHHH", 24, width, 0, 0))
        self.process = subprocess.Popen([BINARY, *command, "--follow", *map(str, arguments)], stdin=stdin,
                                        stderr=follower, stdout=subprocess.PIPE, env={**os.environ, "TERM": "xterm"}, **options)
        os.close(follower)
        self.leader, self.shown = leader, b""

    def write(self, text):
        self.process.stdin.write(text if isinstance(text, bytes) else text.encode())
        self.process.stdin.flush()

    def read(self, seconds):
        """False when nothing more will come, or nothing came for so long."""
        if not select.select([self.leader], [], [], seconds)[0]:
            return False
        try:
            block = os.read(self.leader, 1 << 16)
        except OSError:
            return False  # How a terminal ends.
        self.shown += block
        return bool(block)

    def wait_for(self, pattern):
        while not (found := re.search(pattern, self.shown.decode(errors="replace"))):
            if not self.read(60):
                raise AssertionError(f"{pattern} was not shown: {self.shown}")
        return found

    def end(self, interrupt=None):
        """The rest of standard error is read, then the report and the exit status are returned."""
        if interrupt:
            self.process.send_signal(interrupt)
        elif self.process.stdin:
            self.process.stdin.close()
        done = self.process.stdout.read()
        while self.read(60):
            pass
        os.close(self.leader)
        self.process.stdout.close()
        return done, self.process.wait(timeout=60)

    def kill(self):
        self.process.kill()
        self.process.wait(timeout=60)
        for pipe in (self.process.stdin, self.process.stdout):
            if pipe:
                pipe.close()
