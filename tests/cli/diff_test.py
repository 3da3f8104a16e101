"""`diff` and --baseline: two runs that differ in one thing have that thing first."""
import json
import os
import unittest

try:
    import jsonschema
except ImportError:
    jsonschema = None

from program import JOBS, TESTDATA, Case, run

DIFF = TESTDATA / "diff"
FIRST = {  # the first change of each case
    "late-rank": ("init-time", "initialisation"),
    "missing-node": ("job", "ranks without a log"),
    "network": ("network", "network"),
    "placement": ("job", "placement"),
    "plugin": ("network", "tuner plugin"),
    "settings": ("settings", "NCCL_P2P_DISABLE"),
    "version": ("versions", "NCCL"),
}


def diff(*arguments, **options):
    return run("diff", *arguments, **options)


def changes(*arguments):
    return [(change["topic"], change["what"]) for change in json.loads(diff("-f", "json", *arguments).stdout)["changes"]]


class Diff(Case):
    def setUp(self):
        super().setUp()
        self.old, self.new = DIFF / "network/old.log", DIFF / "network/new.log"

    def converted(self, log, form):
        target = self.folder / f"run.{form}"
        run("-f", form, "--fail-on", "never", "-o", target, log)
        return target

    def test_cases(self):
        self.assertEqual(sorted(FIRST), sorted(folder.name for folder in DIFF.iterdir()))
        for name, first in FIRST.items():
            with self.subTest(name):
                done = diff("old.log", "new.log", cwd=DIFF / name)
                self.assertEqual((done.returncode, done.stderr), (1, b""))
                expected = DIFF / name / "expected.txt"
                if os.environ.get("NCCL_ANALYZE_ACCEPT") == "1":
                    expected.write_bytes(done.stdout)
                self.assertEqual(done.stdout.decode(), expected.read_text())
                self.assertEqual(changes(DIFF / name / "old.log", DIFF / name / "new.log")[0], first)

    def test_places_are_those_in_a_log_that_ends_with_its_first_line(self):
        lines = [f"2026-01-05T10:00:00.{number:06}Z {line}" for number, line in
                 enumerate(self.new.read_text().splitlines())]
        for name, order in ("forward", lines), ("backward", lines[::-1]):
            (self.folder / name).write_text("\n".join(order) + "\n")
        read = {name: json.loads(diff("-f", "json", self.old, self.folder / name).stdout)["changes"]
                for name in ("forward", "backward")}
        self.assertEqual(len(read["forward"]), len(read["backward"]))
        shown = 0
        for forward, backward in zip(read["forward"], read["backward"]):
            self.assertEqual(forward["what"], backward["what"])
            if forward["new_line"]:
                shown += 1
                numbers = [int(change["new_line"].rpartition(":")[2]) for change in (forward, backward)]
                self.assertEqual(sum(numbers), len(lines) + 1)
        self.assertGreater(shown, 0)

    def test_a_run_does_not_differ_from_itself_in_any_form(self):
        for case in (JOBS / "efa-fallback", JOBS / "split-2x4", JOBS / "mnnvl-2x4"):
            log = case / "input.log"
            forms = [log, *(self.converted(log, form) for form in ("json", "summary"))]
            for one in forms:
                for other in forms:
                    with self.subTest(old=one, new=other):
                        done = diff(one, other)
                        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, b"", b""))

    def test_summaries_and_reports_stand_for_their_logs(self):
        expected = changes(self.old, self.new)
        for form in ("json", "summary"):
            self.assertEqual(changes(self.converted(self.old, form), self.new), expected)
            self.assertEqual(changes(self.old, self.converted(self.new, form)), expected)

    def test_folders_and_standard_input(self):
        folder = self.folder / "old"
        folder.mkdir()
        for line in self.old.read_text().splitlines(keepends=True):
            with open(folder / (line.split(":")[0].strip("/") + ".log"), "a") as part:
                part.write(line)
        self.assertEqual(changes(folder, self.new), changes(self.old, self.new))
        done = diff("-f", "json", "-", self.new, data=self.old.read_bytes())
        self.assertEqual(json.loads(done.stdout)["old"], "standard input")

    def test_quiet_and_ignored_topics(self):
        self.assertEqual((diff("-q", self.old, self.new).returncode, diff("-q", self.old, self.new).stdout), (1, b""))
        self.assertEqual(diff("-q", self.old, self.old).returncode, 0)
        left = {topic for topic, _ in changes("--ignore", "network,transports", "--ignore", "findings", self.old, self.new)}
        self.assertTrue(left)
        self.assertFalse(left & {"network", "transports", "findings"})
        late = DIFF / "late-rank"
        done = diff("--ignore", "init-time,findings", late / "old.log", late / "new.log")
        self.assertEqual((done.returncode, done.stdout), (0, b""))
        self.assert_one_line(diff("--ignore", "weather", self.old, self.new), "weather", "init-time")

    def test_trouble_is_one_line(self):
        self.assert_one_line(diff(self.old, self.folder / "nothing"), "nothing")
        empty = self.folder / "empty.log"
        empty.write_text("hello\n")
        self.assert_one_line(diff(self.old, empty), "no NCCL line", "empty.log")
        cut = self.folder / "cut.json"
        cut.write_bytes(self.converted(self.old, "json").read_bytes()[:5000])
        self.assert_one_line(diff(cut, self.new), "cut.json", "cut off")
        self.assert_one_line(diff(self.old), "NEW")
        self.assert_one_line(run("--fail-on", "error", "diff", self.old, self.new), "--fail-on")
        self.assert_one_line(diff("-f", "dot", self.old, self.new), "dot")

    def test_a_difference_is_no_log(self):
        log = self.folder / "a.log"
        log.write_bytes(self.old.read_bytes())
        alone = run("-f", "json", log).stdout
        for form in ("text", "json", "markdown", "html"):
            (self.folder / f"diff.{form}").write_bytes(diff("-f", form, self.old, self.new).stdout)
        (self.folder / "diff.color").write_bytes(diff("--color", "always", self.old, self.new).stdout)
        done = run("-f", "json", self.folder)
        self.assertEqual(done.stdout, alone)
        self.assertEqual(done.stderr.decode().count("is left out"), 5)

    def test_text_of_the_log_stays_text(self):
        hostile = self.folder / "hostile.log"
        hostile.write_bytes(self.new.read_bytes().replace(b"Using network Socket", "Using network \u202e<b>`@x`".encode()))
        for form in ("text", "json", "markdown", "html"):
            out = diff("-f", form, self.old, hostile).stdout
            self.assertNotIn("\u202e".encode(), out)
            if form in ("markdown", "html"):
                self.assertNotIn(b"<b>", out)
        self.assertIn(b"\\u202e", diff(self.old, hostile).stdout)
        self.assertIn(b"\x1b[1m", diff("--color", "always", self.old, hostile).stdout)

    def test_lines_fit_the_page(self):
        for name in FIRST:
            text = diff(DIFF / name / "old.log", DIFF / name / "new.log").stdout.decode()
            self.assertLessEqual(max(map(len, text.splitlines())), 100, text)

    @unittest.skipIf(jsonschema is None, "python3-jsonschema is not installed")
    def test_json_is_what_the_schema_says(self):
        schema = json.loads((TESTDATA.parent / "lib/report/diff.v1.schema.json").read_text())
        validator = jsonschema.validators.validator_for(schema)
        validator.check_schema(schema)
        pairs = [(DIFF / name / "old.log", DIFF / name / "new.log") for name in FIRST] + [(self.old, self.old)]
        for old, new in pairs:
            faults = [error.message for error in validator(schema).iter_errors(json.loads(diff("-f", "json", old, new).stdout))]
            self.assertEqual(faults, [])


class Baseline(Case):
    def setUp(self):
        super().setUp()
        case = TESTDATA / "rules/baseline-differs"
        self.log, self.other, self.like = case / "fires/input.log", case / "fires/baseline", case / "silent/baseline"

    def found(self, *arguments):
        document = json.loads(run("-f", "json", *arguments).stdout)
        return [(one["severity"], one["message"]) for one in document["findings"] if one["rule"] == "NCA803"]

    def test_a_deviation_is_a_finding(self):
        found = self.found("--baseline", self.other, self.log)
        self.assertIn("network (Socket instead of AWS Libfabric)", found[0][1])
        self.assertEqual(found[0][0], "warning")
        self.assertEqual(run("--baseline", self.other, self.log).returncode, 0)
        self.assertEqual(run("--baseline", self.other, "--fail-on", "warning", self.log).returncode, 1)

    def test_a_run_like_the_good_one_has_none(self):
        for form in ("json", "summary"):
            good = self.folder / form
            run("-f", form, "-o", good, self.like)
            self.assertEqual(self.found("--baseline", good, self.log), [])
        self.assertEqual(self.found("--baseline", self.other, "--ignore", "baseline-differs", self.log), [])

    def test_a_missing_baseline_is_one_line(self):
        self.assert_one_line(run("--baseline", self.folder / "good.sum", self.log), "good.sum")
