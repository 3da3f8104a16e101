#!/usr/bin/env python3
"""lib/messages/update_places.py on a small clone."""

import contextlib
import importlib.util
import io
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

SCRIPT = pathlib.Path(__file__).resolve().parents[2] / "lib/messages/update_places.py"
HEADER = r"""#define WARN(...) ncclDebugLog(NCCL_LOG_WARN, NCCL_ALL, __FILE__, __LINE__, __VA_ARGS__)
#define INFO(FLAGS, ...) ncclDebugLog(NCCL_LOG_INFO, (FLAGS), __func__, __LINE__, __VA_ARGS__)
#define NCCLCHECK(call) do { \
  ncclResult_t res = call; /* a comment */ \
  if (res) { INFO(NCCL_ALL, "%s:%d -> %d", __FILE__, __LINE__, res); return res; } \
} while (0)
#define SYSCHECK(call, name) do { if (call) { WARN(name); return ncclSystemError; } } while (0)
#define BOTH(call) do { NCCLCHECK(call); WARN("done"); } while (0)
#define NEITHER(call) call
"""
SOURCE = r"""// WARN("in a comment");
void f() {
  WARN("one");
  /* NCCLCHECK(
     a); */ NCCLCHECK(b());
  SYSCHECK(close(")("),
           "close");
  INFO(NCCL_INIT, "no place is printed");
  BOTH(c());
  NEITHER(d());
  INFO(NCCL_INIT, "%s:%d -> %d", __FILE__, __LINE__, res);
  MY_WARN("another word"); WARNING(1);
}
"""


@unittest.skipUnless(shutil.which("git"), "needs git")
class UpdatePlaces(unittest.TestCase):
    def setUp(self):
        spec = importlib.util.spec_from_file_location("update_places", SCRIPT)
        self.script = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(self.script)
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.script.PLACES = pathlib.Path(folder.name) / "places.tsv"
        self.clone = pathlib.Path(folder.name) / "clone"
        self.clone.mkdir()
        self.git("init", "-q")

    def git(self, *arguments):
        name = ["-c", "user.name=n", "-c", "user.email=e"]
        subprocess.run(["git", "-C", self.clone, *name, *arguments], check=True, capture_output=True)

    def release(self, version, tag, source=SOURCE, under="."):
        tree = self.clone / under
        for part in ("src/include", "src/transport", "makefiles"):
            (tree / part).mkdir(parents=True, exist_ok=True)
        (tree / "src/include/debug.h").write_text(HEADER)
        (tree / "src/transport/net.cc").write_text(source)
        parts = zip(("MAJOR", "MINOR", "PATCH"), version.split("."))
        (tree / "makefiles/version.mk").write_text("".join(f"NCCL_{part} := {number}\n" for part, number in parts))
        self.git("add", ".")
        self.git("commit", "-q", "--allow-empty", "-m", "m")
        self.git("tag", tag)

    def update(self, *arguments):
        sys.argv = ["update_places.py", *arguments, str(self.clone)]
        with contextlib.redirect_stdout(io.StringIO()):
            self.script.main()
        return [line.split("\t") for line in self.script.PLACES.read_text().splitlines()]

    def test_places(self):
        self.release("2.30.1", "v2.30.1-1")
        rows = self.update()
        self.assertEqual(rows[0], ["release", "NCCL", "2.30.1", "2.30.1"])
        # Lines 5, 9 and 11; then 3, 6, 7 and 9: a call of two lines is in its first or its last one.
        self.assertEqual(rows[1:], [["NCCL", "transport/net.cc", "T", "2.30.1", "FEC"],
                                    ["NCCL", "transport/net.cc", "W", "2.30.1", "DDBC"]])

    def test_releases_share_rows(self):
        self.release("2.9.0", "v2.9.0-1")
        self.release("2.10.0", "v2.10.0-1")
        self.release("2.10.0", "v2.10.0-2")
        self.release("2.11.0", "v2.11.0-1", "\n" * 99 + SOURCE)
        self.release("2.12.0", "v2.12.0-1")
        self.git("tag", "other-v2.13.0-1")
        rows = self.update()
        self.assertEqual([row[2] for row in rows if row[0] == "release"], ["2.9.0", "2.10.0", "2.11.0", "2.12.0"])
        self.assertEqual([row[3:] for row in rows if row[2] == "T"],
                         [["2.9.0-2.10.0,2.12.0", "FEC"], ["2.11.0", "jIEC"]])
        self.assertEqual(self.update(), rows)

    def test_projects_and_folders_are_added(self):
        self.release("2.9.0", "v2.9.0-1")
        self.update()
        self.release("2.8.0", "rocm-6.1.0")
        self.assertEqual([row[1:] for row in self.update("--project", "rccl") if row[0] == "release"],
                         [["NCCL", "2.9.0", "2.9.0"], ["RCCL", "6.1.0", "2.8.0"]])
        self.release("2.31.2", "baseline", under="third/party")
        rows = self.update("--release", "2.31.2", "--revision", "baseline", "--under", "third/party")
        self.assertIn(["NCCL", "transport/net.cc", "T", "2.9.0-2.31.2", "FEC"], rows)
        self.assertIn(["RCCL", "transport/net.cc", "T", "6.1.0", "FEC"], rows)


if __name__ == "__main__":
    unittest.main()
