"""Summaries, comparisons and explanations from Python are those of the program."""
import json
import os
import warnings

import nccl_analyze
import program
from program import JOBS, run


class Summaries(program.Case):
    def setUp(self):
        super().setUp()
        self.summaries = [nccl_analyze.summary(log, node="node-1") for log in (self.broken, self.healthy)]

    def test_a_summary_is_that_of_the_program(self):
        for options in ({}, {"job": "7", "step": "1", "node": "node-1"}):
            words = [word for key, value in options.items() for word in (f"--{key}", value)]
            done = run("-f", "summary", "--fail-on", "never", *words, self.broken, self.healthy)
            self.assertEqual(nccl_analyze.summary(self.broken, [str(self.healthy)], **options), done.stdout)
        log = self.broken.read_bytes()
        self.assertEqual(nccl_analyze.summary(log[:5000], log[5000:], name="pod-0", node="node-1"),
                         run("-f", "summary", "--fail-on", "never", "--node", "node-1", data=log).stdout
                         .replace(b'"<stdin>"', b'"pod-0"'))

    def test_merged_summaries_are_those_of_the_program(self):
        for number, one in enumerate(self.summaries):
            (self.folder / f"{number}.sum").write_bytes(one)
        merged = run("merge", "-f", "summary", "--fail-on", "never", self.folder).stdout
        one, two = self.summaries
        for summaries in ([one, two], [two, one, two], [nccl_analyze.merge_summaries(one), two], [self.folder],
                          [[self.folder / "0.sum"], two]):
            self.assertEqual(nccl_analyze.merge_summaries(*summaries), merged)
            self.assertEqual(nccl_analyze.merge(*summaries).to_json(),
                             nccl_analyze.read(self.broken, self.healthy).to_json())

    def test_the_report_on_summaries_takes_the_options(self):
        report = nccl_analyze.merge(self.summaries[0], expect="ranks=8", select=["NCA801", "NCA803"],
                                    baseline=self.healthy)
        self.assertEqual({one.rule for one in report.findings}, {"NCA801", "NCA803"})

    def test_damaged_summaries_warn_and_the_others_count(self):
        with self.assertWarnsRegex(nccl_analyze.InputWarning, "error: cannot merge summary 1: "):
            report = nccl_analyze.merge(self.summaries[0][:3000], self.summaries[0])
        self.assertEqual(report.findings[0].rule, "NCA301")
        self.assertEqual(len(report.notices), 1)
        with self.assertWarns(nccl_analyze.InputWarning):
            merged = nccl_analyze.merge_summaries(b"no summary", self.summaries[0])
        self.assertEqual(merged, self.summaries[0])
        with self.assertWarnsRegex(nccl_analyze.InputWarning, "^error: cannot read /nonexistent: "):
            report = nccl_analyze.merge("/nonexistent", self.summaries[0])
        self.assertEqual(report.findings[0].rule, "NCA301")
        self.assertEqual(nccl_analyze.merge_summaries(bytearray(self.summaries[0])), self.summaries[0])
        for pattern, call in (("^cannot merge summary 1: ", lambda: nccl_analyze.merge(b"no summary")),
                              ("^cannot read /nonexistent: No such", lambda: nccl_analyze.merge("/nonexistent")),
                              ("^name at least one", nccl_analyze.merge_summaries),
                              ("^cannot read /nonexistent: No such", lambda: nccl_analyze.summary("/nonexistent")),
                              ("^name at least one", nccl_analyze.summary)):
            with self.assertRaisesRegex(nccl_analyze.Error, pattern):
                call()

    def test_what_could_not_be_read_is_told_here_and_where_summaries_are_merged(self):
        with self.assertWarnsRegex(nccl_analyze.InputWarning, "^error: cannot read /nonexistent: "):
            summary = nccl_analyze.summary(self.broken, "/nonexistent", node="node-1")
        with self.assertWarnsRegex(nccl_analyze.InputWarning, "^warning: on node-1: cannot read /nonexistent: "):
            nccl_analyze.merge(summary)


class Questions(program.Case):
    def test_a_difference_is_that_of_the_program(self):
        compared = nccl_analyze.diff(self.healthy, self.broken)
        self.assertEqual(compared.to_json().encode(), run("diff", "-f", "json", self.healthy, self.broken).stdout)
        for format, text in (("text", str(compared)), ("markdown", compared.to_markdown()), ("html", compared.to_html())):
            self.assertEqual(text.encode(), run("diff", "-f", format, self.healthy, self.broken).stdout)
        self.assertFalse(compared.same)
        self.assertEqual(vars(compared.changes[0]), compared.to_dict()["changes"][0])
        self.assertIn(compared.headline, repr(compared))
        self.assertTrue(nccl_analyze.diff(self.broken, self.broken).same)
        with self.assertRaises(ValueError):
            compared.render("junit")

    def test_topics_are_left_out_and_errors_are_those_of_the_program(self):
        ignored = nccl_analyze.diff(self.healthy, self.broken, ignore=["network", "findings"])
        self.assertFalse({"network", "findings"} & {one.topic for one in ignored.changes})
        with self.assertRaisesRegex(nccl_analyze.Error, "did you mean network"):
            nccl_analyze.diff(self.healthy, self.broken, ignore="netwrk")
        with self.assertRaises(nccl_analyze.Error) as caught:
            nccl_analyze.diff("/nonexistent", self.broken)
        self.assertIn(str(caught.exception), run("diff", "/nonexistent", self.broken).stderr.decode())

    def test_reports_are_compared_with_warnings(self):
        (self.folder / "page.html").write_text(nccl_analyze.read(self.broken).to_html())
        (self.folder / "a.log").write_bytes(self.broken.read_bytes())
        with self.assertWarnsRegex(nccl_analyze.InputWarning, "page.html is left out"):
            self.assertTrue(nccl_analyze.diff(JOBS / "efa-fallback/input.log", self.folder).same)

    def test_a_baseline(self):
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            self.assertIn("NCA803", [one.rule for one in nccl_analyze.read(self.broken, baseline=self.healthy).findings])
        log = self.broken.read_bytes()
        self.assertNotIn("NCA803", [one.rule for one in nccl_analyze.loads(log, baseline=self.broken).findings])
        with self.assertRaisesRegex(nccl_analyze.Error, "cannot read /nonexistent"):
            nccl_analyze.loads(log, baseline="/nonexistent")

    def test_rules_and_lines_are_explained_as_by_the_program(self):
        line = "node-1:1:1 [0] NCCL WARN Call to connect returned Connection refused"
        for what in ("NCA301", "net-plugin-failed", "NCA3", line):
            self.assertEqual(nccl_analyze.explain(what).encode(), run("explain", what).stdout)
        self.assertEqual(nccl_analyze.explain(f"  {line}\n"), nccl_analyze.explain(line))
        listed = json.loads(run("rules", "-f", "json").stdout)["rules"]
        self.assertEqual([vars(one) for one in nccl_analyze.rules()], listed)
        self.assertEqual([one.id for one in nccl_analyze.rules("net-plugin-failed")], ["NCA301"])
        for call in (nccl_analyze.explain, nccl_analyze.rules):
            with self.assertRaises(nccl_analyze.Error):
                call("NCA999")

    def test_rules_of_a_site_are_known(self):
        file = self.folder / "site.json"
        file.write_text(json.dumps({"rules": [{
            "id": "ACME1", "name": "uses-socket", "severity": "warning", "title": "The job uses sockets",
            "message": "Using network Socket", "fix": "Ask the network team."}]}))
        self.assertEqual(nccl_analyze.rules("ACME1", rules=file)[0].fix, "Ask the network team.")
        self.assertIn("uses-socket", nccl_analyze.explain("ACME1", rules=os.fspath(file)))
