"""`--follow`: the state of the job, its findings and stalls while the log grows."""
import fcntl
import gzip
import json
import os
import re
import select
import signal
import subprocess
import time

from program import BINARY, Case, Watched, run


class Follow(Case):
    def setUp(self):
        super().setUp()
        log = self.healthy.read_text().splitlines(keepends=True)
        self.lines = [line for line in log if "Destroy" not in line]  # behind it a warning is late and harmless
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
        watched.wait_for("ERROR NCA201 ranks-not-started rank 2.*\n")
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
        read, write = os.pipe()  # Nobody reads the report: the program waits until the pipe has room.
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
        watched.wait_for(r"\r\x1b\[K\d\d:\d\d:\d\d  \x1b\[1;31mERROR\x1b\[0m NCA602 .*\r\n.*1 error; all 4 ranks")
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

    def test_a_file_that_does_not_exist_yet(self):
        log = self.folder / "later/w.log"
        watched = self.watch(log, stdin=None)
        watched.wait_for(f"waiting for {log}, which does not exist yet\n")
        log.parent.mkdir()
        log.write_text("".join(self.lines))
        watched.wait_for("all 4 ranks complete")
        log.unlink()
        log.write_bytes(self.broken.read_bytes())
        watched.wait_for("NCA301")
        text, status = watched.end(interrupt=signal.SIGINT)
        self.assertEqual(status, 1)
        self.assertEqual(watched.shown.count(b"waiting for /"), 1)

    def test_nothing_came(self):
        for path in (self.folder, self.folder / "none.log", self.folder / "*.log"):
            watched = self.watch(path, stdin=None)
            watched.wait_for("waiting for .*(folders named|which does not exist yet)")
            text, status = watched.end(interrupt=signal.SIGINT)
            self.assertEqual((text, status), (b"", 2))
            self.assertIn(b"error: there is no file to read", watched.shown)

    def test_folder(self):
        """Files of a folder grow, others appear, in new folders too."""
        def ranks(*pids):
            return "".join(line for line in self.lines if any(f":{pid}:" in line for pid in pids))
        (self.folder / "rank-0").write_text(ranks(101))
        (self.folder / "report.json").write_bytes(run("-f", "json", self.broken).stdout)
        (self.folder / "old.gz").write_bytes(gzip.compress(self.broken.read_bytes()))
        watched = self.watch("-f", "json", self.folder, stdin=None)
        watched.wait_for("old.gz is left out: it is packed")
        watched.wait_for("report.json is left out: it is a report")
        watched.wait_for("1 of 4 ranks in this input, all complete")
        (self.folder / "rank-1").write_text(ranks(103))
        watched.wait_for("2 of 4 ranks in this input, all complete")
        (self.folder / "new/below").mkdir(parents=True)
        (self.folder / "new/below/rank-2").write_text(ranks(104))
        watched.wait_for("3 of 4 ranks in this input, all complete")
        with open(self.folder / "rank-1", "a") as file:
            file.write("".join(line for line in self.lines if line not in ranks(101, 103, 104)))
        watched.wait_for("all 4 ranks complete")
        text, _ = watched.end(interrupt=signal.SIGINT)
        self.assertEqual([s["name"] for s in json.loads(text)["input"]["sources"]],
                         [str(self.folder / name) for name in ("rank-0", "rank-1", "new/below/rank-2")])

    def test_wildcard(self):
        watched = self.watch(self.folder / "rank-*.log", "--until", "ready", stdin=None)
        watched.wait_for(re.escape(f"waiting for {self.folder}/rank-*.log, which does not exist yet"))
        (self.folder / "other.log").write_bytes(self.broken.read_bytes())
        (self.folder / "rank-3.log").write_text("".join(self.lines))
        text, status = watched.end()
        self.assertEqual(status, 0)
        self.assertNotIn(b"NCA301", text)

    def test_a_kept_copy_in_a_followed_folder_is_no_source(self):
        watched = self.watch("-f", "json", "--save", self.folder / "kept", "-", self.folder)
        watched.write("".join(self.lines))
        watched.wait_for("all 4 ranks complete")
        time.sleep(0.6)
        text, _ = watched.end(interrupt=signal.SIGINT)
        self.assertEqual([s["name"] for s in json.loads(text)["input"]["sources"]], [str(self.folder / "kept")])

    def test_refused(self):
        self.assert_one_line(run("--follow", "/dev/zero"), "/dev/zero", "device")
        log = self.folder / "log.gz"
        log.write_bytes(gzip.compress(b"x\n" * 1000))
        self.assert_one_line(run("--follow", "-q", log), "packed", "--follow")
        self.assert_one_line(run("--follow", "-q", data=gzip.compress(b"x\n" * 1000)), "packed", "--follow")
        self.assert_one_line(run("--follow", "--stall", "soon", data=b""), "soon", "90s")
        self.assert_one_line(run("--stall", "5s", data=b""), "--follow")
        self.assert_one_line(run("--follow", "--unrecognized", data=b""), "--follow")
        self.assert_one_line(run("--follow", "merge", data=b""), "--follow")
