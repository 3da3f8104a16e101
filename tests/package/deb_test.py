"""The Debian packages are made, installed in a root of their own, used and removed; Lintian checks them."""
import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

from program import JOBS, run

BUILD = pathlib.Path(os.environ["NCCL_ANALYZE_BUILD"])
EXAMPLES = pathlib.Path(__file__).parents[2] / "examples"
LOG = JOBS / "efa-fallback/input.log"


def call(*command, **options):
    """Returns what the command prints; if it fails, what it printed is the error."""
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=300, **options)
    if done.returncode != 0:
        raise AssertionError(f"{command} failed:\n{done.stdout}")
    return done.stdout


class Packages(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.folder = pathlib.Path(folder.name)
        packages = cls.folder / "packages"
        call("cpack", "-G", "DEB", "--config", BUILD / "CPackConfig.cmake", "-B", cls.folder / "work",
             "-D", f"CPACK_OUTPUT_FILE_PREFIX={packages}", cwd=cls.folder)
        cls.packages = {path.name.partition("_")[0]: path for path in packages.iterdir()}


class Lintian(Packages):
    def test_lintian(self):
        if not shutil.which("lintian"):
            self.skipTest("needs lintian")
        call("lintian", "--allow-root", "--fail-on", "error", *self.packages.values())


class Deb(Packages):
    def files_in(self, root):
        return sorted(str(path.relative_to(root)) for path in root.rglob("*") if not path.is_dir())

    def test_packages(self):
        self.assertEqual(set(self.packages), {"nccl-analyze", "libnccl-analyze-c0", "libnccl-analyze-dev",
                                              "python3-nccl-analyze"})
        contents = {name: call("dpkg-deb", "--contents", path) for name, path in self.packages.items()}
        for name, files in contents.items():
            for text in ("copyright", "changelog.gz", "changelog.Debian.gz"):
                self.assertIn(f"./usr/share/doc/{name}/{text}\n", files)
        self.assertIn("./usr/bin/nccl-analyze\n", contents["nccl-analyze"])
        self.assertNotIn("/include/", contents["nccl-analyze"])
        self.assertNotIn("/bin/", contents["libnccl-analyze-dev"])
        self.assertIn("/libnccl_analyze_c.so.0\n", contents["libnccl-analyze-c0"].replace(" ->", "\n"))
        self.assertNotIn("/libnccl_analyze_c.so.0", contents["libnccl-analyze-dev"].replace("so -> ", ""))
        needs = call("dpkg-deb", "--field", self.packages["nccl-analyze"], "Depends")
        for library in ("libgvc6", "libre2-9", "libarchive13", "libc6 (>="):
            self.assertIn(library, needs)

    def test_installed_used_and_removed(self):
        root = self.folder / "root"
        (root / "var/lib/dpkg").mkdir(parents=True)
        for name in ("status", "available"):
            (root / "var/lib/dpkg" / name).touch()
        # The packages that they need are those of this machine, which dpkg does not see in another root.
        dpkg = ["dpkg", f"--root={root}", "--force-not-root,depends,script-chrootless", "--log=/dev/null"]
        call(*dpkg, "--install", *self.packages.values())
        self.assertIn("nccl-analyze", call(*dpkg, "--list"))

        done = subprocess.run([root / "usr/bin/nccl-analyze", LOG], capture_output=True)
        self.assertEqual(done.stdout, run(LOG).stdout)
        self.assertIn(b"<svg", subprocess.run([root / "usr/bin/nccl-analyze", "-f", "svg", LOG],
                                              capture_output=True).stdout)
        flags = call("pkg-config", "--define-prefix", "--cflags", "--libs", "nccl_analyze",
                     env={**os.environ, "PKG_CONFIG_PATH": f"{root}/usr/lib/pkgconfig"}).split()
        call("c++", "-std=c++20", EXAMPLES / "whole_file.cc", *flags, "-o", self.folder / "whole_file")
        self.assertRegex(call(self.folder / "whole_file", LOG), "^(error|warning): ")

        call(*dpkg, "--purge", *self.packages)
        self.assertEqual([path for path in self.files_in(root) if not path.startswith("var/lib/dpkg/")], [])

    def test_dependencies_are_in_debian(self):
        if not pathlib.Path("/etc/debian_version").exists():
            self.skipTest("needs Debian")
        plan = call("apt-get", "--simulate", "install", *self.packages.values())
        self.assertIn("Inst nccl-analyze ", plan)
