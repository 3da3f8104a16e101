"""examples/node/nccl-node.sh: a summary for each job of a node, whatever happens to its logs and to the script."""
import gzip
import json
import lzma
import os
import pathlib
import random
import re
import shutil
import subprocess
import time
import unittest

from program import BINARY, JOBS, Case, run

NODE = pathlib.Path(__file__).resolve().parents[2] / "examples/node"
SCRIPT = NODE / "nccl-node.sh"
# Logs as NCCL_DEBUG_FILE has them: lines of NCCL alone.
CASES = ("rank-killed", "split-2x4", "efa-fallback", "ib-gdr", "p2p-disabled")
# What the script runs. `kill` stands before each of them on the PATH and may end the script there.
COMMANDS = ("nccl-analyze", "mv", "rm", "fallocate", "tail", "mkdir", "truncate", "cat", "stat", "rmdir")


def log_of(case):
    return (JOBS / case / "input.log").read_bytes()


class Writer:
    """A process that keeps its place in its log, as NCCL does: another one that empties the log leaves a hole before
    what comes next."""

    def __init__(self, path):
        path.parent.mkdir(parents=True, exist_ok=True)
        self.path, self.file = path, open(path, "wb", buffering=0)

    def write(self, text):
        self.file.write(text)

    def on_disk(self):
        return os.stat(self.path).st_blocks * 512


class Node(Case):
    def setUp(self):
        super().setUp()
        self.logs, self.state, self.shared = (self.folder / name for name in ("logs", "state", "shared"))
        self.logs.mkdir(), self.shared.mkdir()
        self.bin = self.folder / "bin"
        self.bin.mkdir()
        (self.bin / "nccl-analyze").symlink_to(BINARY)

    def environment(self, **settings):
        return {**os.environ, "PATH": f"{self.bin}:{os.environ['PATH']}", "NCCL_LOGS": str(self.logs),
                "NCCL_STATE": str(self.state), "NCCL_SUMMARIES": str(self.shared), "NCCL_NODE": "n1",
                **{f"NCCL_{name.upper()}": str(value) for name, value in settings.items()}}

    def look(self, status=0, **settings):
        """A look at the logs; returns what it says."""
        done = subprocess.run([SCRIPT], env=self.environment(**settings), capture_output=True, timeout=120)
        self.assertEqual((done.returncode, done.stdout), (status, b""), done.stderr)
        return done.stderr.decode()

    def be_silent(self, job, hours):
        for path in (self.logs / job / "a.log", self.logs / job):
            os.utime(path, (time.time() - hours * 3600,) * 2)

    def writer(self, name):
        writer = Writer(self.logs / name)
        self.addCleanup(writer.file.close)
        return writer

    def report(self, job, **options):
        """The report on what was handed on, as text and JSON, and what is said of it."""
        done = [run("merge", "--fail-on", "never", "-f", name, self.shared / job) for name in ("text", "json")]
        return done[0].stdout.decode(), self.comparable(done[1].stdout), done[0].stderr.decode()

    @staticmethod
    def comparable(text):
        """A report as JSON, without the number of bytes, which holes change."""
        report = json.loads(text)
        for source in report["input"]["sources"]:
            source.pop("bytes", None)
        report["input"].pop("bytes", None)
        return report

    def whole(self, files):
        """The reports on logs that nobody has touched: names and bytes."""
        folder = self.folder / "whole"
        shutil.rmtree(folder, ignore_errors=True)
        for name, text in files.items():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_bytes(text)
        job = {name.split("/")[0] for name in files}.pop()
        done = [run("--fail-on", "never", "-f", form, job, cwd=folder).stdout for form in ("text", "json")]
        return done[0].decode(), self.comparable(done[1])

    def assert_whole(self, files):
        job = {name.split("/")[0] for name in files}.pop()
        text, report, errors = self.report(job)
        self.assertEqual(errors, "")
        wanted, wanted_report = self.whole(files)
        self.assertEqual(text, wanted)
        self.assertEqual(report, wanted_report)

    def files(self, *folders):
        """Each file with what changes when it is written."""
        found = {}
        for folder in folders or (self.state, self.shared):
            for path in sorted(folder.rglob("*")):
                if path.is_file():
                    stat = path.stat()
                    found[str(path)] = (stat.st_ino, stat.st_mtime_ns, stat.st_size)
        return found

    def test_jobs_are_folders_and_a_second_look_changes_nothing(self):
        split = log_of("split-2x4")
        self.writer("4711/node-1.7.log").write(split)
        self.writer("other/step/0/x.log").write(log_of("rank-killed"))
        self.look()
        self.assertEqual(sorted(str(path.relative_to(self.shared)) for path in self.shared.rglob("*.sum")),
                         ["4711/n1.sum", "other/n1.sum"])
        self.assert_whole({"4711/node-1.7.log": split})
        self.assert_whole({"other/step/0/x.log": log_of("rank-killed")})
        self.assertIn('"job": "4711"', (self.shared / "4711/n1.sum").read_text())
        before = self.files()
        self.assertEqual(self.look(), "")
        self.assertEqual(self.files(), before)

    def test_two_nodes_are_merged(self):
        lines = log_of("split-2x4").splitlines(keepends=True)
        files = {}
        for node in ("worker-0", "worker-1"):
            own = b"".join(line for line in lines if node.encode() + b":" in line)
            self.assertTrue(own)
            files[f"4711/{node}.log"] = own
            self.logs = self.folder / node
            self.state = self.folder / f"{node}.state"
            self.writer(f"4711/{node}.log").write(own)
            self.look(node=node)
        self.assert_whole(files)

    def test_growing_logs_are_cut_off_without_a_trace_in_the_report(self):
        """With 0 MB, each look cuts off what there is. The reports are those of the whole logs, lines and all."""
        for case in CASES:
            with self.subTest(case):
                lines, chance = log_of(case).splitlines(keepends=True), random.Random(case)
                writer = self.writer(f"{case}/a.log")
                quiet = self.writer(f"{case}/b.log")
                quiet.write(log_of("healthy-1x4-nvlink"))
                for part in range(6):
                    end = len(lines) if part == 5 else chance.randrange(len(lines) + 1)
                    writer.write(b"".join(lines[:end]))
                    lines = lines[end:]
                    self.assertEqual(self.look(log_mb=0 if part % 2 else 64), "")
                    self.assertTrue(part % 2 == 0 or writer.on_disk() <= 4096, writer.on_disk())
                self.assert_whole({f"{case}/a.log": log_of(case), f"{case}/b.log": log_of("healthy-1x4-nvlink")})

    def test_a_cut_leaves_an_unfinished_line_whole(self):
        text = log_of("rank-killed")
        writer = self.writer("job/a.log")
        for begin in range(0, len(text), 997):
            writer.write(text[begin:begin + 997])
            self.look(log_mb=0)
        self.assert_whole({"job/a.log": text})

    def end_at(self, number):
        """Lets the script be killed when it runs the `number`-th command."""
        counter = self.folder / "counter"
        counter.write_text("")
        for command in COMMANDS:
            path = self.bin / command
            path.unlink(missing_ok=True)
            real = BINARY if command == "nccl-analyze" else shutil.which(command, path="/usr/bin:/bin")
            path.write_text(f"#!/bin/sh\necho >>{counter}\n"
                            f"if [ $(wc -l <{counter}) = {number} ]; then kill -9 0; fi\nexec {real} \"$@\"\n")
            path.chmod(0o755)
        return counter

    def killed_look(self, number):
        """Whether the look ended before it was killed."""
        counter = self.end_at(number)
        done = subprocess.run([SCRIPT], env=self.environment(log_mb=0), capture_output=True, timeout=120,
                              start_new_session=True)
        return done.returncode >= 0 and len(counter.read_text()) < number

    def test_killed_anywhere(self):
        """Killed at each command that it runs, and started again while the log has grown: the report is the same."""
        text = log_of("rank-killed")
        lines = text.splitlines(keepends=True)
        third = len(lines) // 3
        number, ended = 1, False
        while not ended:
            for folder in (self.state, self.shared, self.logs):
                shutil.rmtree(folder, ignore_errors=True)
            self.logs.mkdir(), self.shared.mkdir()
            writer = self.writer("job/a.log")
            writer.write(b"".join(lines[:third]))
            self.end_at(0)
            self.look(log_mb=0)
            writer.write(b"".join(lines[third:2 * third]))
            ended = self.killed_look(number)
            writer.write(b"".join(lines[2 * third:]))
            self.end_at(0)
            self.look(log_mb=0 if number % 2 else 64)
            with self.subTest(number):
                self.assert_whole({"job/a.log": text})
            number += 1
        self.assertGreater(number, 30)

    def test_others_empty_a_log(self):
        """copytruncate: the copy and what comes behind the hole are two logs, of which nothing counts twice; what was cut
        off before is one log with what comes later."""
        text = log_of("rank-killed")
        half = text.index(b"\n", len(text) // 2) + 1
        for log_mb in (64, 0):
            job = f"job{log_mb}"
            writer = self.writer(f"{job}/a.log")
            writer.write(text[:half])
            self.look(log_mb=log_mb)
            shutil.copy(writer.path, self.logs / f"{job}/a-1764270000.log")
            os.truncate(writer.path, 0)
            self.look(log_mb=log_mb)
            writer.write(text[half:])
            self.look(log_mb=log_mb)
            whole = {f"{job}/a.log": text}
            if log_mb:
                whole = {f"{job}/a-1764270000.log": text[:half], f"{job}/a.log": text[half:]}
            report, wanted = self.report(job)[1], self.whole(whole)[1]
            for one in (report, wanted):
                one["findings"] = [(finding["rule"], finding["message"]) for finding in one["findings"]]
            self.assertEqual((report["findings"], report["input"]["nccl_lines"]),
                             (wanted["findings"], wanted["input"]["nccl_lines"]))

    def test_a_log_that_begins_anew(self):
        """A log that was cut off and that others empty or remove is read from its first line, also when it has grown beyond
        what was cut off before."""
        text = log_of("rank-killed")
        third = text.index(b"\n", len(text) // 3) + 1
        old, new = text[:third], text[third:]
        for job, in_between in (("emptied", True), ("removed", True), ("expired", False)):
            with self.subTest(job):
                log = self.logs / job / "a.log"
                log.parent.mkdir()
                log.write_bytes(old)
                self.look(log_mb=0)
                if job == "emptied":
                    os.truncate(log, 0)
                elif job == "removed":
                    log.unlink()
                else:
                    self.be_silent(job, 96)
                    self.look()
                    self.assertFalse(log.exists())
                    log.parent.mkdir()
                if in_between:
                    self.look()
                with open(log, "ab") as file:
                    file.write(new)
                self.look()
                self.assert_whole({f"{job}/a.log": text})

    def test_bounds(self):
        """Logs that take too much or are silent too long are removed; their summaries stay, also when the job goes on."""
        texts = {job: log_of(case) for job, case in (("old", "rank-killed"), ("older", "split-2x4"), ("new", "ib-gdr"))}
        for job, text in texts.items():
            writer = self.writer(f"{job}/a.log")
            writer.write(text)
            writer.file.close()
        for job, hours in (("old", 2), ("older", 3)):
            self.be_silent(job, hours)
        self.assertEqual(self.look(), "")
        self.assertIn("the logs take more than 0 MB", self.look(total_mb=0))
        self.assertEqual([path.name for path in self.logs.iterdir()], ["new"])
        for job, text in texts.items():
            self.assert_whole({f"{job}/a.log": text})
        self.writer("old/b.log").write(log_of("healthy-1x4-nvlink"))
        self.look()
        self.assert_whole({"old/a.log": texts["old"], "old/b.log": log_of("healthy-1x4-nvlink")})
        self.be_silent("new", 96)
        self.look()
        self.assertFalse((self.logs / "new").exists())
        self.assert_whole({"new/a.log": texts["new"]})

    def test_what_is_open_stays(self):
        """A job of which a process has a log open runs: what it writes after days of silence is read."""
        text = log_of("rank-killed")
        half = text.index(b"\n", len(text) // 2) + 1
        writer = self.writer("runs/a.log")
        writer.write(text[:half])
        for job in ("ended", "ended-later"):
            self.writer(f"{job}/a.log").file.close()
        self.be_silent("runs", 96), self.be_silent("ended", 95), self.be_silent("ended-later", 2)
        self.assertIn("the logs take more than 0 MB", self.look(total_mb=0))
        self.assertEqual([path.name for path in self.logs.iterdir()], ["runs"])
        writer.write(text[half:])
        self.look()
        self.assert_whole({"runs/a.log": text})
        writer.file.close()
        self.be_silent("runs", 96)
        self.look()
        self.assertEqual(list(self.logs.iterdir()), [])
        self.assert_whole({"runs/a.log": text})

    def test_a_job_that_cannot_be_read_stays_and_stops_no_other(self):
        """Who makes the look at one job fail does not switch off the bounds of the others."""
        for job, hours in (("blocked", 99), ("other", 2)):
            self.writer(f"{job}/a.log").file.close()
            self.be_silent(job, hours)
        self.shared.joinpath("blocked").write_text("not a folder")
        self.look(status=1, total_mb=0)
        self.assertEqual([path.name for path in self.logs.iterdir()], ["blocked"])
        self.shared.joinpath("blocked").unlink()
        self.look(total_mb=0)
        self.assertEqual(list(self.logs.iterdir()), [])

    @unittest.skipIf(os.getuid(), "only root becomes somebody else")
    def test_a_folder_of_summaries_that_somebody_else_made(self):
        """Who made it could replace what stands there, or let a link lead elsewhere."""
        elsewhere = self.folder / "elsewhere"
        for place in (elsewhere, self.shared / "made", self.logs / "made", self.logs / "linked"):
            place.mkdir(mode=0o777)
        (self.shared / "linked").symlink_to(elsewhere)
        os.chown(self.shared / "made", 61001, 61001)
        for job in ("made", "linked"):
            self.writer(f"{job}/a.log").write(log_of("rank-killed"))
        errors = self.look(status=1)
        for job in ("made", "linked"):
            self.assertIn(f"nccl-node: {self.shared}/{job} belongs to somebody else\n", errors)
            self.assertEqual(list((self.shared / job).iterdir()), [])

    def test_what_others_compressed_is_not_cut(self):
        text = log_of("rank-killed")
        packed = {"gz": gzip.compress(text), "xz": lzma.compress(text)}
        for kind, data in packed.items():
            log = self.logs / kind / f"a.log.{kind}"
            log.parent.mkdir()
            log.write_bytes(data)
            self.look(log_mb=0)
            self.assertEqual(log.read_bytes(), data)
            self.assert_whole({f"{kind}/a.log.{kind}": data})

    @unittest.skipIf(os.getuid(), "only root becomes somebody else")
    def test_who_cannot_become_the_owner_does_not_go_on_as_root(self):
        self.writer("job/a.log").write(log_of("rank-killed"))
        os.chown(self.logs / "job", 61001, 61001)
        setpriv = self.bin / "setpriv"
        setpriv.write_text("#!/bin/sh\nexit 1\n")
        setpriv.chmod(0o755)
        self.look(status=1)
        self.assertEqual(list(self.shared.iterdir()), [])

    def test_unread_lines_are_told(self):
        """When summaries of what was cut off take too much, the lines that nobody reads are named."""
        text = log_of("rank-killed")
        third = text.index(b"\n", len(text) // 3) + 1
        writer = self.writer("job/a.log")
        for part in (text[:third], text[third:2 * third], text[2 * third:]):
            writer.write(part)
            self.look(log_mb=0, kept_mb=0)
        self.assertLessEqual(writer.on_disk(), 4096)
        errors = self.report("job")[2]
        self.assertRegex(errors, r"on n1: cannot read .*job/a.log \(\d+ lines were removed unread\)")

    def test_what_others_remove_is_no_part_of_the_summary(self):
        self.writer("job/a.log").write(log_of("rank-killed"))
        self.writer("job/b.log").write(log_of("split-2x4"))
        self.look()
        (self.logs / "job/a.log").unlink()
        self.look()
        self.assert_whole({"job/b.log": log_of("split-2x4")})

    def test_summaries_that_cannot_be_handed_on_wait(self):
        self.writer("job/a.log").write(log_of("rank-killed"))
        self.shared.rmdir()
        self.shared.write_text("not a folder")
        self.assertTrue(self.look(status=1))
        self.shared.unlink()
        self.shared.mkdir()
        self.look()
        self.assert_whole({"job/a.log": log_of("rank-killed")})

    def test_names_that_users_choose(self):
        """Links are not followed, and nothing but a plain name is a job."""
        other = self.folder / "other"
        other.mkdir()
        (other / "a.log").write_bytes(log_of("rank-killed"))
        (self.logs / "link").symlink_to(other)
        for name in ("-rf", "a\n..", "a b", "$(touch x)", ".hidden"):
            (self.logs / name).mkdir()
            (self.logs / name / "a.log").write_bytes(log_of("rank-killed"))
        writer = self.writer("job/a b\n$(touch x).log")
        writer.write(log_of("split-2x4"))
        (self.logs / "job/l.log").symlink_to(other / "a.log")
        before = self.files(other)
        self.look(log_mb=0, total_mb=0)
        self.assertEqual(self.files(other), before)
        self.assertEqual([path.name for path in self.shared.iterdir()], ["job"])
        self.assertEqual(self.report("job")[1]["findings"],
                         self.whole({"job/a b\n$(touch x).log": log_of("split-2x4")})[1]["findings"])

    def test_an_empty_folder_is_no_failure(self):
        (self.logs / "job").mkdir()
        self.assertEqual(self.look(), "")
        self.writer("job/a.log")
        self.look()
        self.writer("job/b.log").write(log_of("rank-killed"))
        self.look()
        self.assertEqual(self.report("job")[1]["verdict"]["status"], "error")

    def test_two_looks_at_once(self):
        """The second one leaves the work to the first."""
        self.writer("job/a.log").write(log_of("rank-killed"))
        self.state.mkdir()
        held = subprocess.Popen(["flock", self.state / "lock", "sleep", "60"])
        self.addCleanup(held.wait)
        self.addCleanup(held.kill)
        while subprocess.run(["flock", "-n", self.state / "lock", "true"]).returncode == 0:
            time.sleep(0.01)
        self.look()
        self.assertEqual(list(self.shared.iterdir()), [])


class Files(Case):
    """The files with which systemd and Kubernetes run the script."""

    def test_units(self):
        if not shutil.which("systemd-analyze"):
            self.skipTest("systemd is missing")
        for name in ("nccl-node.service", "nccl-node.timer"):
            (self.folder / name).write_text((NODE / name).read_text().replace("/usr/local/sbin", str(NODE)))
        done = subprocess.run(["systemd-analyze", "verify", *self.folder.iterdir()], capture_output=True, text=True,
                              timeout=60)
        self.assertEqual((done.returncode, done.stderr), (0, ""))

    def test_settings_in_the_page_are_those_of_the_script(self):
        script = re.findall(r"\$\{(NCCL_\w+):-([^}]*)\}", SCRIPT.read_text())
        page = re.findall(r"^\| `(NCCL_\w+)` \| `([^`]*)`", (NODE / "README.md").read_text(), re.M)
        self.assertEqual([(name, value if "(" not in value else "uname -n") for name, value in script], page)
