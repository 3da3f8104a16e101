"""Runs the program as its users do: cli_test.py BINARY TESTDATA [GROUP ...], a group being a class below."""
import fcntl
import gzip
import io
import json
import lzma
import os
import pathlib
import pty
import re
import select
import shutil
import signal
import struct
import subprocess
import sys
import tarfile
import tempfile
import termios
import threading
import time
import unittest
import zipfile
from xml.etree import ElementTree

BINARY = ""
JOBS = pathlib.Path()


def run(*arguments, data=b"", env=None, **options):
    """The finished process; standard input is `data`."""
    return subprocess.run([BINARY, *map(str, arguments)], input=data, capture_output=True, timeout=120,
                          env={**os.environ, **(env or {})}, **options)


def report(*arguments, data=b""):
    return json.loads(run("--format", "json", "--fail-on", "never", *arguments, data=data).stdout)


class Case(unittest.TestCase):
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


class Status(Case):
    def test_findings(self):
        self.assertEqual(run(self.broken).returncode, 1)
        self.assertEqual(run("--fail-on", "never", self.broken).returncode, 0)

    def test_healthy(self):
        self.assertEqual(run(self.healthy).returncode, 0)
        self.assertEqual(run("--fail-on", "warning", self.healthy).returncode, 0)

    def test_status_is_the_same_in_every_format(self):
        for name in ("text", "markdown", "html", "json", "events", "trace", "dot"):
            with self.subTest(name):
                self.assertEqual(run("-f", name, self.broken).returncode, 1)

    def test_no_nccl_line(self):
        done = run("--format", "json", data=b"hello\n")
        self.assertEqual(done.returncode, 0)
        self.assertEqual(json.loads(done.stdout)["input"]["nccl_lines"], 0)
        self.assertIn(b"no NCCL line", done.stderr)

    def test_usage(self):
        self.assert_one_line(run("--nonsense"), "--nonsense", "--help")
        self.assert_one_line(run("--format", "yaml", self.broken), "yaml", "json")
        self.assert_one_line(run("--host", "(", self.broken), "--host")
        self.assert_one_line(run("--comm", "xyz", self.broken), "--comm")

    def test_an_option_without_its_value_takes_no_file(self):
        log = self.folder / "train.log"
        log.write_bytes(self.broken.read_bytes())
        self.assert_one_line(run("--output=", log), "--output needs a value")
        self.assertEqual(log.read_bytes(), self.broken.read_bytes())

    def test_unknown_rule(self):
        self.assert_one_line(run("--select", "net-plugin-faild", self.broken), "net-plugin-failed")
        self.assert_one_line(run("--ignore", "no-such-thing-at-all", self.broken), "no-such-thing-at-all")
        self.assert_one_line(run("explain", "NCA3O1"), "net-plugin-failed")


class Inputs(Case):
    def test_standard_input(self):
        data = self.broken.read_bytes()
        for arguments in ((), ("-",)):
            sources = report(*arguments, data=data)["input"]["sources"]
            self.assertEqual([(s["name"], s["bytes"]) for s in sources], [("<stdin>", len(data))])

    def test_folder(self):
        (self.folder / "b").mkdir()
        (self.folder / "b/late.log").write_bytes(self.broken.read_bytes())
        (self.folder / "a.log").write_bytes(b"nothing\n")
        os.symlink(self.folder, self.folder / "b/loop")
        os.mkfifo(self.folder / "pipe")
        names = [s["name"] for s in report(self.folder)["input"]["sources"]]
        self.assertEqual(names, [f"{self.folder}/a.log", f"{self.folder}/b/late.log"])

    def test_empty_folder(self):
        done = run(self.folder)
        self.assertEqual(done.returncode, 2)

    def test_unreadable_input_is_named_and_the_rest_read(self):
        done = run("--format", "json", self.folder / "missing.log", self.broken)
        self.assertEqual(done.returncode, 1)
        self.assertEqual(run(self.folder / "missing.log", self.healthy).returncode, 0)
        self.assertIn(b"missing.log: No such file", done.stderr)
        self.assertEqual(len(json.loads(done.stdout)["input"]["sources"]), 1)
        self.assertEqual(run("--fail-on", "never", self.folder / "missing.log").returncode, 2)
        self.assert_one_line(run(self.folder / "missing.log"), "missing.log")

    def test_unreadable_folder_entry(self):
        (self.folder / "a.log").write_bytes(self.broken.read_bytes())
        os.symlink("/proc/self/mem", self.folder / "b.log")
        done = run("--format", "json", self.folder)
        self.assertEqual(done.returncode, 1)
        self.assertEqual(done.stderr.count(b"\n"), 1)
        self.assertIn(b"b.log", done.stderr)
        self.assertEqual(json.loads(done.stdout)["input"]["sources"][0]["name"], f"{self.folder}/a.log")

    def test_named_pipe(self):
        pipe = self.folder / "pipe"
        os.mkfifo(pipe)
        with subprocess.Popen(["cp", self.broken, pipe]) as writer:
            timer = threading.Timer(60, writer.kill)  # A program that does not open the pipe leaves it waiting.
            timer.start()
            self.assertGreater(report(pipe)["input"]["nccl_lines"], 50)
            timer.cancel()

    def test_packed(self):
        data = self.broken.read_bytes()
        lines = report(self.broken)["input"]["nccl_lines"]
        gz = gzip.compress(data)
        tar = io.BytesIO()
        with tarfile.open(fileobj=tar, mode="w:xz") as archive:
            archive.add(self.broken, "worker-0.log")
            archive.add(self.healthy, "worker-1.log")
        zipped = io.BytesIO()
        with zipfile.ZipFile(zipped, "w", zipfile.ZIP_DEFLATED) as archive:
            archive.write(self.broken, "worker-0.log")
        self.assertEqual(report(data=gz)["input"]["nccl_lines"], lines)
        self.assertEqual(report(data=gz + gz)["input"]["nccl_lines"], 2 * lines)
        self.assertEqual(report(data=zipped.getvalue())["input"]["nccl_lines"], lines)
        (self.folder / "all.tar.xz").write_bytes(tar.getvalue())
        sources = report(self.folder)["input"]["sources"]
        self.assertEqual([s["name"] for s in sources],
                         [f"{self.folder}/all.tar.xz:worker-{i}.log" for i in range(2)])
        self.assertEqual(sources[0]["nccl_lines"], lines)

    def test_torn_archive_keeps_what_was_read(self):
        done = run("--format", "json", data=gzip.compress(50 * self.broken.read_bytes())[:-20])
        self.assertEqual(done.returncode, 1)
        self.assertIn(b"cannot unpack <stdin>", done.stderr)
        self.assertEqual(len(json.loads(done.stdout)["input"]["sources"]), 1)

    def test_several_files_do_not_depend_on_each_other(self):
        both = report(self.broken, self.healthy)["input"]
        alone = [report(path)["input"]["sources"][0] for path in (self.broken, self.healthy)]
        self.assertEqual(both["sources"], alone)


    def names(self, *arguments, data=b""):
        return [source["name"] for source in report(*arguments, data=data)["input"]["sources"]]

    def test_pattern(self):
        for name in ("w-2.log", "w-10.log", "w-1.log", "other.txt", "sub/deep.log"):
            path = self.folder / name
            path.parent.mkdir(exist_ok=True)
            path.write_text(f"{name}\n")
        os.mkfifo(self.folder / "w-pipe.log")
        self.assertEqual(self.names(f"{self.folder}/w-*.log"),
                         [f"{self.folder}/w-{i}.log" for i in ("1", "10", "2")])
        self.assertEqual(self.names(f"{self.folder}/w-[12].lo?"), [f"{self.folder}/w-{i}.log" for i in "12"])
        self.assertEqual(self.names(f"{self.folder}/s*"), [f"{self.folder}/sub/deep.log"])
        self.assert_one_line(run(f"{self.folder}/x*.log"), "no file matches", "x*.log")
        (self.folder / "a[1].log").write_text("brackets\n")
        self.assertEqual(self.names(self.folder / "a[1].log"), [f"{self.folder}/a[1].log"])

    def test_a_file_counts_once_whatever_its_names(self):
        log, link, hard = (self.folder / name for name in ("a.log", "link.log", "hard.log"))
        log.write_bytes(self.broken.read_bytes())
        link.symlink_to(log)
        os.link(log, hard)
        for paths in ((log, log), (log, link), (log, hard), (log, self.folder), (self.folder,),
                      (log, f"{self.folder}/*.log")):
            done = run("-f", "json", *paths)
            self.assertEqual(done.stderr, b"")
            self.assertEqual([s["name"] for s in json.loads(done.stdout)["input"]["sources"]], [str(log)])
        self.assertIn(b"under another name", run("-v", log, link).stderr)
        self.assertEqual(self.names("-", "-", data=b"x\n"), ["<stdin>"])
        with open(log, "rb") as file:
            done = subprocess.run([BINARY, "-f", "json", "-", log], stdin=file, capture_output=True, timeout=60)
        self.assertEqual(len(json.loads(done.stdout)["input"]["sources"]), 1)

    def test_a_copy_counts_once_and_is_named(self):
        data = self.broken.read_bytes()
        a, b, other, shorter, empty, void = (self.folder / name for name in "abcdef")
        a.write_bytes(data)
        b.write_bytes(data)
        other.write_bytes(data[:-2] + b"#\n")
        shorter.write_bytes(data[:-1])
        empty.touch()
        void.touch()
        done = run("-f", "json", self.folder)
        self.assertEqual([s["name"] for s in json.loads(done.stdout)["input"]["sources"]],
                         [str(path) for path in (a, other, shorter, empty, void)])
        self.assertEqual(done.stderr.decode(),
                         f"nccl-analyze: warning: {b} is left out: it holds the same bytes as {a}\n")
        self.assertEqual(self.names(b, a), [str(a)])  # the order of the arguments plays no part
        self.assertEqual(run("-q", a, b).stderr, b"")

    def test_large_files_that_differ_at_the_end_are_both_read(self):
        for name, end in (("a", b"1"), ("b", b"2"), ("c", b"1")):
            (self.folder / name).write_bytes(b"x\n" * 100_000 + end)
        self.assertEqual(self.names(self.folder), [f"{self.folder}/a", f"{self.folder}/b"])

    def test_order_of_paths_changes_no_fact(self):
        logs = sorted(JOBS.glob("*/input.log"))[:6]
        def facts(paths):
            found = report(*paths)
            return (sorted(json.dumps(s, sort_keys=True) for s in found["input"]["sources"]),
                    found["input"]["versions"], found["input"]["coverage"],
                    sorted(c["comm_id"] or "" for c in found["communicators"]),
                    sorted((f["rule"], f["severity"]) for f in found["findings"]))
        self.assertEqual(facts(logs), facts(logs[::-1]))

    def test_devices(self):
        self.assert_one_line(run("/dev/zero"), "/dev/zero", "device")
        done = run("/dev/zero", self.broken)
        self.assertEqual(done.returncode, 1)
        self.assertEqual(self.names("/dev/null"), ["/dev/null"])
        self.assertEqual(self.names("/dev/stdin", data=b"x\n"), ["/dev/stdin"])
        (self.folder / "zero.log").symlink_to("/dev/zero")
        self.assert_one_line(run(self.folder), "no file to read")
        self.assert_one_line(run(self.folder / "zero.log"), "zero.log", "device")

    def test_process_substitution(self):
        read, write = os.pipe()
        os.write(write, b"w:1:1 [0] NCCL INFO cudaDriverVersion 12040\n")
        os.close(write)
        done = run("-f", "json", f"/dev/fd/{read}", pass_fds=[read])
        os.close(read)
        self.assertEqual(json.loads(done.stdout)["input"]["nccl_lines"], 1)

    def test_broken_link_is_named(self):
        (self.folder / "a.log").write_bytes(self.broken.read_bytes())
        (self.folder / "gone.log").symlink_to("nowhere")
        done = run(self.folder)
        self.assertEqual(done.returncode, 1)
        self.assertIn(b"gone.log: No such file", done.stderr)

    def test_packed_members_of_archives(self):
        data = self.broken.read_bytes()
        lines = report(self.broken)["input"]["nccl_lines"]
        with zipfile.ZipFile(self.folder / "all.zip", "w") as archive:
            archive.writestr("w-0.log.gz", gzip.compress(data))
            archive.writestr("w-1.log.xz", lzma.compress(data))
            archive.writestr("w-2.log", data)
        sources = report(self.folder / "all.zip")["input"]["sources"]
        self.assertEqual([(s["name"], s["nccl_lines"]) for s in sources],
                         [(f"{self.folder}/all.zip:w-{i}.log{end}", lines)
                          for i, end in enumerate((".gz", ".xz", ""))])

    def test_every_compression(self):
        lines = report(self.broken)["input"]["nccl_lines"]
        for tool in ("gzip", "bzip2", "xz", "zstd"):
            if shutil.which(tool):
                with self.subTest(tool):
                    packed = subprocess.run([tool, "-c", self.broken], capture_output=True, check=True).stdout
                    self.assertEqual(report(data=packed)["input"]["nccl_lines"], lines)

    def test_bomb(self):
        zeros = gzip.compress(bytes(64 << 20))
        with tarfile.open(self.folder / "bomb.tar", "w") as archive:
            archive.add(self.broken, "a.log")
            member = tarfile.TarInfo("bomb.gz")
            member.size = 160 * len(zeros)  # 10 GiB come out of it.
            archive.addfile(member, io.BytesIO(160 * zeros))
        done = run("-f", "json", self.folder)
        self.assertEqual(done.stderr.count(b"\n"), 1)
        self.assertIn(b"stopped unpacking", done.stderr)
        sources = json.loads(done.stdout)["input"]["sources"]
        self.assertGreater(sources[0]["nccl_lines"], 50)
        self.assertLess(sources[1]["bytes"], 5 << 30)

    def test_locked_member_does_not_end_the_archive(self):
        data = io.BytesIO()
        with zipfile.ZipFile(data, "w", zipfile.ZIP_DEFLATED) as archive:
            archive.writestr("secret.log", os.urandom(1000))
            archive.write(self.broken, "open.log")
        locked = bytearray(data.getvalue())
        locked[6] |= 1  # The flag of encryption, in the member's header.
        done = run("-f", "json", data=bytes(locked))
        self.assertIn(b"cannot unpack <stdin>:secret.log", done.stderr)
        self.assertEqual([s["name"] for s in json.loads(done.stdout)["input"]["sources"]], ["<stdin>:open.log"])

    def test_many_files(self):
        for i in range(3000):
            (self.folder / f"w-{i:04}.log").write_text(f"w:{i:04}:1 [0] NCCL INFO cudaDriverVersion 12040\n")
        found = report(self.folder)["input"]
        self.assertEqual((len(found["sources"]), found["nccl_lines"]), (3000, 3000))


class Coverage(Case):
    """What of the input is known: in the report, and `--unrecognized`."""

    def setUp(self):
        super().setUp()
        line = "h:{}:1 [0] NCCL INFO {}\n".format
        (self.folder / "a.log").write_text(line(1, "Frobbed 3 at 0x7f\x1b[31m\x07") +
                                           line(1, "NCCL version 2.27.3+cuda12.4") +
                                           line(2, "NCCL version 2.4.8+cuda10.0") + line(2, "Frobbed 4 at 0x80\x07"))
        (self.folder / "b.log").write_text(line(1, "Frobbed 17 at 0x9\x07") + line(1, "Aardvark"))
        (self.folder / "c.log").write_text("nothing\n")

    def test_report(self):
        found = report(self.folder)["input"]
        self.assertEqual([s["coverage"] for s in found["sources"]], [0.5, 0, None])
        def version(number, lines, unknown):
            return {"library": number and "NCCL", "version": number, "nccl_lines": lines, "unrecognized": unknown,
                    "coverage": 1 - unknown / lines}
        self.assertEqual(found["versions"], [version("2.4.8", 2, 1), version("2.27.3", 2, 1), version(None, 2, 2)])
        self.assertEqual(sum(v["nccl_lines"] for v in found["versions"]), found["nccl_lines"])

    def test_unrecognized(self):
        done = run("--unrecognized", self.folder)
        self.assertEqual((done.returncode, done.stderr), (0, b""))
        rows = done.stdout.decode().splitlines()
        self.assertEqual(rows[0].split(), ["count", "versions", "wording"])
        self.assertEqual(rows[1].split(maxsplit=2)[:2], ["3", "2.4.8,2.27.3,?"])
        self.assertTrue(rows[1].split(maxsplit=2)[2].startswith("Frobbed # at #"))
        self.assertTrue(rows[2].strip().startswith(f"{self.folder}/a.log:1  Frobbed 3 at 0x7f"))
        self.assertEqual(rows[3].split(), ["1", "?", "Aardvark"])
        self.assertNotIn(b"\x1b", done.stdout)
        self.assertNotIn(b"\x07", done.stdout)

    def test_unrecognized_reads_what_the_report_reads(self):
        data = gzip.compress((self.folder / "b.log").read_bytes())
        self.assertIn(b"<stdin>:2  Aardvark", run("--unrecognized", data=data).stdout)
        target = self.folder / "list"
        run("--unrecognized", "-o", target, self.folder / "b.log")
        self.assertIn("Aardvark", target.read_text())

    def test_nothing_unrecognized(self):
        done = run("--unrecognized", self.healthy)
        self.assertEqual((done.returncode, done.stdout.count(b"\n")), (0, 1))
        self.assertIn(b"every NCCL line is recognised", done.stderr)
        self.assertIn(b"no NCCL line", run("--unrecognized", self.folder / "c.log").stderr)

    def test_refused(self):
        self.assert_one_line(run("--unrecognized", self.folder / "missing"), "missing")
        self.assert_one_line(run("--unrecognized", "--format", "json", self.folder), "--unrecognized", "--format")


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
            text = b""
            try:
                while block := os.read(leader, 4096):
                    text += block
            except OSError:
                pass  # How a terminal ends.
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


class Large(Case):
    @unittest.skipUnless(os.environ.get("NCCL_ANALYZE_FAULTY"), "nothing to preload")
    def test_what_cannot_be_read_on_is_told_once_and_what_came_before_stays(self):
        log = self.folder / "faulty.log"
        log.write_bytes(b"".join(path.read_bytes() for path in sorted(JOBS.parent.rglob("input.log"))) * 3)
        lines = log.read_bytes().count(b"\n")
        for begin, end in ((100, 200), (100_000, 100_001), (1_000_000, 1_004_096), (1_000_000, 1 << 40)):
            faulty = {"LD_PRELOAD": os.environ["NCCL_ANALYZE_FAULTY"], "FAULTY_FROM": str(begin), "FAULTY_TO": str(end)}
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


class Watched:
    """The program while it follows a log: `write` grows it, `wait_for` waits for what standard error shows."""

    def __init__(self, *arguments, terminal=False, width=200, stdin=subprocess.PIPE, **options):
        leader, follower = pty.openpty() if terminal else os.pipe()
        if terminal:
            fcntl.ioctl(follower, termios.TIOCSWINSZ, struct.pack("HHHH", 24, width, 0, 0))
        self.process = subprocess.Popen([BINARY, "--follow", *map(str, arguments)], stdin=stdin, stderr=follower,
                                        stdout=subprocess.PIPE, env={**os.environ, "TERM": "xterm"}, **options)
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


class Follow(Case):
    def setUp(self):
        super().setUp()
        self.lines = self.healthy.read_text().splitlines(keepends=True)
        self.started = "".join(self.lines[:self.place("rank 3 .*Init START")])
        self.half_complete = "".join(self.lines[:self.place("rank 3 .*Init COMPLETE")])

    def place(self, pattern):
        """The number of the line that has it."""
        return next(i + 1 for i, line in enumerate(self.lines) if re.search(pattern, line))

    def watch(self, *arguments, **options):
        watched = Watched(*arguments, **options)
        self.addCleanup(watched.kill)
        return watched

    def test_state_findings_and_report(self):
        watched = self.watch("-f", "json")
        watched.write("".join(line for line in self.started.splitlines(keepends=True) if ":104:" not in line))
        watched.wait_for(r"3 of 4 ranks started, 0 complete, no line of rank 2 \(communicator 0xdfd3b53b69a15a72\)")
        watched.write("".join(line for line in self.started.splitlines(keepends=True) if ":104:" in line))
        watched.wait_for("4 of 4 ranks started, 0 complete")
        watched.write(self.half_complete[len(self.started):])
        watched.wait_for("4 of 4 ranks started, 2 complete")
        watched.write("".join(self.lines)[len(self.half_complete):])
        watched.wait_for("all 4 ranks complete")
        watched.write("train-job-worker-0:101:140 [0] transport/net.cc:1 NCCL WARN Cuda failure 2 'out of memory'\n")
        watched.wait_for(r"\n\d\d:\d\d:\d\d  ERROR NCA602 out-of-memory rank 0 \(train-job-worker-0, GPU 0, pid \d+\): ")
        text, status = watched.end()
        self.assertEqual(status, 1)
        self.assertIn("NCA602", [finding["rule"] for finding in json.loads(text)["findings"]])
        self.assertEqual(watched.shown.count(b"NCA602"), 1)
        self.assertNotIn(b"\x1b", watched.shown)

    def test_report_is_that_of_the_log(self):
        for path in (self.broken, self.healthy):
            for name in ("text", "json", "summary", "events"):
                with self.subTest(path=path, format=name):
                    data = path.read_bytes()
                    done = run("--follow", "-f", name, data=data)
                    plain = run("-f", name, data=data)
                    self.assertEqual((done.stdout, done.returncode), (plain.stdout, plain.returncode))

    def test_what_the_end_decides_is_not_said_before(self):
        watched = self.watch("--stall", "0")
        watched.write(self.started)
        watched.wait_for("4 of 4 ranks started")
        watched.write("\n".join(["train-job-worker-0:101:106 [0] NCCL INFO Comm config Blocking set to 1"] * 9) + "\n")
        watched.write("".join(self.lines)[len(self.started):])
        watched.wait_for("all 4 ranks complete")
        watched.end()
        self.assertNotRegex(watched.shown.decode(), "NCA[12]0")

    def test_stall(self):
        watched = self.watch("--stall", "0.3s")
        watched.write("".join(line for line in self.started.splitlines(keepends=True) if ":104:" not in line))
        watched.wait_for("no NCCL line for 0.3 s: communicator 0xdfd3b53b69a15a72: ranks 0-1,3 in the bootstrap, "
                         "no line of rank 2")
        watched.wait_for("ERROR NCA201 ranks-not-started rank 2.*\n.*INFO NCA101 partial-input.*\n")
        watched.write("loading the data\n" * 5)  # Another program's line: NCCL waits on.
        self.assertFalse(watched.read(1), watched.shown)
        watched.write("train-job-worker-0:101:106 [0] NCCL INFO Comm config Blocking set to 1\n")
        watched.wait_for("(?s)no NCCL line for.*no NCCL line for.*NCA201")
        text, status = watched.end()
        self.assertEqual(status, 1)
        self.assertIn(b"NCA201 ranks-not-started", text)

    def test_stall_before_and_after(self):
        watched = self.watch("--stall", "0.2s")
        watched.wait_for("no NCCL line for 0.2 s: none has come at all; is NCCL_DEBUG=INFO set")
        watched.write("".join(self.lines))
        watched.wait_for("no NCCL line for 0.2 s: every communicator is complete")
        watched.end()

    def test_interrupt_ends_with_the_report(self):
        for number in (signal.SIGINT, signal.SIGTERM):
            watched = self.watch()
            watched.write(self.broken.read_bytes())
            watched.wait_for("ERROR NCA301 net-plugin-failed")
            text, status = watched.end(interrupt=number)
            self.assertEqual(status, 1)
            self.assertIn(b"ERROR  NCA301 net-plugin-failed", text)

    def test_second_interrupt_ends_at_once(self):
        read, write = os.pipe()  # A report that nobody takes: the program waits until the pipe has room.
        fcntl.fcntl(write, fcntl.F_SETPIPE_SZ, 4096)
        with subprocess.Popen([BINARY, "--follow", "-f", "json"], stdin=subprocess.PIPE, stdout=write,
                              stderr=subprocess.PIPE) as process:
            os.close(write)
            process.stdin.write(self.broken.read_bytes())
            process.stdin.flush()
            while b"NCA301" not in process.stderr.readline():
                pass
            process.send_signal(signal.SIGINT)
            select.select([read], [], [], 60)  # The report begins: the first has been taken.
            process.send_signal(signal.SIGINT)
            self.assertEqual(process.wait(timeout=60), -signal.SIGINT)
        os.close(read)

    def test_terminal(self):
        watched = self.watch(terminal=True, width=60)
        watched.wait_for("waiting for the first NCCL line")
        watched.write(self.half_complete)
        watched.wait_for(r"\r\x1b\[K4 of 4 ranks started, 2 complete")
        watched.write("".join(self.lines)[len(self.half_complete):])
        watched.write("train-job-worker-0:101:140 [0] a.cc:1 NCCL WARN Cuda failure 2 'out of \x1b[31mmemory'\n")
        watched.wait_for(r"\r\x1b\[K\d\d:\d\d:\d\d  ERROR NCA602 .*\r\n.*1 error; all 4 ranks complete")
        watched.end()
        shown = watched.shown.decode()
        self.assertTrue(shown.endswith("\r\x1b[K"), shown)
        self.assertNotIn("\x1b[31m", shown)
        moving = [line for line in re.split(r"\r\x1b\[K|\r?\n", shown) if not re.match(r"\d\d:\d\d:\d\d", line)]
        self.assertLess(max(map(len, moving)), 60, moving)

    def test_file_that_grows_is_rotated_and_emptied(self):
        log = self.folder / "w.log"
        log.write_text(self.started)
        watched = self.watch(log, stdin=None)
        watched.wait_for("4 of 4 ranks started, 0 complete")
        log.rename(self.folder / "w.log.1")
        log.write_text(self.half_complete[len(self.started):])
        watched.wait_for("4 of 4 ranks started, 2 complete")
        log.write_text("")
        time.sleep(1.5)  # It is asked four times a second.
        with open(log, "a") as file:
            file.write("".join(self.lines)[len(self.half_complete):])
        watched.wait_for("all 4 ranks complete")
        text, status = watched.end(interrupt=signal.SIGINT)
        self.assertEqual(status, 0)
        self.assertIn(f"{len(self.lines)} lines".encode(), text)

    def test_several_inputs(self):
        log, pipe = self.folder / "a.log", self.folder / "pipe"
        log.write_text("".join(line for line in self.lines if ":104:" not in line))
        os.mkfifo(pipe)
        watched = self.watch("-f", "json", log, pipe, stdin=None)
        watched.wait_for("3 of 4 ranks in this input, all complete")
        pipe.write_text("".join(line for line in self.lines if ":104:" in line))
        watched.wait_for("all 4 ranks complete")
        text, _ = watched.end(interrupt=signal.SIGINT)
        self.assertEqual([s["name"] for s in json.loads(text)["input"]["sources"]], [str(log), str(pipe)])

    def test_events_come_at_once(self):
        watched = self.watch("-f", "events")
        watched.write(self.lines[0])
        self.assertIn(b"bootstrap_interface_chosen", watched.process.stdout.readline())
        watched.end()

    def test_quiet(self):
        watched = self.watch("-q", "--stall", "0.1s")
        watched.write(self.broken.read_bytes())
        self.assertIn(b"NCA301", watched.end()[0])
        self.assertEqual(watched.shown, b"")

    def test_refused(self):
        self.assert_one_line(run("--follow", self.folder), "folder", "--follow")
        self.assert_one_line(run("--follow", self.folder / "missing"), "missing: No such file")
        self.assert_one_line(run("--follow", "-q", data=gzip.compress(b"x\n" * 1000)), "packed", "--follow")
        self.assert_one_line(run("--follow", "--stall", "soon", data=b""), "soon", "90s")
        self.assert_one_line(run("--stall", "5s", data=b""), "--follow")
        self.assert_one_line(run("--follow", "--unrecognized", data=b""), "--follow")
        self.assert_one_line(run("--follow", "merge", data=b""), "--follow")


class Merge(Case):
    def setUp(self):
        super().setUp()
        self.logs = []
        for name in ("b", "a"):
            log = self.folder / name
            log.write_bytes(pathlib.Path(self.broken).read_bytes().replace(b"node-0-0", b"node-0-" + name.encode()))
            self.logs.append(log)
        self.sums = [self.folder / (log.name + ".sum") for log in self.logs]
        for log, target in zip(self.logs, self.sums):
            self.assertEqual(run("-f", "summary", "--fail-on", "never", "-o", target, log).returncode, 0)

    def test_merged_report_is_that_of_the_logs(self):
        for name in ("text", "json", "dot"):
            whole = run("-f", name, *self.logs)
            for order in (self.sums, self.sums[::-1], [*self.sums, self.sums[0]]):
                with self.subTest(format=name, order=order):
                    merged = run("merge", "-f", name, *order)
                    self.assertEqual(merged.stdout, whole.stdout)
                    self.assertEqual(merged.returncode, whole.returncode)

    def test_standard_input_and_summaries_of_summaries(self):
        whole = run("-f", "json", *self.logs).stdout
        both = b"".join(target.read_bytes() for target in self.sums)
        self.assertEqual(run("merge", "-f", "json", data=both).stdout, whole)
        again = run("merge", "-f", "summary", *self.sums).stdout
        self.assertEqual(run("merge", "-f", "json", data=again).stdout, whole)
        self.assertEqual(again, run("-f", "summary", *self.logs).stdout)

    def test_what_is_no_summary_is_named_and_the_rest_is_merged(self):
        done = run("merge", "-f", "json", self.sums[1], self.broken)
        self.assertIn("line 1: this is no summary", done.stderr.decode())
        self.assertEqual(done.stdout, run("-f", "json", self.logs[1]).stdout)
        cut = self.folder / "cut.sum"
        cut.write_bytes(self.sums[0].read_bytes()[:-20])
        self.assert_one_line(run("merge", cut), "cut.sum")

    def test_what_does_not_go_together(self):
        self.assert_one_line(run("-f", "summary", "--host", "x", self.broken), "summary")
        self.assert_one_line(run("merge", "-f", "events", self.sums[0]), "events")


class Output(Case):
    def test_file_equals_standard_output(self):
        for name in ("text", "markdown", "html", "json", "events", "trace", "dot"):
            target = self.folder / name
            run("-f", name, "-o", target, self.broken)
            self.assertEqual(target.read_bytes(), run("-f", name, self.broken).stdout)
        self.assertEqual(len(list(self.folder.iterdir())), 7)

    def written_to_terminal(self, width, *arguments, color="never", env=None):
        """What standard output shows on a terminal of so many columns, and the process."""
        leader, follower = pty.openpty()
        fcntl.ioctl(follower, termios.TIOCSWINSZ, struct.pack("HHHH", 24, width, 0, 0))
        with subprocess.Popen([BINARY, "--color", color, *arguments, self.broken], stdout=follower,
                              stderr=subprocess.PIPE, env={**os.environ, **(env or {})}) as process:
            os.close(follower)
            text = b""
            try:
                while block := os.read(leader, 4096):
                    text += block
            except OSError:
                pass  # How a terminal ends.
            error = process.stderr.read()
        os.close(leader)
        return text.decode().splitlines(), error, process.returncode

    def test_as_wide_as_the_terminal(self):
        def widest(lines):  # of words that can be broken, which code cannot
            return max(len(line) for line in lines if len(line.split()) > 1 and "/" not in line and "`" not in line)
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
            text = b""
            try:
                while block := os.read(leader, 4096):
                    text += block
            except OSError:
                pass  # How a terminal ends.
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

    def test_pictures(self):
        # Graphviz and its plugins leave memory behind when they end; that is not what is tested here.
        env = {"ASAN_OPTIONS": "detect_leaks=0"}
        self.assertIn(b"<svg", run("-f", "svg", self.broken, env=env).stdout)
        dot = run("-f", "dot", self.broken).stdout
        self.assertEqual(subprocess.run(["dot", "-Tsvg"], input=dot, capture_output=True, check=True).stderr, b"")

    def test_svg_says_who_is_who(self):
        env = {"ASAN_OPTIONS": "detect_leaks=0"}
        done = run("-f", "svg", JOBS / "rank-killed/input.log", env=env)
        self.assertEqual(done.stderr, b"")
        root = ElementTree.fromstring(done.stdout)
        name = "{http://www.w3.org/2000/svg}"
        self.assertEqual(root.get("role"), "img")
        self.assertTrue(root.find(name + "title").text.startswith("ERROR  A process died"))
        self.assertIn("prefers-color-scheme: dark", root.find(name + "style").text)
        titles = [title.text for title in root.iter(name + "title")]
        self.assertEqual(sum(title.startswith("rank 5 (train-job-worker-1, GPU 1, pid 102); ") for title in titles), 1)
        self.assertTrue(any(title.startswith("rank 0 \u2194 rank 1: P2P/CUMEM") for title in titles))
        self.assertFalse([title for title in titles if "c0r" in title])
        self.assertFalse(list(root.iter(name + "a")))
        colors = {value for part in root.iter() for key in ("fill", "stroke")
                  if (value := part.get(key)) not in (None, "none", "transparent")}
        for color in colors:  # each has one for a dark page
            self.assertIn(f'[fill="{color}"]', root.find(name + "style").text)

    def test_names_in_a_picture_stay_text(self):
        env = {"ASAN_OPTIONS": "detect_leaks=0"}
        hostile = b"<i>&amp;\"]\\N\\lx</title><script>alert(1)</script>"
        log = (JOBS / "rank-killed/input.log").read_bytes().replace(b"train-job-worker-1", hostile)
        svg = run("-f", "svg", data=log, env=env).stdout
        root = ElementTree.fromstring(svg)
        self.assertNotIn(b"<script", svg)
        self.assertFalse([part.tag for part in root.iter() if part.tag.rpartition("}")[2] not in
                          ("svg", "g", "title", "style", "text", "polygon", "path", "polyline")])

    def test_views_of_pictures(self):
        split = JOBS / "split-2x4/input.log"
        everything, rings, trees = (run("-f", "dot", *view, split).stdout for view in ((), ("--rings",), ("--trees",)))
        self.assertIn(b"rings with their channels", rings)
        self.assertIn(b"from the root on the left", trees)
        self.assertEqual(len({everything, rings, trees}), 3)
        one_host = run("-f", "dot", "--host", "worker-1$", split).stdout
        self.assertIn(b"train-job-worker-1", one_host)
        self.assertLess(one_host.count(b"busId"), everything.count(b"busId"))
        self.assert_one_line(run("--rings", split), "--format")
        self.assert_one_line(run("-f", "json", "--trees", split), "--format")
        self.assert_one_line(run("-f", "dot", "--rings", "--trees", split), "--trees")
        self.assert_one_line(run("-f", "dot", "--host", "elsewhere", split), "train-job-worker-0")

    def test_same_input_same_bytes(self):
        for name in ("text", "markdown", "html", "json", "events", "trace", "dot"):
            self.assertEqual(run("-f", name, self.broken).stdout, run("-f", name, self.broken).stdout)


class Filters(Case):
    def test_select_and_ignore(self):
        names = lambda *arguments: {f["name"] for f in report(*arguments, self.broken)["findings"]}
        everything = names()
        self.assertIn("net-plugin-failed", everything)
        self.assertEqual(names("--select", "NCA301"), {"net-plugin-failed"})
        self.assertEqual(names("--ignore", "net-plugin-failed"), everything - {"net-plugin-failed"})
        self.assertNotIn("net-plugin-failed", names("--select", "NCA1,NCA2"))
        self.assertEqual(names("--select", "nca3", "--ignore", "NCA3"), set())
        self.assertEqual(run("--ignore", "NCA3", "--fail-on", "error", self.broken).returncode, 0)

    def test_host(self):
        split = JOBS / "split-2x4/input.log"
        hosts = lambda *arguments: {p["host"] for p in report(*arguments, split)["processes"]}
        self.assertEqual(hosts(), {"train-job-worker-0", "train-job-worker-1"})
        self.assertEqual(hosts("--host", "worker-1$"), {"train-job-worker-1"})
        self.assert_one_line(run("--host", "elsewhere", split), "train-job-worker-0")
        events = run("-f", "events", "--fail-on", "never", "--host", "worker-1$", split).stdout.splitlines()
        self.assertEqual({json.loads(line)["host"] for line in events}, {"train-job-worker-1"})

    def test_comm(self):
        split = JOBS / "split-2x4/input.log"
        everything = report(split)["communicators"]
        chosen = next(c for c in everything if c["parent"] is not None)
        narrowed = report("--comm", chosen["ranks"][0]["comm"], split)
        [comm] = narrowed["communicators"]
        self.assertEqual(comm["rings"], chosen["rings"])
        self.assertEqual(comm["connections"], chosen["connections"])
        self.assertEqual(len(narrowed["processes"]), len(chosen["ranks"]))
        self.assert_one_line(run("--comm", "0x1", split), "--comm")


class Expect(Case):
    def checks(self, *arguments):
        return {c["check"]: c["status"] for c in report(*arguments)["checks"] if c["check"].startswith("expect ")}

    def test_checks_and_status(self):
        self.assertEqual(self.checks("--expect-ranks", "4", "--expect", "network=IB,gdr", self.healthy),
                         {"expect ranks=4": "pass", "expect network=IB": "fail", "expect gdr": "unknown"})
        self.assertEqual(run("--expect-ranks", "4", self.healthy).returncode, 0)
        self.assertEqual(run("--expect-ranks", "8", self.healthy).returncode, 1)
        self.assertEqual(run("--expect-ranks", "8", "--fail-on", "never", self.healthy).returncode, 0)
        self.assertEqual(run("--expect-ranks", "8", "--ignore", "NCA801", self.healthy).returncode, 0)

    def test_unknown_is_not_pass(self):
        self.assertEqual(run("--expect", "gdr", self.healthy).returncode, 0)
        self.assertEqual(run("--expect", "gdr", "--fail-on", "warning", self.healthy).returncode, 1)
        self.assertIn(b"NCA802", run("--expect", "gdr", self.healthy).stdout)

    def test_nothing_to_judge(self):
        self.assertEqual(run("--expect-ranks", "8", data=b"hello\n").returncode, 2)
        self.assertEqual(run("--expect-ranks", "8", "--fail-on", "never", data=b"hello\n").returncode, 0)

    def test_profile(self):
        names = run("profiles").stdout.decode()
        self.assertIn("p5.48xlarge", names)
        mine = self.folder / "mine.json"
        mine.write_bytes(run("profiles", "p5.48xlarge").stdout)
        self.assertEqual(self.checks("--profile", mine, self.healthy),
                         self.checks("--profile", "p5.48xlarge", self.healthy))
        self.assertEqual(self.checks("--profile", mine, "--expect", "gpus=4", self.healthy)["expect gpus=4"], "pass")
        self.assertNotIn("expect gpus=8", self.checks("--profile", mine, "--expect", "gpus=4", self.healthy))
        self.assertEqual(run("--profile", "p5.48xlarge", self.healthy).returncode, 1)

    def test_merged_summaries_are_judged_alike(self):
        summary = self.folder / "1.sum"
        summary.write_bytes(run("-f", "summary", "--fail-on", "never", self.healthy).stdout)
        arguments = ("--profile", "dgx-a100", "--expect-ranks", "4")
        self.assertEqual(report("merge", *arguments, summary)["checks"], report(*arguments, self.healthy)["checks"])

    def test_site_rules(self):
        rules = self.folder / "rules.json"
        rules.write_text(json.dumps({"rules": [
            {"id": "ACME1", "name": "no-efa", "severity": "error", "title": "No EFA",
             "message": "No eligible providers"},
            {"id": "ACME2", "name": "old-nccl", "severity": "warning", "title": "Old NCCL",
             "when": {"version<": "2.28"}}]}))
        found = report("--rules", rules, self.broken)["findings"]
        ours = {f["rule"]: f for f in found if f["rule"].startswith("ACME")}
        self.assertEqual(sorted(ours), ["ACME1", "ACME2"])
        self.assertIn("No eligible providers", ours["ACME1"]["evidence"][0]["text"])
        self.assertEqual(ours["ACME1"]["hosts"], ["llama-3-8b-node-0-0"])
        selected = report("--rules", rules, "--select", "ACME", "--ignore", "old-nccl", self.broken)["findings"]
        self.assertEqual([f["rule"] for f in selected], ["ACME1"])
        self.assertEqual(run("--rules", rules, "--fail-on", "warning", self.healthy).returncode, 1)

        summary = self.folder / "1.sum"
        summary.write_bytes(run("-f", "summary", "--fail-on", "never", self.broken).stdout)
        merged = report("merge", "--rules", rules, summary)
        self.assertEqual([f["rule"] for f in merged["findings"] if f["rule"].startswith("ACME")], ["ACME2"])
        self.assertIn("ACME1", [n["rule"] for n in merged["not_evaluated"]])

    def test_mistakes(self):
        bad = self.folder / "bad.json"
        bad.write_text('{"rules": [\n{"id": "acme"}]}')
        self.assert_one_line(run("--rules", bad, self.healthy), "bad.json:2", "acme")
        self.assert_one_line(run("--profile", bad, self.healthy), "bad.json:1", "expect")
        self.assert_one_line(run("--rules", self.folder / "missing.json", self.healthy), "missing.json", "No such file")
        self.assert_one_line(run("--profile", self.folder, self.healthy), str(self.folder), "directory")
        self.assert_one_line(run("--profile", "p9.48xlarge", self.healthy), "p9.48xlarge", "profiles")
        self.assert_one_line(run("profiles", "p9.48xlarge"), "p9.48xlarge")
        self.assert_one_line(run("--expect", "nic=4", self.healthy), "nic", "nics")
        self.assert_one_line(run("--expect-ranks", "0", self.healthy), "--expect-ranks")
        self.assert_one_line(run("--expect-ranks", "many", self.healthy), "--expect-ranks")
        self.assert_one_line(run("--unrecognized", "--expect", "gdr", self.healthy), "--expect")


class Words(Case):
    def test_help_and_version(self):
        self.assertRegex(run("--version").stdout.decode(), r"^nccl-analyze \d+\.\d+\.\d+\n$")
        done = run("--help")
        self.assertEqual((done.returncode, done.stderr), (0, b""))
        for option in ("--format", "--fail-on", "--select", "--host", "--rings", "--trees", "--color", "--unrecognized", "--follow",
                       "--stall", "rules", "explain"):
            self.assertIn(option, done.stdout.decode())

    def test_rules(self):
        rules = json.loads(run("rules", "--format", "json").stdout)
        rules = rules["rules"] if isinstance(rules, dict) else rules
        self.assertIn("net-plugin-failed", {rule["name"] for rule in rules})
        for name in ("table", "markdown"):
            self.assertIn("net-plugin-failed", run("rules", "--format", name).stdout.decode())

    def test_explain(self):
        by_id, by_name = run("explain", "nca301"), run("explain", "net-plugin-failed")
        self.assertEqual(by_id.stdout, by_name.stdout)
        self.assertIn("NCA301", by_id.stdout.decode())
        self.assertEqual(by_id.returncode, 0)

    def test_a_name_cannot_drive_the_terminal(self):
        done = run(self.folder / "\x1b[31mred.log")
        self.assertNotIn(b"\x1b", done.stderr)


if __name__ == "__main__":
    BINARY, JOBS = sys.argv[1], pathlib.Path(sys.argv[2]) / "jobs"
    unittest.main(argv=[sys.argv[0], *sys.argv[3:]])
