"""Unlucky and hostile use of the program, with exact expectations: robustness_test.py BINARY TESTDATA [CLASS ...]

Closed descriptors, signals, full disks, cut archives, folders that hold our own files, logs that are rotated while they
are followed. NCCL_ANALYZE_FAULTY names a library to preload (faulty.cc) that takes O_TMPFILE away.
"""
import bz2
import fcntl
import gzip
import io
import json
import lzma
import os
import pathlib
import pty
import random
import resource
import shutil
import signal
import subprocess
import sys
import tarfile
import tempfile
import termios
import time
import unittest
import zipfile

BINARY = ""
TESTDATA = pathlib.Path()
FAULTY = os.environ.get("NCCL_ANALYZE_FAULTY")
REPORT = "NCA301 net-plugin-failed"


def run(*arguments, data=b"", env=None, **options):
    return subprocess.run([BINARY, *map(str, arguments)], input=data, capture_output=True, timeout=120,
                          env={**os.environ, **(env or {})}, **options)


def wait_until(what, seconds=30):
    """True when `what()` is true in time."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if what():
            return True
        time.sleep(0.01)
    return False


class Case(unittest.TestCase):
    maxDiff = None

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.broken = TESTDATA / "jobs/efa-fallback/input.log"
        self.healthy = TESTDATA / "jobs/healthy-1x4-nvlink/input.log"

    def names(self):
        return sorted(path.name for path in self.folder.iterdir())

    def big_log(self, copies=3000):
        log = self.folder / "big.log"
        log.write_bytes(self.broken.read_bytes() * copies)
        return log


class Descriptors(Case):
    """Standard descriptors that are closed or not writable."""

    def run_closed(self, closed, *arguments):
        return run(*arguments, preexec_fn=lambda: [os.close(number) for number in closed])

    def test_diagnostics_never_reach_the_report(self):
        whole = run("-f", "json", self.broken).stdout
        for closed in ((2,), (0, 2), (1, 2), (0, 1, 2)):
            for arguments in (("nosuch",), ("-v",)):
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


class Files(Case):
    """Where -o writes."""

    def test_names(self):
        done = run("-o", "", self.broken, cwd=self.folder)
        self.assertEqual(done.returncode, 2)
        self.assertIn(b"--output needs the name of a file", done.stderr)
        done = run("-o", "-", self.broken, cwd=self.folder)
        self.assertEqual(done.stdout, run(self.broken).stdout)
        self.assertEqual(self.names(), [])
        long_name = "r" * 250
        self.assertEqual(run("-o", long_name, self.broken, cwd=self.folder).returncode, 1)
        self.assertEqual(self.names(), [long_name])

    def test_links(self):
        (self.folder / "sub").mkdir()
        (self.folder / "link").symlink_to("sub/second")
        (self.folder / "sub/second").symlink_to("target")
        for _ in range(2):  # the target is made, then replaced
            self.assertEqual(run("-o", self.folder / "link", self.broken).returncode, 1)
            self.assertTrue((self.folder / "link").is_symlink())
            self.assertIn(REPORT, (self.folder / "sub/target").read_text())
        self.assertEqual(sorted(os.listdir(self.folder / "sub")), ["second", "target"])
        (self.folder / "loop").symlink_to("loop")
        done = run("-o", self.folder / "loop", self.broken)
        self.assertEqual((done.returncode, done.stderr.count(b"\n")), (2, 1))
        self.assertIn(b"Too many levels of symbolic links", done.stderr)
        self.assertTrue((self.folder / "loop").is_symlink())

    def test_permissions_and_owner(self):
        target = self.folder / "report"
        run("-o", target, self.broken, umask=0o027)
        self.assertEqual(target.stat().st_mode & 0o7777, 0o640)
        target.chmod(0o604)
        if os.getuid() == 0:
            os.chown(target, 1234, 2345)
        before = target.stat()
        run("-o", target, self.broken)
        after = target.stat()
        self.assertEqual((after.st_mode, after.st_uid, after.st_gid), (before.st_mode, before.st_uid, before.st_gid))
        self.assertNotEqual(after.st_ino, before.st_ino)

    def test_limits_leave_the_old_file(self):
        target = self.folder / "report.json"
        target.write_text("before")
        done = run("-f", "json", "-o", target, self.broken,
                   preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096)))
        self.assertEqual((done.returncode, target.read_text()), (2, "before"))
        self.assertEqual(done.stderr.decode(), f"nccl-analyze: error: cannot write {target}: File too large\n")
        self.assertEqual(self.names(), ["report.json"])

    def test_folder_that_cannot_be_written(self):
        done = run("-o", self.folder / "no/report", self.broken)
        self.assertEqual((done.returncode, done.stderr.count(b"\n")), (2, 1))
        self.assertIn(b"No such file or directory; name a file in a folder that exists and is writable", done.stderr)


class Signals(Case):
    """What a signal leaves behind: nothing of the file, and with Ctrl-C the report on what was read."""

    def start(self, *arguments, env=None, **options):
        process = subprocess.Popen([BINARY, *map(str, arguments)], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE, env={**os.environ, **(env or {})}, **options)
        self.addCleanup(lambda: (process.kill(), process.wait(), [one.close() for one in (process.stdin, process.stdout,
                                                                                         process.stderr) if one]))
        return process

    def wait_for_output(self, process):
        """Until the file that -o makes is open, which is after the inputs were listed."""
        def has_file():
            try:
                return any(str(self.folder) in os.readlink(f"/proc/{process.pid}/fd/{one}")
                           for one in os.listdir(f"/proc/{process.pid}/fd"))
            except OSError:
                return False
        self.assertTrue(wait_until(has_file))

    def test_no_signal_leaves_a_file(self):
        environments = [{}] + ([{"LD_PRELOAD": FAULTY, "FAULTY_TMPFILE": "1"}] if FAULTY else [])
        for environment in environments:
            for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT):
                process = self.start("-o", self.folder / "report", env=environment)
                self.wait_for_output(process)
                self.assertEqual(len(self.names()), 1 if environment else 0)
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
        self.assertIn(REPORT, (self.folder / "report").read_text())

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


class Disk(Case):
    def test_full_disk_ends_following_at_once(self):
        log = self.folder / "a.log"
        log.write_bytes(self.broken.read_bytes())
        with open("/dev/full", "wb") as full:
            done = subprocess.run([BINARY, "--follow", "-q", "-f", "events", str(log)], stdout=full, stderr=subprocess.PIPE,
                                  timeout=20)
        self.assertEqual(done.returncode, 2)
        self.assertEqual(done.stderr, b"nccl-analyze: error: cannot write standard output: No space left on device\n")


def tar_of(members):
    archive = io.BytesIO()
    with tarfile.open(fileobj=archive, mode="w") as tar:
        for name, data in members.items():
            info = tarfile.TarInfo(name)
            info.size = len(data)
            tar.addfile(info, io.BytesIO(data))
    return archive.getvalue()


def zip_of(members):
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as packed:
        for name, data in members.items():
            packed.writestr(name, data)
    return archive.getvalue()


class Archives(Case):
    """A cut archive gives all that its own tool gives."""

    TOOLS = {"gzip": gzip.compress, "bzip2": bz2.compress, "xz": lzma.compress, "zstd": None, "lz4": None}

    def packed(self):
        """By tool, the log packed; those of this machine."""
        data = self.broken.read_bytes() * 40
        for name, compress in self.TOOLS.items():
            if compress:
                yield name, compress(data), data
            elif shutil.which(name):
                yield name, subprocess.run([name, "-c"], input=data, capture_output=True, check=True).stdout, data

    def bytes_read(self, packed):
        done = run("-f", "json", "--fail-on", "never", data=packed)
        if not done.stdout:
            return 0, done.stderr
        return sum(source["bytes"] for source in json.loads(done.stdout)["input"]["sources"]), done.stderr

    def test_cut(self):
        for name, packed, data in self.packed():
            self.assertEqual(self.bytes_read(packed), (len(data), b""), name)
            for cut in (1, 4, 9, len(packed) // 3, len(packed) // 2):
                tool = subprocess.run([name, "-dc"], input=packed[:-cut], capture_output=True).stdout
                read, errors = self.bytes_read(packed[:-cut])
                self.assertGreaterEqual(read, len(tool), (name, cut))
                self.assertEqual(errors.count(b"it is cut off; what came before is read"), 1, (name, cut, errors))

    def test_what_follows_is_left_out(self):
        for name, packed, data in self.packed():
            self.assertEqual(self.bytes_read(packed + packed), (2 * len(data), b""), name)
            self.assertEqual(self.bytes_read(packed + b"\0" * 512), (len(data), b""), name)
            read, errors = self.bytes_read(packed + b"and more bytes")
            self.assertEqual(read, len(data), name)
            self.assertEqual(errors, b"nccl-analyze: error: what follows the compressed part of <stdin> is left out\n", name)

    def test_damaged(self):
        for name, packed, data in self.packed():
            middle = len(packed) // 2
            read, errors = self.bytes_read(packed[:middle] + bytes([packed[middle] ^ 0x55]) + packed[middle + 1:])
            self.assertLess(read, 3 * len(data), name)  # bzip2 notices damage at the end of a block
            self.assertLessEqual(errors.count(b"\n"), 2)

    def test_members(self):
        data = self.broken.read_bytes() * 40
        for name, make in (("tar", tar_of), ("zip", zip_of)):
            archive = make({"a.log": data, "b.log": data})
            self.assertEqual(self.bytes_read(archive)[0], 2 * len(data), name)
            read, errors = self.bytes_read(archive[:len(archive) * 3 // 4])
            self.assertGreater(read, len(data), name)
            self.assertEqual(errors.count(b"\n"), 1, errors)
        packed = gzip.compress(tar_of({"a.log": data, "b.log": data}))
        read, errors = self.bytes_read(packed[:-10])
        self.assertGreaterEqual(read, 2 * len(data) - 65536)
        self.assertEqual(errors.count(b"\n"), 1, errors)

    def test_damage_of_every_kind(self):
        chance = random.Random(3)
        data = self.broken.read_bytes()
        for name, packed in (("tar", tar_of({"a.log": data})), ("zip", zip_of({"a.log": data})),
                             *((name, packed) for name, packed, _ in self.packed())):
            for _ in range(12):
                broken = bytearray(packed)
                for _ in range(chance.randint(1, 20)):
                    broken[chance.randrange(len(broken))] = chance.randrange(256)
                done = run("-f", "json", data=bytes(broken[:chance.randint(1, len(broken))]))
                self.assertIn(done.returncode, (0, 1, 2), name)
                self.assertLess(done.stderr.count(b"\n"), 4)
                if done.stdout:
                    json.loads(done.stdout)


class Folders(Case):
    """What this program has written is never taken for a log."""

    def test_own_files_are_passed_over(self):
        log = self.folder / "a.log"
        log.write_bytes(self.broken.read_bytes())
        alone = run("-f", "json", log)
        for name, form in (("report.json", "json"), ("node.summary", "summary"), ("events.jsonl", "events"),
                           ("page.html", "html"), ("ticket.md", "markdown"), ("told.txt", "text"), ("when.json", "trace")):
            (self.folder / name).write_bytes(run("-f", form, log).stdout)
        (self.folder / "told.log").write_bytes(run("--color", "always", log).stdout)
        (self.folder / "node.summary.gz").write_bytes(gzip.compress((self.folder / "node.summary").read_bytes()))
        (self.folder / "pretty.json").write_text(json.dumps(json.loads(alone.stdout), indent=4))
        (self.folder / ".nccl-analyze-123-0").write_bytes(self.broken.read_bytes()[:1000])
        done = run("-f", "json", self.folder)
        self.assertEqual((done.returncode, done.stdout), (1, alone.stdout))
        self.assertEqual(done.stderr.decode().replace(str(self.folder), "F").splitlines(), [
            "nccl-analyze: warning: F/.nccl-analyze-123-0 is left out: it is a report that was never finished",
            "nccl-analyze: warning: F/events.jsonl is left out: it is a list of events (--format events)",
            "nccl-analyze: warning: F/node.summary is left out: it is a summary of logs: `nccl-analyze merge` reads it",
            "nccl-analyze: warning: F/node.summary.gz is left out: it is a summary of logs: `nccl-analyze merge` reads it",
            "nccl-analyze: warning: F/page.html is left out: it is a report of nccl-analyze",
            "nccl-analyze: warning: F/pretty.json is left out: it is a report of nccl-analyze",
            "nccl-analyze: warning: F/report.json is left out: it is a report of nccl-analyze",
            "nccl-analyze: warning: F/ticket.md is left out: it is a report of nccl-analyze",
            "nccl-analyze: warning: F/told.log is left out: it is a report of nccl-analyze",
            "nccl-analyze: warning: F/told.txt is left out: it is a report of nccl-analyze",
            "nccl-analyze: warning: F/when.json is left out: it is a trace of events (--format trace)"])

    def test_a_summary_alone_is_no_log(self):
        summary = run("-f", "summary", self.broken).stdout
        done = run(data=summary)
        self.assertEqual((done.returncode, done.stdout), (2, b""))
        self.assertIn(b"<stdin> is left out: it is a summary of logs: `nccl-analyze merge` reads it", done.stderr)


class Follow(Case):
    """Rotation and copytruncate that are quicker than the 250 ms between two looks."""

    def follow(self, log):
        events = tempfile.TemporaryFile()
        self.addCleanup(events.close)
        process = subprocess.Popen([BINARY, "--follow", "-q", "-f", "events", str(log)], stdout=events,
                                   stderr=subprocess.PIPE)
        self.addCleanup(lambda: (process.kill(), process.wait(), process.stderr.close()))

        def hosts():
            events.seek(0)
            return [json.loads(line)["host"] for line in events.read().splitlines() if line.endswith(b"}")]
        return process, hosts

    def line(self, host, count=1):
        return "".join(f"{host}:{100 + i}:{100 + i} [0] NCCL INFO Using network Socket\n" for i in range(count)).encode()

    def test_copytruncate_that_grows_past_the_old_length(self):
        log = self.folder / "a.log"
        log.write_bytes(self.line("before", 3))
        process, hosts = self.follow(log)
        self.assertTrue(wait_until(lambda: len(hosts()) == 3))
        time.sleep(0.1)  # its end was seen
        with open(log, "r+b") as file:
            file.truncate(0)
            file.write(self.line("behind", 10))
        self.assertTrue(wait_until(lambda: hosts().count("behind") == 10), hosts())
        with open(log, "ab") as file:
            file.write(self.line("behind", 1))
        self.assertTrue(wait_until(lambda: hosts().count("behind") == 11))
        process.send_signal(signal.SIGINT)
        process.wait(timeout=30)
        self.assertEqual(hosts(), ["before"] * 3 + ["behind"] * 11)

    def test_copytruncate_with_the_same_head(self):
        log = self.folder / "a.log"
        banner = self.line("banner", 20)
        log.write_bytes(banner + self.line("before", 3))
        process, hosts = self.follow(log)
        self.assertTrue(wait_until(lambda: len(hosts()) == 23))
        time.sleep(0.1)
        with open(log, "r+b") as file:
            file.truncate(0)
            file.write(banner + self.line("behind", 10))
        self.assertTrue(wait_until(lambda: hosts().count("behind") == 10), hosts())
        self.assertEqual(hosts().count("banner"), 40)

    def test_quick_rotation(self):
        log = self.folder / "a.log"
        log.write_bytes(self.line("first", 3))
        process, hosts = self.follow(log)
        self.assertTrue(wait_until(lambda: len(hosts()) == 3))
        with open(log, "ab") as file:
            file.write(self.line("last", 2))
        log.rename(self.folder / "a.log.1")
        log.write_bytes(self.line("new", 30))
        self.assertTrue(wait_until(lambda: hosts().count("new") == 30), hosts())
        self.assertEqual(hosts(), ["first"] * 3 + ["last"] * 2 + ["new"] * 30)

    def test_every_line_of_a_growing_file_counts_once(self):
        log = self.folder / "a.log"
        log.write_bytes(b"")
        process, hosts = self.follow(log)
        chance = random.Random(4)
        with open(log, "ab", buffering=0) as file:
            for number in range(60):
                line = self.line(f"h{number}")
                cut = chance.randint(0, len(line))
                file.write(line[:cut])
                time.sleep(chance.random() * 0.02)
                file.write(line[cut:])
        self.assertTrue(wait_until(lambda: len(hosts()) == 60))
        self.assertEqual(hosts(), [f"h{number}" for number in range(60)])


class Invariance(Case):
    """The report on a case does not depend on what it has nothing to do with."""

    def test_surroundings_change_no_byte(self):
        folders = sorted({log.parent for log in TESTDATA.rglob("input.log")})
        self.assertGreater(len(folders), 200)
        surroundings = [{"LC_ALL": "de_DE.UTF-8", "TZ": "Asia/Kathmandu"}, {"LC_ALL": "tr_TR.UTF-8", "COLUMNS": "20"},
                        {"LC_ALL": "C", "TZ": "", "TERM": "dumb"}]
        for number, folder in enumerate(folders):
            logs = sorted(folder.glob("*.log"))
            plain = run("-f", "json", *logs)
            other = run("-f", "json", "--threads", str(1 + number % 8), *reversed(logs),
                        env=surroundings[number % len(surroundings)])
            self.assertEqual((other.returncode, other.stdout), (plain.returncode, plain.stdout), folder)

    def test_cuts_of_a_pipe_change_no_byte(self):
        chance = random.Random(5)
        for log in sorted(TESTDATA.rglob("input.log"))[::7]:
            data = log.read_bytes()[:20_000]
            plain = run("-f", "json", data=data)
            process = subprocess.Popen([BINARY, "-f", "json"], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                       stderr=subprocess.DEVNULL)
            while data:
                size = chance.choice((1, 7, 100, 513, 4096))
                process.stdin.write(data[:size])
                process.stdin.flush()
                data = data[size:]
            out, _ = process.communicate(timeout=60)
            self.assertEqual((process.returncode, out), (plain.returncode, plain.stdout), log)


def main():
    global BINARY, TESTDATA
    BINARY, TESTDATA, *chosen = sys.argv[1:]
    BINARY, TESTDATA = str(pathlib.Path(BINARY).resolve()), pathlib.Path(TESTDATA).resolve()
    classes = [Descriptors, Files, Signals, Disk, Archives, Folders, Follow, Invariance]
    suite = unittest.TestSuite(unittest.defaultTestLoader.loadTestsFromTestCase(one) for one in classes
                               if not chosen or one.__name__ in chosen)
    sys.exit(not unittest.TextTestRunner().run(suite).wasSuccessful())


if __name__ == "__main__":
    main()
