#!/usr/bin/env python3
"""lib/messages/update_formats.py on a small source tree."""

import contextlib
import importlib.util
import io
import pathlib
import sys
import tempfile
import unittest

SCRIPT = pathlib.Path(__file__).resolve().parents[2] / "lib/messages/update_formats.py"
SOURCE = r"""
#define SYSCHECK(call, name) do { \
  WARN("Call to " name " failed : %s", strerror(errno)); \
} while (0)
// WARN("said by nobody");
void f() {
  WARN("Zebra %d of %s (%lu bytes)", 1, "a", 2ul);
  INFO(NCCL_NET, "Zebra at 0x%" PRIx64
       " {grass=%d}\n", x, 1);
  INFO(NCCL_INIT, "Still there %d", 1);
  INFO(NCCL_INIT, "%s", text);
}
"""
KNOWN = """wording\tsince\tuntil\tlevel\ttopic
Call to {:word} failed : {:text}\t2.4.2\t2.29.7\twarn\tnone
Gone {:int}\t2.4.2\t\tnote\tnone
Other project {:int}\t\t\tnote\tnone
Still there {:int}\t2.4.2\t\tnote\tnone
"""
FORMATS = """project\tlevel\tformat\tfirst_tag\tlast_tag
nccl\tINFO\tStill there %d\tv2.4.2-1\tv2.30.7-1
nccl\tINFO\tGone %d\tv2.4.2-1\tv2.30.7-1
"""


class UpdateFormats(unittest.TestCase):
    def setUp(self):
        spec = importlib.util.spec_from_file_location("update_formats", SCRIPT)
        self.script = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(self.script)
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.script.KNOWN, self.script.FORMATS = self.folder / "known.tsv", self.folder / "formats.tsv"
        self.script.KNOWN.write_text(KNOWN)
        self.script.FORMATS.write_text(FORMATS)
        (self.folder / "src").mkdir()
        (self.folder / "src/some.cc").write_text(SOURCE)

    def update(self, tag):
        sys.argv = ["update_formats.py", "--tag", tag, str(self.folder / "src")]
        with contextlib.redirect_stdout(io.StringIO()):
            self.script.main()
        return [line.split("\t") for line in self.script.KNOWN.read_text().splitlines()[1:]]

    def test_a_newer_release(self):
        self.assertEqual(
            self.update("v2.31.0-1"),
            [
                ["Call to {:word} failed : {:text}", "2.4.2", "", "warn", "none"],
                ["Gone {:int}", "2.4.2", "2.30.7", "note", "none"],
                ["Other project {:int}", "", "", "note", "none"],
                ["Still there {:int}", "2.4.2", "", "note", "none"],
                ["Zebra at {:hex} {{grass={:int}}", "2.31.0", "", "note", ""],
                ["Zebra {:int} of {:text} ({:int} bytes)", "2.31.0", "", "warn", ""],
            ],
        )
        formats = self.script.FORMATS.read_text()
        self.assertIn("nccl\tINFO\tStill there %d\tv2.4.2-1\tv2.31.0-1\n", formats)
        self.assertIn("nccl\tINFO\tGone %d\tv2.4.2-1\tv2.30.7-1\n", formats)
        self.assertIn("nccl\tWARN\tZebra %d of %s (%lu bytes)\tv2.31.0-1\tv2.31.0-1\n", formats)
        self.assertNotIn("nobody", formats)

    def test_an_older_release_ends_nothing(self):
        rows = {row[0]: row[1:3] for row in self.update("v2.3.7-1")}
        self.assertEqual(rows["Gone {:int}"], ["2.4.2", ""])
        self.assertEqual(rows["Still there {:int}"], ["2.3.7", ""])
        self.assertEqual(rows["Zebra {:int} of {:text} ({:int} bytes)"], ["2.3.7", "2.3.7"])

    def test_twice_is_once(self):
        self.assertEqual(self.update("v2.31.0-1"), self.update("v2.31.0-1"))


if __name__ == "__main__":
    unittest.main()
