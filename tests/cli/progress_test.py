"""The line that shows on a terminal how far the program has read."""
import os
import pty
import subprocess
import time

from program import BINARY, Case, read_terminal


class Progress(Case):
    def on_terminal(self, *arguments, stdout=subprocess.DEVNULL):
        """What standard error shows on a terminal while a slow pipe is read."""
        leader, follower = pty.openpty()
        with subprocess.Popen([BINARY, *arguments], stdin=subprocess.PIPE, stderr=follower,
                              stdout=follower if stdout is None else stdout) as process:
            os.close(follower)
            for pause in (1.3, 0):
                process.stdin.write(b"w:1:1 [0] NCCL INFO cudaDriverVersion 12040\n")
                process.stdin.flush()
                time.sleep(pause)
            process.stdin.close()
            text = read_terminal(leader)
            process.wait(timeout=60)
        os.close(leader)
        return text

    def test_shown_on_a_terminal_and_erased(self):
        shown = self.on_terminal()
        self.assertIn(b"reading <stdin>, 0 MiB in all", shown)
        self.assertTrue(shown.endswith(b"\r\x1b[K"), shown)

    def test_not_shown_when_quiet_or_in_between_events(self):
        self.assertEqual(self.on_terminal("-q"), b"")
        self.assertNotIn(b"reading", self.on_terminal("-f", "events", stdout=None))

    def test_not_shown_elsewhere(self):
        with subprocess.Popen([BINARY], stdin=subprocess.PIPE, stdout=subprocess.DEVNULL,
                              stderr=subprocess.PIPE) as process:
            for pause in (1.3, 0):
                process.stdin.write(b"w:1:1 [0] NCCL INFO cudaDriverVersion 12040\n")
                process.stdin.flush()
                time.sleep(pause)
            process.stdin.close()
            self.assertEqual(process.stderr.read(), b"")
