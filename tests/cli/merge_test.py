"""`merge`: the report on summaries is the report on their logs."""
import json
import pathlib

from program import JOBS, Case, run


class Merge(Case):
    def setUp(self):
        super().setUp()
        self.logs = []
        for name in ("b", "a"):
            log = self.folder / name
            log.write_bytes(pathlib.Path(self.broken).read_bytes().replace(b"node-0-0", b"node-0-" + name.encode()))
            self.logs.append(log)
        self.sums = [self.folder / (log.name + ".sum") for log in self.logs]
        for log, target in zip(self.logs, self.sums):
            self.assertEqual(run("-f", "summary", "--fail-on", "never", "-o", target, log).returncode, 0)

    def test_merged_report_is_that_of_the_logs(self):
        for name in ("text", "json", "dot"):
            whole = run("-f", name, *self.logs)
            for order in (self.sums, self.sums[::-1], [*self.sums, self.sums[0]]):
                with self.subTest(format=name, order=order):
                    merged = run("merge", "-f", name, *order)
                    self.assertEqual(merged.stdout, whole.stdout)
                    self.assertEqual(merged.returncode, whole.returncode)

    def test_standard_input_and_summaries_of_summaries(self):
        whole = run("-f", "json", *self.logs).stdout
        both = b"".join(target.read_bytes() for target in self.sums)
        self.assertEqual(run("merge", "-f", "json", data=both).stdout, whole)
        again = run("merge", "-f", "summary", *self.sums).stdout
        self.assertEqual(run("merge", "-f", "json", data=again).stdout, whole)
        self.assertEqual(again, run("-f", "summary", *self.logs).stdout)

    def test_parts_of_a_log_are_one_log_again(self):
        """--lines-before says where a part begins. Cut anywhere, the report is that of the whole log."""
        for case in ("rank-killed", "split-2x4", "efa-fallback", "wrapped-kubectl"):
            log = JOBS / case / "input.log"
            lines = log.read_bytes().splitlines(keepends=True)
            for place in (1, len(lines) // 3, len(lines) // 2, len(lines) - 1):
                parts = []
                for number, (before, text) in enumerate(((0, lines[:place]), (place, lines[place:]))):
                    (self.folder / f"{number}").mkdir(exist_ok=True)
                    (self.folder / f"{number}" / "a.log").write_bytes(b"".join(text))
                    parts.append(run("-f", "summary", "--lines-before", before, "a.log", cwd=self.folder / f"{number}"))
                (self.folder / "a.log").write_bytes(log.read_bytes())
                for name in ("text", "json"):
                    merged = run("merge", "-f", name, data=parts[1].stdout + parts[0].stdout)
                    self.assertEqual(merged.stdout, run("-f", name, "a.log", cwd=self.folder).stdout, f"{case}, {place}")

    def test_a_part_is_one_file(self):
        self.assert_one_line(run("-f", "summary", "--lines-before", 3, *self.logs), "--lines-before is about one input")
        self.assert_one_line(run("--lines-before", 3, self.broken), "--lines-before goes with --format summary")
        self.assert_one_line(run("-f", "summary", "--follow", "--lines-before", 3, self.broken), "do not go together")

    def test_what_is_no_summary_is_named_and_the_rest_is_merged(self):
        done = run("merge", "-f", "json", self.sums[1], self.broken)
        self.assertIn("line 1: this is no summary", done.stderr.decode())
        found, whole = json.loads(done.stdout), json.loads(run("-f", "json", self.logs[1]).stdout)
        self.assertEqual([one["name"] for one in found["input"].pop("unreadable")], [str(self.broken)])
        self.assertEqual(whole["input"].pop("unreadable"), [])
        self.assertEqual(found["findings"], whole["findings"])
        self.assertEqual(found["input"], whole["input"])
        cut = self.folder / "cut.sum"
        cut.write_bytes(self.sums[0].read_bytes()[:-20])
        self.assert_one_line(run("merge", cut), "cut.sum")

    def test_what_does_not_go_together(self):
        self.assert_one_line(run("-f", "summary", "--host", "x", self.broken), "summary")
        self.assert_one_line(run("merge", "-f", "events", self.sums[0]), "events")
