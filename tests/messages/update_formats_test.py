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
        self.tree = self.folder / "nccl"
        for part in ("src", "plugins", "contrib"):
            (self.tree / part).mkdir(parents=True)
        (self.tree / "Makefile").touch()
        self.write(SOURCE)

    def write(self, source):
        (self.tree / "src/some.cc").write_text(source)

    def update(self, tag):
        sys.argv = ["update_formats.py", "--tag", tag, str(self.tree)]
        with contextlib.redirect_stdout(io.StringIO()) as self.said:
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

    def test_macros_of_newer_releases(self):
        self.write(r"""
        void f() {
          ATTN("Zebra fell back %d", 1);
          ERR(ncclInternalError, "Zebra broke %d", 1);
          ERROR("Zebra is lost %d", 1);
          CLOGF(WARN, "Zebra {} of {:x}", 1, 2);
          CLOGF_SUBSYS(INFO, COLL, "Zebra counts {}", 1);
          DIAG_PRINT("NCCL DIAG [INFO] zebra on rank %d", 1);
          NCCLCHECK(rasDiagnosticsReport(reporter, RAS_DIAG_TAG_OK, "zebra: all %d are well", 1));
        }
        """)
        levels = {row[0]: row[3] for row in self.update("v2.32.0-1") if "ebra" in row[0]}
        self.assertEqual(levels, {
            "Zebra fell back {:int}": "warn", "Zebra broke {:int}": "warn", "Zebra is lost {:int}": "warn",
            "Zebra {:text} of {:text}": "warn", "Zebra counts {:text}": "note", "[INFO] zebra on rank {:int}": "note",
            "[OK]   zebra: all {:int} are well": "note"})

    def test_a_part_of_the_tree_is_refused(self):
        (self.tree / "contrib").rmdir()
        with self.assertRaises(SystemExit), contextlib.redirect_stderr(io.StringIO()) as said:
            self.update("v2.31.0-1")
        self.assertIn("is not the whole tree: no contrib", said.getvalue())
        self.assertEqual(self.script.KNOWN.read_text(), KNOWN)

    def test_a_row_that_is_composed_elsewhere_stays_open(self):
        self.write('char line[9]; snprintf(line, 9, "Gone %d", 1); snprintf(line, 9, "Gone but printed in parts");')
        self.script.KNOWN.write_text(KNOWN.replace("Gone {:int}", "Gone but printed in parts {:int}"))
        rows = {row[0]: row[2] for row in self.update("v2.31.0-1")}
        self.assertEqual(rows["Gone but printed in parts {:int}"], "")

    def test_a_new_form_of_a_row_with_facts_is_flagged(self):
        """Without a row that carries facts, each of its messages is flagged as a form of another one."""
        self.write("""
        void f() {
          INFO(NCCL_INIT, "%s comm %p rank %d nranks %d cudaDev %d nvmlDev %d busId %lx commId 0x%lx parent %p "
               "childCount %d color %d key %d - Init START", 1);
          INFO(NCCL_INIT, "Zebra %d", 1);
          INFO(NCCL_RAS, "RAS keep-alive timeout error (%gs) on socket connection with %s", 1.5, "a");
        }
        """)
        all_rows = list(self.script.fact_rows())
        self.update("v2.31.0-1")
        self.assertIn("may be a new form of the same message: 0", self.said.getvalue())
        self.script.KNOWN.write_text(KNOWN)
        lacking = [row for row in all_rows if "commId {comm_id} parent" not in row[1] and "{(.{:int})}s) on" not in row[1]]
        self.assertEqual(len(all_rows) - len(lacking), 4 + 2)
        lacking += [(event, wording.replace("{(.{:int})}", ""), []) for event, wording, _ in all_rows if "{(.{:int})}s) on" in wording]
        self.script.fact_rows = lambda: lacking
        self.update("v2.31.0-1")
        flagged = self.said.getvalue().split("looks like")[1]
        self.assertIn("Init START\n    like ", flagged)
        self.assertIn("RAS keep-alive", flagged)
        self.assertNotIn("Zebra", flagged)


if __name__ == "__main__":
    unittest.main()
