"""`--save`: standard input is kept, and the report names the file."""
import gzip
import io
import json
import os
import resource
import signal
import tarfile

from program import Case, Watched, report, run


class Save(Case):
    def setUp(self):
        super().setUp()
        self.kept = self.folder / "kept.log"

    def test_evidence_names_the_file(self):
        data = self.broken.read_bytes()
        done = run("--save", self.kept, data=data)
        self.assertEqual(done.returncode, 1)
        self.assertEqual(self.kept.read_bytes(), data)
        self.assertIn(f"{self.kept}:22", done.stdout.decode())
        self.assertNotIn(b"<stdin>", done.stdout)
        one = json.loads(run("-f", "json", data=data).stdout.replace(b"<stdin>", bytes(self.kept)))
        other = json.loads(run("-f", "json", self.kept).stdout)
        for report in (one, other):
            del report["next"]  # a command for a later log names the file, and standard input has no name
        self.assertEqual(one, other)

    def test_follow(self):
        watched = Watched("--save", self.kept, "-f", "json")
        self.addCleanup(watched.kill)
        watched.write(self.broken.read_bytes())
        watched.wait_for("NCA301")
        self.assertEqual(self.kept.read_bytes(), self.broken.read_bytes())  # It can be looked at meanwhile.
        text, _ = watched.end()
        self.assertEqual(json.loads(text)["input"]["sources"][0]["name"], str(self.kept))

    def test_bytes_stay_as_they_are_read(self):
        archive = io.BytesIO()
        with tarfile.open(fileobj=archive, mode="w:gz") as tar:
            tar.add(self.broken, "a.log")
        for data in (b"", b"\0\xff\r\nno newline", gzip.compress(self.healthy.read_bytes()), archive.getvalue()):
            run("--save", self.kept, data=data)
            self.assertEqual(self.kept.read_bytes(), data)
            self.kept.unlink()
        names = [s["name"] for s in report("--save", self.kept, data=archive.getvalue())["input"]["sources"]]
        self.assertEqual(names, [s["name"] for s in report(self.kept)["input"]["sources"]])

    def test_among_other_inputs(self):
        for arguments in ((), ("--unrecognized",)):
            run("--save", self.kept, *arguments, "-", self.healthy, data=b"x\n")
            self.assertEqual(self.kept.read_bytes(), b"x\n")
            self.kept.unlink()
        names = [s["name"] for s in report("--save", self.kept, "-", self.healthy, data=b"x\n")["input"]["sources"]]
        self.assertEqual(names, [str(self.kept), str(self.healthy)])

    def test_refused(self):
        self.kept.write_text("precious")
        self.assert_one_line(run("--save", self.kept, data=b"x\n"), "kept.log", "overwrite")
        self.assertEqual(self.kept.read_text(), "precious")
        (self.folder / "link").symlink_to(self.folder / "nothing")
        self.assert_one_line(run("--save", self.folder / "link", data=b"x\n"), "overwrite")
        self.assert_one_line(run("--save", self.folder / "no/where", data=b"x\n"), "where", "folder")
        self.assert_one_line(run("--save", "-", data=b"x\n"), "--save")
        self.assert_one_line(run("--save", self.folder / "a", self.healthy), "--save", "standard input")
        self.assert_one_line(run("--save", self.folder / "a", "-o", self.folder / "a", data=b"x\n"), "file of --save")
        self.assert_one_line(run("--save", self.folder / "a", "merge", data=b"x\n"), "--save")
        self.assertEqual(self.names(), ["kept.log", "link"])

    def test_full_disk_is_a_warning(self):
        """The limit of the size of a file stands for the disk."""
        data = self.broken.read_bytes() * 50
        def limited():
            resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, 100_000))
        for arguments in ((), ("--follow", "--stall", "0")):
            done = run("--save", self.kept, "-f", "json", *arguments, data=data, preexec_fn=limited)
            self.assertEqual(done.returncode, 1)
            warnings = [line for line in done.stderr.decode().splitlines() if "warning" in line]
            self.assertEqual(len(warnings), 1, warnings)
            self.assertIn("kept.log: File too large; it ends here", warnings[0])
            self.assertEqual(self.kept.read_bytes(), data[:100_000])
            plain = json.loads(run("-f", "json", data=data).stdout)
            self.assertEqual(json.loads(done.stdout), plain)  # It names <stdin>.
            self.kept.unlink()

    def test_interrupted(self):
        watched = Watched("--save", self.kept)
        self.addCleanup(watched.kill)
        watched.write(self.broken.read_bytes())
        watched.wait_for("NCA301")
        text, status = watched.end(interrupt=signal.SIGINT)
        self.assertEqual(status, 1)
        self.assertIn(os.fsencode(self.kept), text)
        self.assertEqual(self.kept.read_bytes(), self.broken.read_bytes())
