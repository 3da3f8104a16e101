"""What this program has written is never taken for a log."""
import gzip
import json

from program import Case, run


class Folders(Case):
    def test_own_files_are_passed_over(self):
        log = self.folder / "a.log"
        log.write_bytes(self.broken.read_bytes())
        alone = run("-f", "json", log)
        for name, form in (("report.json", "json"), ("node.summary", "summary"), ("events.jsonl", "events"),
                           ("page.html", "html"), ("ticket.md", "markdown"), ("told.txt", "text"), ("when.json", "trace"),
                           ("checks.xml", "junit"), ("scan.sarif", "sarif"), ("step.txt", "github"),
                           ("job.prom", "prometheus"), ("job.otlp", "otlp")):
            (self.folder / name).write_bytes(run("-f", form, log).stdout)
        (self.folder / "accepted.txt").write_bytes(run("--profile", "dgx-h100", log).stdout)
        (self.folder / "told.log").write_bytes(run("--color", "always", log).stdout)
        (self.folder / "node.summary.gz").write_bytes(gzip.compress((self.folder / "node.summary").read_bytes()))
        (self.folder / "pretty.json").write_text(json.dumps(json.loads(alone.stdout), indent=4))
        (self.folder / ".nccl-analyze-123-0").write_bytes(self.broken.read_bytes()[:1000])
        done = run("-f", "json", self.folder)
        self.assertEqual((done.returncode, done.stdout), (1, alone.stdout))
        self.assertEqual(done.stderr.decode().replace(str(self.folder), "F").splitlines(), [
            "nccl-analyze: warning: F/.nccl-analyze-123-0 is left out: it is a report that was never finished",
            "nccl-analyze: warning: F/accepted.txt is left out: it is a report of nccl-analyze",
            "nccl-analyze: warning: F/checks.xml is left out: it is a report of nccl-analyze (--format junit)",
            "nccl-analyze: warning: F/events.jsonl is left out: it is a list of events (--format events)",
            "nccl-analyze: warning: F/job.otlp is left out: it is a report of nccl-analyze (--format otlp)",
            "nccl-analyze: warning: F/job.prom is left out: it is a report of nccl-analyze (--format prometheus)",
            "nccl-analyze: warning: F/node.summary is left out: it is a summary of logs: `nccl-analyze merge` reads it",
            "nccl-analyze: warning: F/node.summary.gz is left out: it is a summary of logs: `nccl-analyze merge` reads it",
            "nccl-analyze: warning: F/page.html is left out: it is a report of nccl-analyze",
            "nccl-analyze: warning: F/pretty.json is left out: it is a report of nccl-analyze",
            "nccl-analyze: warning: F/report.json is left out: it is a report of nccl-analyze",
            "nccl-analyze: warning: F/scan.sarif is left out: it is a report of nccl-analyze (--format sarif)",
            "nccl-analyze: warning: F/step.txt is left out: it is a report of nccl-analyze (--format github)",
            "nccl-analyze: warning: F/ticket.md is left out: it is a report of nccl-analyze",
            "nccl-analyze: warning: F/told.log is left out: it is a report of nccl-analyze",
            "nccl-analyze: warning: F/told.txt is left out: it is a report of nccl-analyze",
            "nccl-analyze: warning: F/when.json is left out: it is a trace of events (--format trace)"])

    def test_a_summary_alone_is_no_log(self):
        summary = run("-f", "summary", self.broken).stdout
        done = run(data=summary)
        self.assertEqual((done.returncode, done.stdout), (2, b""))
        self.assertIn(b"<stdin> is left out: it is a summary of logs: `nccl-analyze merge` reads it", done.stderr)
