"""The formats for CI and monitoring: SARIF, annotations of GitHub Actions, JUnit's suite of rules, Prometheus."""
import json
import pathlib
import re
import xml.etree.ElementTree as ET

from program import JOBS, TESTDATA, Case, report, run

SCHEMA = pathlib.Path(__file__).with_name("sarif-schema-2.1.0.json")
HOSTILE = b"".join(b"%s:1:1 [0] NCCL %s\n" % (b"a\x1b[31m,:%0A::error::x", text) for text in (
    b"INFO NCCL version 2.27.3+cuda12.9", b"INFO comm 0x1 rank 0 nranks 2 cudaDev 0 nvmlDev 0 busId 1000 commId 0x5 - Init START",
    b"WARN Call to ibv_create_qp failed with error \xff\"\\<b>::error title=x::y",
    b"WARN Cuda failure 'out of memory'"))


def sarif(*arguments, data=b""):
    return json.loads(run("-f", "sarif", "--fail-on", "never", *arguments, data=data).stdout)


def github(*arguments, data=b"", env=None):
    environment = {"GITHUB_STEP_SUMMARY": "", **(env or {})}
    return run("-f", "github", "--fail-on", "never", *arguments, data=data, env=environment).stdout.decode()


def flat(findings):
    """The findings of a JSON report, each root cause before its consequences."""
    return [each for finding in findings for each in (finding, *finding["consequences"])]


class Integrations(Case):
    def logs(self):
        cases = [path.parent for path in TESTDATA.glob("rules/*/fires*/input.log")] + list(JOBS.iterdir())
        return [sorted(case.glob("*.log")) for case in sorted(cases)]

    def test_sarif_fits_its_schema(self):
        import jsonschema
        validator = jsonschema.Draft4Validator(json.loads(SCHEMA.read_text()))
        for logs in self.logs():
            with self.subTest(logs[0].parent):
                found = sarif(*logs)
                validator.validate(found)
                prints = [result["partialFingerprints"]["primaryLocationLineHash"] for result in found["runs"][0]["results"]]
                self.assertEqual(len(prints), len(set(prints)))
        validator.validate(sarif(data=HOSTILE))
        validator.validate(sarif(data=b""))

    def test_sarif_has_every_finding_with_its_lines(self):
        findings = flat(report(self.broken)["findings"])
        one = sarif(self.broken)["runs"][0]
        self.assertEqual([result["ruleId"] for result in one["results"]], [finding["rule"] for finding in findings])
        levels = {"error": "error", "warning": "warning", "info": "note"}
        for result, finding in zip(one["results"], findings):
            self.assertEqual(one["tool"]["driver"]["rules"][result["ruleIndex"]]["id"], finding["rule"])
            self.assertEqual(result["level"], levels[finding["severity"]])
            lines = {place["physicalLocation"]["region"]["startLine"] for place in result["locations"]}
            self.assertLessEqual({line["line"] for line in finding["evidence"]}, lines)
            for place in result["locations"]:
                self.assertTrue(place["physicalLocation"]["artifactLocation"]["uri"].startswith("file:///"))

    def test_sarif_paths_are_uris(self):
        log = self.folder / "a b%?.log"
        log.write_bytes(self.broken.read_bytes())
        uri = sarif(log)["runs"][0]["results"][0]["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]
        self.assertTrue(uri.endswith("/a%20b%25%3F.log"), uri)
        uri = sarif(data=log.read_bytes())["runs"][0]["results"][0]["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]
        self.assertEqual(uri, "stdin")

    def test_github_annotations(self):
        """One line each, root causes first, at most nine and then their number; nothing of a log begins a command."""
        command = re.compile(r"^::(error|warning|notice) (file=[^,:]+,line=\d+,)?title=[^,:]+::.+$")
        for logs in self.logs():
            with self.subTest(logs[0].parent):
                findings = flat(report(*logs)["findings"])
                lines = github(*logs).splitlines()
                for line in lines:
                    self.assertRegex(line, command)
                self.assertEqual(len(lines), min(len(findings), 10) or 1)
                if len(findings) > 9:
                    self.assertIn(f"and {len(findings) - 9} more finding", lines[-1])
                if findings:
                    self.assertIn(f"title={findings[0]['rule']} {findings[0]['name']}::", lines[0])
        for line in github(data=HOSTILE).splitlines():
            self.assertRegex(line, command)
            self.assertNotIn("\x1b", line)
        self.assertIn("::notice title=nccl-analyze::OK", github(self.healthy, "--ignore", "NCA1"))

    def test_github_step_summary(self):
        summary = self.folder / "summary.md"
        summary.write_text("before\n")
        github(self.broken, env={"GITHUB_STEP_SUMMARY": str(summary)})
        self.assertEqual(summary.read_bytes(), b"before\n" + run("-f", "markdown", self.broken).stdout)
        done = run("-f", "github", self.broken, env={"GITHUB_STEP_SUMMARY": str(self.folder / "no/such")})
        self.assert_one_line(done, "GITHUB_STEP_SUMMARY", "no/such")

    def test_junit_has_a_case_for_each_rule(self):
        root = ET.fromstring(run("-f", "junit", "--fail-on", "never", self.broken).stdout)
        suite = root.findall("testsuite")[-1]
        rules = [rule for rule in json.loads(run("rules", "-f", "json").stdout)["rules"] if not rule["id"].startswith("NCA8")]
        self.assertEqual([case.get("name") for case in suite], [f"{rule['id']} {rule['name']}" for rule in rules])
        as_json = report(self.broken)
        bad = {finding["rule"] for finding in flat(as_json["findings"]) if finding["severity"] != "info"}
        open_rules = {entry["rule"] for entry in as_json["not_evaluated"]} - bad
        for case in suite:
            rule = case.get("name").split()[0]
            self.assertEqual(case.get("classname"), "nccl-analyze." + rule[:4])
            answer = next((child.tag for child in case), None)
            self.assertEqual(answer, "failure" if rule in bad else "skipped" if rule in open_rules else None, rule)

    def test_junit_of_selected_rules(self):
        root = ET.fromstring(run("-f", "junit", "--fail-on", "never", "--select", "NCA301,NCA302", self.broken).stdout)
        self.assertEqual([case.get("name") for case in root.findall("testsuite")[-1]],
                         ["NCA301 net-plugin-failed", "NCA302 socket-fallback"])

    def test_prometheus(self):
        """Every sample has HELP and TYPE before it, only bounded labels are there, and counts are right."""
        sample = re.compile(r'^(nccl_analyze_[a-z_]+)(?:\{((?:[a-z]+="(?:[^"\\\n]|\\.)*",?)+)\})? (\d+)$')
        for logs in (*self.logs(), []):
            with self.subTest(logs):
                text = run("-f", "prometheus", "--fail-on", "never", *logs, data=HOSTILE, env={"SLURM_JOB_ID": "77"}).stdout.decode()
                self.assertTrue(text.endswith("\n"))
                total, known = 0, set()
                for line in text.splitlines():
                    if line.startswith("# "):
                        known.add(line.split()[2])
                        continue
                    name, labels, value = sample.match(line).groups()
                    self.assertIn(name, known)
                    self.assertLessEqual(set(re.findall(r'(\w+)="', labels)), {"rule", "name", "severity", "status", "state", "host", "job"})
                    self.assertIn('job="77"', labels)
                    total += int(value) if name == "nccl_analyze_findings" else 0
                self.assertEqual(total, len(flat(report(*logs, data=HOSTILE)["findings"])))

    def test_prometheus_without_slurm(self):
        text = run("-f", "prometheus", self.broken, env={"SLURM_JOB_ID": ""}).stdout.decode()
        self.assertNotIn("job=", text)
        self.assertIn('nccl_analyze_status{status="error"} 1\n', text)
        self.assertIn('nccl_analyze_ranks{state="unlogged"} 3\n', text)
