"""How much of the input is recognised, in the report and in `--unrecognized`."""
import gzip

from program import Case, report, run


class Coverage(Case):
    """What of the input is known: in the report, and `--unrecognized`."""

    def setUp(self):
        super().setUp()
        line = "h:{}:1 [0] NCCL INFO {}\n".format
        (self.folder / "a.log").write_text(line(1, "Frobbed 3 at 0x7f\x1b[31m\x07") +
                                           line(1, "NCCL version 2.27.3+cuda12.4") +
                                           line(2, "NCCL version 2.4.8+cuda10.0") + line(2, "Frobbed 4 at 0x80\x07"))
        (self.folder / "b.log").write_text(line(1, "Frobbed 17 at 0x9\x07") + line(1, "Aardvark"))
        (self.folder / "c.log").write_text("nothing\n")

    def test_report(self):
        found = report(self.folder)["input"]
        self.assertEqual([s["coverage"] for s in found["sources"]], [0.5, 0, None])
        def version(number, lines, unknown):
            return {"library": number and "NCCL", "version": number, "nccl_lines": lines, "unrecognized": unknown,
                    "coverage": 1 - unknown / lines}
        self.assertEqual(found["versions"], [version("2.4.8", 2, 1), version("2.27.3", 2, 1), version(None, 2, 2)])
        self.assertEqual(sum(v["nccl_lines"] for v in found["versions"]), found["nccl_lines"])

    def test_unrecognized(self):
        done = run("--unrecognized", self.folder)
        self.assertEqual((done.returncode, done.stderr), (0, b""))
        rows = done.stdout.decode().splitlines()
        self.assertEqual(rows[0].split(), ["count", "versions", "wording"])
        self.assertEqual(rows[1].split(maxsplit=2)[:2], ["3", "2.4.8,2.27.3,?"])
        self.assertTrue(rows[1].split(maxsplit=2)[2].startswith("Frobbed # at #"))
        self.assertTrue(rows[2].strip().startswith(f"{self.folder}/a.log:1  Frobbed 3 at 0x7f"))
        self.assertEqual(rows[3].split(), ["1", "?", "Aardvark"])
        self.assertNotIn(b"\x1b", done.stdout)
        self.assertNotIn(b"\x07", done.stdout)

    def test_unrecognized_reads_what_the_report_reads(self):
        data = gzip.compress((self.folder / "b.log").read_bytes())
        self.assertIn(b"<stdin>:2  Aardvark", run("--unrecognized", data=data).stdout)
        target = self.folder / "list"
        run("--unrecognized", "-o", target, self.folder / "b.log")
        self.assertIn("Aardvark", target.read_text())

    def test_nothing_unrecognized(self):
        done = run("--unrecognized", self.healthy)
        self.assertEqual((done.returncode, done.stdout.count(b"\n")), (0, 1))
        self.assertIn(b"every NCCL line is recognised", done.stderr)
        self.assertIn(b"no NCCL line", run("--unrecognized", self.folder / "c.log").stderr)

    def test_refused(self):
        self.assert_one_line(run("--unrecognized", self.folder / "missing"), "missing")
        self.assert_one_line(run("--unrecognized", "--format", "json", self.folder), "--unrecognized", "--format")
