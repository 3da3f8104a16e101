"""No output takes the place of an input, under whatever name and by whatever option."""
import gzip
import os
import shutil
import signal
import tarfile

from program import Case, Watched, run

RULES = '{"rules": [{"id": "ACME1", "name": "port", "title": "A port", "severity": "error", "message": "port error"}]}'


class Overwrite(Case):
    def setUp(self):
        super().setUp()
        self.log = self.folder / "a.log"
        shutil.copy(self.broken, self.log)

    def refuse(self, *arguments, option="-o", stdin=None, read="the input", **options):
        """The command is refused in one line, and every file of the folder keeps its bytes."""
        before = {path: path.read_bytes() for path in self.folder.rglob("*") if path.is_file()}
        with self.subTest(arguments):
            if stdin:
                with stdin.open("rb") as file:
                    done = run(*arguments, data=None, stdin=file, **options)
            else:
                done = run(*arguments, **options)
            self.assert_one_line(done, option, read, "no output may replace")
        self.assertEqual({path: path.read_bytes() for path in self.folder.rglob("*") if path.is_file()}, before)

    def test_every_name_of_a_log(self):
        link, hard, copy = (self.folder / name for name in ("link", "hard", "copy.log"))
        link.symlink_to("a.log")
        os.link(self.log, hard)
        self.refuse(self.log, "-o", self.log)
        self.refuse("a.log", "-o", "./a.log", cwd=self.folder)
        self.refuse(self.log, "-o", link)
        self.refuse(self.log, "-o", hard)
        self.refuse(link, "-o", self.log)
        self.refuse(hard, "-o", link)
        self.refuse(self.folder, "-o", self.log)
        self.refuse(".", "-o", "a.log", cwd=self.folder)
        self.refuse(self.folder / "*.log", "-o", self.log)
        shutil.copy(self.log, copy)  # of which only one is read
        self.refuse(self.log, copy, "-o", copy)
        self.refuse(self.log, copy, "-o", self.log)

    def test_standard_input_that_is_the_file(self):
        self.refuse("-", "-o", self.log, stdin=self.log, read="standard input")
        self.refuse("-o", self.log, stdin=self.log, read="standard input")
        self.refuse("-f", "events", "-o", self.log, "-", self.healthy, stdin=self.log, read="standard input")

    def test_every_format_and_list(self):
        for name in ("html", "json", "events", "summary", "svg"):
            self.refuse("-f", name, self.log, "-o", self.log)
        self.refuse("--unrecognized", self.log, "-o", self.log)

    def test_archives(self):
        packed, bundle = self.folder / "a.log.gz", self.folder / "logs.tar"
        packed.write_bytes(gzip.compress(self.log.read_bytes()))
        with tarfile.open(bundle, "w") as tar:
            tar.add(self.log, "a.log")
        self.refuse(packed, "-o", packed)
        self.refuse(bundle, "-o", bundle)

    def test_both_sides_of_a_difference(self):
        self.refuse("diff", self.log, self.healthy, "-o", self.log)
        self.refuse("diff", self.healthy, self.log, "-o", self.log)
        self.refuse("diff", self.log, self.log, "-o", self.log)  # nothing to say would be an empty file
        self.refuse("diff", self.folder, self.healthy, "-o", self.log)
        saved = self.folder / "run.json"
        run("-f", "json", self.healthy, "-o", saved)
        self.refuse("diff", saved, self.log, "-o", saved)

    def test_files_of_options(self):
        rules, profile = self.folder / "rules.json", self.folder / "profile.json"
        rules.write_text(RULES)
        profile.write_text('{"expect": ["gdr"]}')
        self.refuse("--baseline", self.log, self.healthy, "-o", self.log)
        self.refuse("--rules", rules, self.healthy, "-o", rules, read="--rules")
        self.refuse("--profile", profile, self.healthy, "-o", profile, read="--profile")

    def test_summaries(self):
        one = self.folder / "one.sum"
        run("-f", "summary", "-o", one, self.healthy)
        for arguments in ((one,), ("-f", "summary", one), ("-f", "summary", self.folder), ("--follow", one)):
            self.refuse("merge", *arguments, "-o", one)
        self.refuse("--baseline", one, self.log, "-o", one)

    def test_followed(self):
        self.refuse("--follow", "-o", self.log, self.log)
        self.refuse("--follow", "-o", self.folder / "late.log", self.folder / "late.log")
        self.refuse("--follow", "-o", "late.log", "./late.log", cwd=self.folder)
        self.refuse("--follow", "--news", self.log, self.log, option="--news")
        self.refuse("--follow", "--news", self.log, self.folder, option="--news")
        self.refuse("--follow", "--news", self.folder / "n", "-o", self.folder / "n", self.log, read="--news")

    def test_a_log_that_comes_while_it_is_followed(self):
        late = self.folder / "late.log"
        watched = Watched("-o", late, self.folder)
        self.addCleanup(watched.kill)
        watched.wait_for("NCA301")
        shutil.copy(self.healthy, late)
        watched.process.send_signal(signal.SIGINT)
        self.assertEqual(watched.process.wait(timeout=60), 2)
        self.assertEqual(late.read_bytes(), self.healthy.read_bytes())

    def test_redacted(self):
        self.refuse("redact", "--map", self.log, self.log, option="--map")
        self.refuse("redact", "--map", self.log, "-o", self.folder / "out", self.log, option="--map")
        self.refuse("redact", "--map", self.log, option="--map", stdin=self.log, read="standard input")
        self.refuse("redact", "-o", self.folder, self.log)
        self.refuse("redact", "-o", self.folder, self.folder)

    def test_saved(self):
        new = self.folder / "new"
        self.refuse("--save", new, "-o", f"{self.folder}/./new", read="--save", data=b"x\n")
        self.assert_one_line(run("--save", self.log, data=b"x\n"), "does not overwrite")
        self.assertEqual(self.log.read_bytes(), self.broken.read_bytes())
        self.assertFalse(new.exists())

    def test_what_is_not_read_is_replaced(self):
        """A report in the folder of its logs is written again, and a device loses nothing."""
        for name in ("text", "html", "json", "events", "summary", "sarif"):
            target = self.folder / ("report." + name)
            for again in range(2):
                with self.subTest(name, again=again):
                    done = run("-f", name, "--fail-on", "never", self.folder, "-o", target)
                    self.assertEqual(done.returncode, 0, done.stderr)
            target.unlink()
        self.assertEqual(run("--fail-on", "never", "/dev/null", self.log, "-o", "/dev/null").returncode, 0)
        other = self.folder / "other"
        other.write_text("notes\n")
        self.assertEqual(run("--fail-on", "never", self.log, "-o", other).returncode, 0)
        self.assertTrue(other.read_text().startswith("ERROR"))
