"""`--help`, `--version`, `rules` and `explain`."""
import json

from program import Case, run


class Words(Case):
    def test_help_and_version(self):
        self.assertRegex(run("--version").stdout.decode(), r"^nccl-analyze \d+\.\d+\.\d+\n$")
        done = run("--help")
        self.assertEqual((done.returncode, done.stderr), (0, b""))
        for option in ("--format", "--fail-on", "--select", "--host", "--rings", "--trees", "--color", "--unrecognized", "--follow",
                       "--stall", "rules", "explain"):
            self.assertIn(option, done.stdout.decode())

    def test_rules(self):
        rules = json.loads(run("rules", "--format", "json").stdout)
        rules = rules["rules"] if isinstance(rules, dict) else rules
        self.assertIn("net-plugin-failed", {rule["name"] for rule in rules})
        for name in ("table", "markdown"):
            self.assertIn("net-plugin-failed", run("rules", "--format", name).stdout.decode())

    def test_explain(self):
        by_id, by_name = run("explain", "nca301"), run("explain", "net-plugin-failed")
        self.assertEqual(by_id.stdout, by_name.stdout)
        self.assertIn("NCA301", by_id.stdout.decode())
        self.assertEqual(by_id.returncode, 0)

    def test_a_name_cannot_drive_the_terminal(self):
        done = run(self.folder / "\x1b[31mred.log")
        self.assertNotIn(b"\x1b", done.stderr)
