"""Rotation and copytruncate that are quicker than the 250 ms between two looks."""
import json
import os
import random
import resource
import shutil
import signal
import subprocess
import tempfile
import time

from program import BINARY, Case, wait_until


class Follow(Case):
    def follow(self, log, files=None):
        events = tempfile.TemporaryFile()
        self.addCleanup(events.close)
        limit = (lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (files, files))) if files else None
        process = subprocess.Popen([BINARY, "--follow", "-q", "-f", "events", str(log)], stdout=events,
                                   stderr=subprocess.PIPE, preexec_fn=limit)
        self.addCleanup(lambda: (process.kill(), process.wait(), process.stderr.close()))

        def hosts():
            # The program writes at the offset of the same open file, which seek() would move.
            written = os.pread(events.fileno(), os.fstat(events.fileno()).st_size, 0)
            return [json.loads(line)["host"] for line in written.splitlines() if line.endswith(b"}")]
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

    def test_rotation_in_a_folder_counts_every_line_once(self):
        """Both kinds of rotation, with names that the folder shows as well; few descriptors, so that files are closed."""
        for files in (None, 24):
            for truncate in (False, True):
                folder = self.folder / f"{files}-{truncate}"
                folder.mkdir()
                for number in range(30):
                    (folder / f"other-{number}").write_bytes(self.line(f"other{number}"))
                log = folder / "a.log"
                log.write_bytes(self.line("first", 30))
                process, hosts = self.follow(folder, files)
                self.assertTrue(wait_until(lambda: len(hosts()) == 60))
                for number in range(30):  # They are read again, and a.log may be closed.
                    with open(folder / f"other-{number}", "ab") as file:
                        file.write(self.line(f"more{number}"))
                self.assertTrue(wait_until(lambda: len(hosts()) == 90), len(hosts()))
                for turn in range(3):
                    for number in (2, 1):
                        if (folder / f"a.log.{number}").exists():
                            (folder / f"a.log.{number}").rename(folder / f"a.log.{number + 1}")
                    if truncate:
                        shutil.copy(log, folder / "a.log.1")
                        with open(log, "r+b") as file:
                            file.truncate(0)
                    else:
                        log.rename(folder / "a.log.1")
                    with open(log, "ab") as file:
                        file.write(self.line(f"turn{turn}", 40 + turn))
                    self.assertTrue(wait_until(lambda: hosts().count(f"turn{turn}") == 40 + turn), hosts())
                    time.sleep(0.6)  # The folder is listed again.
                process.send_signal(signal.SIGINT)
                process.wait(timeout=30)
                self.assertEqual(len(hosts()), 90 + 40 + 41 + 42, (files, truncate))

    def test_the_rest_of_a_closed_file_is_read_under_its_new_name(self):
        log = self.folder / "a.log"
        log.write_bytes(self.line("first"))
        process, hosts = self.follow(self.folder, 24)
        self.assertTrue(wait_until(lambda: len(hosts()) == 1))
        for number in range(20):
            (self.folder / f"other-{number}").write_bytes(self.line(f"other{number}"))
        self.assertTrue(wait_until(lambda: len(hosts()) == 21))
        with open(log, "ab") as file:
            file.write(self.line("last", 2))
            log.rename(self.folder / "a.log.1")
            log.write_bytes(self.line("new", 3))
        self.assertTrue(wait_until(lambda: hosts().count("new") == 3))
        self.assertEqual(hosts().count("last"), 2)

    def test_more_files_than_descriptors(self):
        for number in range(300):
            (self.folder / f"rank-{number}").write_bytes(self.line(f"h{number}"))
        process, hosts = self.follow(self.folder, 32)
        self.assertTrue(wait_until(lambda: len(hosts()) == 300), len(hosts()))
        for number in range(300):
            with open(self.folder / f"rank-{number}", "ab") as file:
                file.write(self.line(f"h{number}", 2))
        self.assertTrue(wait_until(lambda: len(hosts()) == 900), len(hosts()))
        process.send_signal(signal.SIGINT)
        self.assertEqual(process.communicate(timeout=60)[1], b"")
        self.assertEqual(sorted(set(hosts())), sorted(f"h{number}" for number in range(300)))
        self.assertEqual(len(hosts()), 900)
