"""The exit status and errors of usage."""
import json

from program import Case, run


class Status(Case):
    def test_an_error_is_1_and_never_is_0(self):
        self.assertEqual(run(self.broken).returncode, 1)
        self.assertEqual(run("--fail-on", "never", self.broken).returncode, 0)

    def test_a_healthy_log_is_0(self):
        self.assertEqual(run(self.healthy).returncode, 0)
        self.assertEqual(run("--fail-on", "warning", self.healthy).returncode, 0)

    def test_status_is_the_same_in_every_format(self):
        for name in ("text", "markdown", "html", "json", "events", "trace", "junit", "sarif", "github",
                     "prometheus", "otlp", "dot"):
            with self.subTest(name):
                self.assertEqual(run("-f", name, self.broken).returncode, 1)

    def test_without_an_nccl_line_there_is_a_report_and_a_warning(self):
        done = run("--format", "json", data=b"hello\n")
        self.assertEqual(done.returncode, 0)
        self.assertEqual(json.loads(done.stdout)["input"]["nccl_lines"], 0)
        self.assertIn(b"no NCCL line", done.stderr)

    def test_a_wrong_option_is_one_line_with_what_would_be_right(self):
        self.assert_one_line(run("--nonsense"), "--nonsense", "--help")
        self.assert_one_line(run("--format", "yaml", self.broken), "yaml", "json")
        self.assert_one_line(run("--host", "(", self.broken), "--host")
        self.assert_one_line(run("--comm", "xyz", self.broken), "--comm")

    def test_an_option_without_its_value_takes_no_file(self):
        log = self.folder / "train.log"
        log.write_bytes(self.broken.read_bytes())
        self.assert_one_line(run("--output=", log), "--output needs a value")
        self.assertEqual(log.read_bytes(), self.broken.read_bytes())

    def test_an_unknown_rule_is_refused_with_the_nearest_name(self):
        self.assert_one_line(run("--select", "net-plugin-faild", self.broken), "net-plugin-failed")
        self.assert_one_line(run("--ignore", "no-such-thing-at-all", self.broken), "no-such-thing-at-all")
        self.assert_one_line(run("explain", "NCA3O1"), "net-plugin-failed")
