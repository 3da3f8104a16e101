"""Where and in which form reports are written."""
import fcntl
import json
import os
import pty
import re
import struct
import subprocess
import termios

from program import BINARY, JOBS, Case, read_terminal, report, run


class Output(Case):
    def test_file_equals_standard_output(self):
        names = ("text", "markdown", "html", "json", "events", "trace", "junit", "sarif", "github", "otlp", "dot")
        for name in names:
            target = self.folder / name
            run("-f", name, "--made-by", "me", "-o", target, self.broken)
            self.assertEqual(target.read_bytes(), run("-f", name, "--made-by", "me", self.broken).stdout)
        self.assertEqual(len(list(self.folder.iterdir())), len(names))

    def written_to_terminal(self, width, *arguments, color="never", env=None):
        """What standard output shows on a terminal of so many columns, and the process."""
        leader, follower = pty.openpty()
        fcntl.ioctl(follower, termios.TIOCSWINSZ, struct.pack("HHHH", 24, width, 0, 0))
        with subprocess.Popen([BINARY, "--color", color, *arguments, self.broken], stdout=follower,
                              stderr=subprocess.PIPE, env={**os.environ, **(env or {})}) as process:
            os.close(follower)
            text = read_terminal(leader)
            error = process.stderr.read()
        os.close(leader)
        return text.decode().splitlines(), error, process.returncode

    def test_as_wide_as_the_terminal(self):
        def widest(lines):  # of words that can be broken, which code cannot
            return max(len(line) for line in lines if len(line.split()) > 1 and not any(mark in line for mark in ("/", "`", "--", "NCCL_")))
        for width, least, most in ((72, 60, 72), (140, 120, 140), (20, 50, 60), (0, 80, 100)):
            lines, _, _ = self.written_to_terminal(width)
            self.assertTrue(least <= widest(lines) <= most, (width, widest(lines)))
        self.assertLessEqual(widest(run(self.broken).stdout.decode().splitlines()), 100)

    def test_places_are_links_where_a_terminal_shows_them(self):
        self.broken = self.folder / "a log;1.txt"
        self.broken.write_bytes((JOBS / "efa-fallback/input.log").read_bytes())
        plain = {name: "" for name in ("VTE_VERSION", "KITTY_WINDOW_ID", "KONSOLE_VERSION", "WT_SESSION",
                                       "WEZTERM_PANE", "TERM_PROGRAM", "NO_COLOR")} | {"TERM": "xterm"}
        lines, _, _ = self.written_to_terminal(100, color="auto", env=plain)
        self.assertNotIn("\x1b]8", "".join(lines))
        lines, _, _ = self.written_to_terminal(100, color="never", env={**plain, "VTE_VERSION": "6003"})
        self.assertNotIn("\x1b]8", "".join(lines))
        lines, _, _ = self.written_to_terminal(100, color="auto", env={**plain, "VTE_VERSION": "6003"})
        links = re.findall("\x1b]8;;([^\x1b]*)\x1b\\\\", "".join(lines))
        self.assertGreater(len(links), 4)
        self.assertEqual({bool(link) for link in links[::2]}, {True})
        self.assertEqual(set(links[1::2]), {""})
        self.assertRegex(links[0], r"^file://[^/]*/.*/a%20log%3B1\.txt$")
        self.assertNotIn(b"\x1b]8", run("--color", "always", self.broken, env={"VTE_VERSION": "6003"}).stdout)

    def test_no_picture_on_a_terminal(self):
        lines, error, status = self.written_to_terminal(80, "-f", "png")
        self.assertEqual((lines, status), ([], 2))
        self.assertIn(b"PNG", error)
        self.assertEqual(error.count(b"\n"), 1)

    def test_file_is_whole_or_not_there(self):
        target = self.folder / "report"
        target.write_text("before")
        target.chmod(0o640)
        self.assertEqual(run("-o", target, self.folder / "missing.log").returncode, 2)
        self.assertEqual(target.read_text(), "before")
        run("-o", target, self.broken)
        self.assertIn("NCA301", target.read_text())
        self.assertEqual(target.stat().st_mode & 0o777, 0o640)
        self.assertEqual(list(self.folder.iterdir()), [target])

    def test_unwritable(self):
        self.assert_one_line(run("-o", self.folder / "no/such/folder", self.broken), "no/such/folder")
        done = run("-f", "json", "-o", "/dev/full", self.broken)
        self.assert_one_line(done, "/dev/full", "No space left")

    def test_closed_pipe_is_quiet(self):
        for name in ("events", "json", "text"):
            with self.subTest(name):
                read, write = os.pipe()
                os.close(read)
                with subprocess.Popen([BINARY, "-f", name, self.broken], stdout=write,
                                      stderr=subprocess.PIPE) as process:
                    os.close(write)
                    _, errors = process.communicate(timeout=60)
                self.assertEqual(errors, b"")
                self.assertIn(process.returncode, (0, 1))

    def test_color(self):
        def colored(*arguments, **env):
            return b"\x1b[" in run(*arguments, self.broken, env=env).stdout
        self.assertFalse(colored())
        self.assertTrue(colored("--color", "always", NO_COLOR="1"))
        self.assertTrue(colored(CLICOLOR_FORCE="1"))
        self.assertFalse(colored(CLICOLOR_FORCE="1", NO_COLOR="1"))
        self.assertFalse(colored("--color", "never", CLICOLOR_FORCE="1"))

    def test_color_on_a_terminal(self):
        def shown(**env):
            leader, follower = pty.openpty()
            clean = {k: v for k, v in os.environ.items() if not k.startswith(("CLICOLOR", "NO_COLOR"))}
            process = subprocess.Popen([BINARY, self.broken], stdout=follower, env={**clean, "TERM": "xterm", **env})
            os.close(follower)
            text = read_terminal(leader)
            process.wait(timeout=60)
            os.close(leader)
            return text
        self.assertIn(b"\x1b[", shown())
        self.assertNotIn(b"\x1b[", shown(NO_COLOR="1"))
        self.assertNotIn(b"\x1b[", shown(CLICOLOR="0"))

    def test_events_are_json_lines(self):
        events = [json.loads(line) for line in run("-f", "events", self.broken).stdout.splitlines()]
        self.assertEqual(len(events), report(self.broken)["input"]["nccl_lines"])
        self.assertTrue(all("event" in event for event in events))

    def test_same_input_same_bytes(self):
        for name in ("text", "markdown", "html", "json", "events", "trace", "junit", "sarif", "github", "otlp", "dot"):
            self.assertEqual(run("-f", name, self.broken).stdout, run("-f", name, self.broken).stdout)
