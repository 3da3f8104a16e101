"""What a signal leaves behind: no part of a file, and after Ctrl-C the report on what was read."""
import fcntl
import json
import os
import pty
import random
import signal
import subprocess
import termios
import time
import unittest

from program import BINARY, FAULTY, FINDING, Case, run, wait_until


class Signals(Case):
    def start(self, *arguments, env=None, **options):
        process = subprocess.Popen([BINARY, *map(str, arguments)], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE, env={**os.environ, **(env or {})}, **options)
        self.addCleanup(lambda: (process.kill(), process.wait(), [one.close() for one in (process.stdin, process.stdout,
                                                                                         process.stderr) if one]))
        return process

    def wait_for_descriptor(self, process, part):
        """Until a file is open whose path has the part."""
        def is_open():
            try:
                return any(part in os.readlink(f"/proc/{process.pid}/fd/{one}")
                           for one in os.listdir(f"/proc/{process.pid}/fd"))
            except OSError:
                return False
        self.assertTrue(wait_until(is_open))

    def wait_for_output(self, process):
        """Until the file that -o makes is open, which is after the inputs were listed."""
        self.wait_for_descriptor(process, str(self.folder))

    def wait_for_reading(self, process):
        """Until Ctrl-C ends the reading and no longer the program."""
        self.wait_for_descriptor(process, "signalfd")

    def test_no_signal_leaves_a_file(self):
        environments = [{}] + ([{"LD_PRELOAD": FAULTY, "FAULTY_TMPFILE": "1"}] if FAULTY else [])
        for environment in environments:
            for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT):
                process = self.start("-o", self.folder / "report", env=environment)
                self.wait_for_output(process)
                self.assertEqual(len(self.names()), 1 if environment else 0)
                if number == signal.SIGINT:
                    self.wait_for_reading(process)
                process.send_signal(number)
                if number == signal.SIGINT:  # the first one ends the reading
                    process.wait(timeout=30)
                    self.assertEqual(process.returncode, 0)
                    self.assertEqual(self.names(), ["report"])
                    (self.folder / "report").unlink()
                else:
                    self.assertEqual(process.wait(timeout=30), -number)
                self.assertEqual(self.names(), [])
        process = self.start("-o", self.folder / "report")
        self.wait_for_output(process)
        process.kill()
        process.wait()
        self.assertEqual(self.names(), [])

    @unittest.skipUnless(FAULTY, "nothing to preload")
    def test_without_unnamed_files(self):
        environment = {"LD_PRELOAD": FAULTY, "FAULTY_TMPFILE": "1"}
        target = self.folder / "report"
        for _ in range(2):
            self.assertEqual(run("-o", target, self.broken, env=environment).returncode, 1)
            self.assertEqual(target.read_bytes(), run(self.broken).stdout)
        self.assertEqual(self.names(), ["report"])
        self.assertEqual(run("-o", target, "nosuch", env=environment).returncode, 2)
        self.assertEqual(self.names(), ["report"])

    def test_signals_at_random_moments(self):
        log = self.big_log(200)
        chance = random.Random(1)
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP) * 10:
            process = self.start("-f", "json", "-o", self.folder / "report", log)
            time.sleep(chance.random() * 0.06)
            process.send_signal(number)
            process.wait(timeout=60)
            for name in self.names():
                self.assertIn(name, ("big.log", "report"))
            if (self.folder / "report").exists():
                json.loads((self.folder / "report").read_bytes())
                (self.folder / "report").unlink()

    def test_nohup(self):
        process = self.start("-o", self.folder / "report", preexec_fn=lambda: signal.signal(signal.SIGHUP, signal.SIG_IGN))
        self.wait_for_output(process)
        process.send_signal(signal.SIGHUP)
        process.communicate(self.broken.read_bytes(), timeout=30)
        self.assertEqual(process.returncode, 1)
        self.assertIn(FINDING, (self.folder / "report").read_text())

    def test_interrupt_reports_on_what_was_read(self):
        process = self.start("-f", "json")
        process.stdin.write(self.broken.read_bytes())
        process.stdin.flush()
        self.assertTrue(wait_until(lambda: fcntl.ioctl(process.stdin, termios.FIONREAD, b"\0" * 4) == b"\0" * 4))
        time.sleep(0.2)
        process.send_signal(signal.SIGINT)
        out, errors = process.stdout.read(), process.stderr.read()
        self.assertEqual(process.wait(timeout=30), 1)
        self.assertEqual([source["bytes"] for source in json.loads(out)["input"]["sources"]],
                         [len(self.broken.read_bytes())])
        self.assertEqual(errors, b"nccl-analyze: warning: interrupted: the report is on what was read\n")

    def test_interrupt_while_a_named_pipe_has_no_writer(self):
        os.mkfifo(self.folder / "pipe")
        log = self.folder / "a.log"
        log.write_bytes(self.broken.read_bytes())
        process = self.start("-f", "json", log, self.folder / "pipe")
        self.wait_for_reading(process)
        time.sleep(0.3)
        process.send_signal(signal.SIGINT)
        out = process.stdout.read()
        self.assertEqual(process.wait(timeout=30), 1)
        self.assertEqual(json.loads(out)["input"]["sources"][0]["name"], str(log))

    def test_second_interrupt_ends_at_once(self):
        chance = random.Random(2)
        log = self.big_log(1000)
        for _ in range(10):
            process = self.start("-f", "json", "-o", self.folder / "report", log)
            time.sleep(chance.random() * 0.05)
            process.send_signal(signal.SIGINT)
            process.send_signal(signal.SIGINT)
            self.assertIn(process.wait(timeout=30), (0, 1, -signal.SIGINT))
            self.assertIn(self.names(), (["big.log"], ["big.log", "report"]))

    def test_silence_is_said_once_on_a_terminal(self):
        leader, follower = pty.openpty()
        process = subprocess.Popen([BINARY], stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=follower)
        os.close(follower)
        begun = time.monotonic()
        text = os.read(leader, 4096)
        self.assertIn(b"no input for 5 s; Ctrl-C ends the reading and reports", text)
        self.assertGreater(time.monotonic() - begun, 4.5)
        process.communicate(self.broken.read_bytes(), timeout=30)
        os.close(leader)
