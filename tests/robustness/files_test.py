"""Where `-o` writes."""
import os
import resource

from program import FINDING, Case, run


class Files(Case):
    def test_an_empty_name_is_refused_a_dash_is_standard_output_a_long_name_works(self):
        done = run("-o", "", self.broken, cwd=self.folder)
        self.assertEqual(done.returncode, 2)
        self.assertIn(b"--output needs the name of a file", done.stderr)
        done = run("-o", "-", self.broken, cwd=self.folder)
        self.assertEqual(done.stdout, run(self.broken).stdout)
        self.assertEqual(self.names(), [])
        long_name = "r" * 250
        self.assertEqual(run("-o", long_name, self.broken, cwd=self.folder).returncode, 1)
        self.assertEqual(self.names(), [long_name])

    def test_links_are_followed_and_stay_links(self):
        (self.folder / "sub").mkdir()
        (self.folder / "link").symlink_to("sub/second")
        (self.folder / "sub/second").symlink_to("target")
        for _ in range(2):  # the target is made, then replaced
            self.assertEqual(run("-o", self.folder / "link", self.broken).returncode, 1)
            self.assertTrue((self.folder / "link").is_symlink())
            self.assertIn(FINDING, (self.folder / "sub/target").read_text())
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
