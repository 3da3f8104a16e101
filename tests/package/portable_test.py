"""The portable program runs where nothing else is, and says there what the ordinary program says."""
import os
import pathlib
import shutil
import subprocess
import tarfile
import zipfile

from program import JOBS, Case, run

PORTABLE = pathlib.Path(os.environ["NCCL_ANALYZE_PORTABLE"])  # the folder of the archive, beside which it stands
NOBODY = "65532:65532"


class Portable(Case):
    def setUp(self):
        super().setUp()
        self.root = self.folder / "root"
        self.root.mkdir()
        self.folder.chmod(0o755)
        shutil.copy(PORTABLE / "nccl-analyze", self.root)
        shutil.copy(self.broken, self.root / "a.log")
        shutil.copy(self.healthy, self.root / "b.log")
        for path in self.root.iterdir():
            path.chmod(0o755)

    def run_alone(self, *arguments, data=b""):
        """Runs the program as a user without rights in a root that holds it and the logs."""
        become = ["chroot", f"--userspec={NOBODY}"] if os.geteuid() == 0 else ["unshare", "--map-root-user", "chroot"]
        done = subprocess.run([*become, self.root, "/nccl-analyze", *arguments], input=data, capture_output=True,
                              timeout=120, env={"PATH": os.environ["PATH"]})
        if done.returncode > 2:
            self.skipTest(f"no root of its own for the program: {done.stderr.decode()}")
        return done

    def assert_same(self, *arguments, data=b""):
        alone = self.run_alone(*arguments, data=data)
        ordinary = run(*arguments, data=data, cwd=self.root)
        self.assertEqual((alone.stdout, alone.stderr, alone.returncode),
                         (ordinary.stdout, ordinary.stderr, ordinary.returncode), arguments)
        self.assertTrue(alone.stdout)

    def test_needs_no_library(self):
        headers = subprocess.run(["readelf", "-ldW", PORTABLE / "nccl-analyze"], capture_output=True, check=True).stdout
        self.assertNotIn(b"INTERP", headers)
        self.assertNotIn(b"NEEDED", headers)

    def test_every_format(self):
        for format in ("text", "markdown", "html", "json", "events", "trace", "junit", "sarif", "github", "otlp", "dot",
                       "summary"):
            with self.subTest(format):
                self.assert_same("-f", format, "a.log", "b.log")
        self.assertIn(b"nccl_analyze_", self.run_alone("-f", "prometheus", "a.log").stdout)

    def test_every_command(self):
        self.assert_same("ranks", "a.log")
        self.assert_same("rules")
        self.assert_same("explain", "socket-fallback")
        self.assert_same("profiles")
        self.assert_same("diff", "a.log", "b.log")
        self.assert_same("--host", "node-0", "--expect", "network=IB", "a.log")
        self.assert_same("--follow", data=self.broken.read_bytes())

    def test_archives(self):
        name = "w\u00f6rker-\u65e5.log"
        with zipfile.ZipFile(self.root / "all.zip", "w", zipfile.ZIP_DEFLATED) as archive:
            archive.write(self.broken, name)
        for end, mode in (("tar", "w"), ("tar.gz", "w:gz"), ("tar.xz", "w:xz"), ("tar.bz2", "w:bz2")):
            with tarfile.open(self.root / f"all.{end}", mode) as archive:
                archive.add(self.broken, name)
        for tool, end in (("zstd", "zst"), ("lz4", "lz4")):
            if shutil.which(tool):
                packed = subprocess.run([tool, "-c", self.broken], capture_output=True, check=True).stdout
                (self.root / f"a.log.{end}").write_bytes(packed)
        for path in sorted(self.root.glob("a*.*.*")) + [self.root / "all.zip"]:
            with self.subTest(path.name):
                path.chmod(0o644)
                self.assert_same("-f", "json", path.name)
                self.assertIn(b"NCA301", self.run_alone(path.name).stdout)

    def test_says_what_it_cannot_draw(self):
        self.assertIn(b"portable: without --format svg and png", self.run_alone("--version").stdout)
        self.assertNotIn(b"portable", run("--version").stdout)
        for format in ("svg", "png"):
            self.assert_one_line(self.run_alone("-f", format, "a.log"), "dot -T" + format)
        picture = subprocess.run(["dot", "-Tsvg"], input=self.run_alone("-f", "dot", "a.log").stdout,
                                 capture_output=True, check=True)
        self.assertIn(b"<svg", picture.stdout)

    def test_archive_of_the_program(self):
        with tarfile.open(f"{PORTABLE}.tar.gz") as archive:
            archive.extractall(self.folder / "unpacked")
        unpacked = self.folder / "unpacked" / PORTABLE.name
        done = subprocess.run([unpacked / "nccl-analyze", "ranks", self.broken], capture_output=True, check=True)
        self.assertEqual(done.stdout, run("ranks", self.broken).stdout)
        for name in ("README.md", "LICENSE", "licenses/libre2-dev"):
            self.assertTrue((unpacked / name).stat().st_size, name)

    def test_image(self):
        if not shutil.which("buildah") or os.geteuid() != 0:
            self.skipTest("needs buildah, as root")
        store = ["buildah", "--storage-driver", "vfs", "--root", self.folder / "store", "--runroot", self.folder / "run"]

        def buildah(*arguments):
            done = subprocess.run([*store, *arguments], capture_output=True, timeout=120)
            if done.returncode > 1 or b"rror" in done.stderr:
                self.skipTest(f"this machine runs no containers: {done.stderr.decode()}")
            return done.stdout.decode().strip()

        # What buildah mounts would keep the folder from being removed.
        self.addCleanup(subprocess.run, ["umount", "-q", self.folder / "store/overlay"], stderr=subprocess.DEVNULL)
        containerfile = pathlib.Path(__file__).parents[2] / "cmake/package/Containerfile"
        image = buildah("build", "--isolation", "chroot", "-q", "-f", containerfile, PORTABLE)
        container = buildah("from", image)
        report = buildah("run", "--isolation", "chroot", "-v", f"{JOBS}:/jobs:ro", container, "--",
                         "/nccl-analyze", "--fail-on", "never", "/jobs/efa-fallback/input.log")
        self.assertIn("NCA301 net-plugin-failed", report)
