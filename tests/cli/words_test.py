"""What the program says about itself: help, version, rules, schemas; and what it says about mistyped words."""
import json
import pty
import os
import subprocess

import program
from program import Case, read_terminal, run

SITE = {"rules": [{"id": "ACME1", "name": "old-driver", "message": "driver 470", "severity": "warning",
                   "title": "The driver is too old for our racks", "explanation": "It is *old*.", "fix": "1. Update it."}]}


def on_terminal(*arguments):
    """Returns what a terminal of 80 columns shows."""
    leader, follower = pty.openpty()
    environment = {**os.environ, "TERM": "xterm", "NO_COLOR": ""}
    process = subprocess.Popen(["sh", "-c", 'stty cols 80; exec "$0" "$@"', program.BINARY, *arguments], stdin=follower,
                               stdout=follower, stderr=subprocess.DEVNULL, env=environment)
    os.close(follower)
    shown = read_terminal(leader)
    process.wait(timeout=60)
    os.close(leader)
    return shown.decode()


class Words(Case):
    def text(self, *arguments):
        done = run(*arguments)
        self.assertEqual((done.returncode, done.stderr), (0, b""))
        return done.stdout.decode()

    def site_rules(self):
        path = self.folder / "site.json"
        path.write_text(json.dumps(SITE))
        return path

    def test_version(self):
        self.assertRegex(self.text("--version"), r"^nccl-analyze \d+\.\d+\.\d+\n$")
        for words in (["-V"], ["version"]):
            self.assertEqual(self.text(*words), self.text("--version"))

    def test_help_has_every_option_in_its_group_and_four_examples(self):
        text = self.text("--help")
        self.assertEqual(self.text("help"), text)
        titles = ["Input:", "Judge:", "Show:", "Live:", "Other:", "Commands ", "Examples:", "Exit status:"]
        places = [text.index("\n" + title) for title in titles]
        self.assertEqual(places, sorted(places))
        for option, title in (("PATH", "Input:"), ("--fail-on", "Judge:"), ("--select", "Judge:"), ("-f, --format", "Show:"),
                              ("--host", "Show:"), ("--rings", "Show:"), ("--follow", "Live:"), ("--stall", "Live:"),
                              ("-V, --version", "Other:"), ("--unrecognized", "Other:"), ("explain", "Commands ")):
            place = text.index("  " + option)
            self.assertLess(text.index("\n" + title), place, option)
        self.assertEqual(text[text.index("\nExamples:"):text.index("\nExit status:")].count("\n  nccl-analyze") + 1, 4)
        self.assertIn("man nccl-analyze", text)
        self.assertLessEqual(max(map(len, text.splitlines())), 100)

    def test_help_is_as_wide_as_the_terminal(self):
        self.assertLessEqual(max(map(len, on_terminal("--help").splitlines())), 82)

    def test_help_on_a_command(self):
        self.assertEqual(self.text("help", "diff"), self.text("diff", "--help"))
        self.assertIn("OLD NEW", self.text("help", "diff"))
        self.assert_one_line(run("help", "dif"), "did you mean diff?")

    def test_schemas(self):
        report, diff = (json.loads(self.text("schema", *words)) for words in ([], ["diff"]))
        self.assertEqual(json.loads(self.text("schema", "report")), report)
        self.assertIn("findings", report["properties"])
        self.assertNotEqual(report, diff)

    def test_rules(self):
        rules = json.loads(self.text("rules", "--format", "json"))["rules"]
        self.assertIn("net-plugin-failed", {rule["name"] for rule in rules})
        for name in ("table", "markdown"):
            self.assertIn("net-plugin-failed", self.text("rules", "--format", name))

    def test_rules_are_columns(self):
        rows = self.text("rules").splitlines()
        for row in rows:
            self.assertRegex(row, r"^NCA\d{3}  [a-z0-9-]+ +(ERROR  |WARNING|INFO   )  \S")
        self.assertEqual(len({row.index(" ERROR ") for row in rows if " ERROR " in row}), 1)
        self.assertLessEqual(max(map(len, on_terminal("rules", "--color", "never").splitlines())), 80)
        self.assertIn("\x1b[1;31mERROR", on_terminal("rules", "--color", "always"))

    def test_rules_are_filtered(self):
        ids = [row.split()[0] for row in self.text("rules", "NCA3", "duplicate-gpu").splitlines()]
        self.assertIn("NCA205", ids)
        self.assertIn("NCA301", ids)
        self.assertEqual({one[:4] for one in ids}, {"NCA2", "NCA3"})
        self.assertEqual(len(json.loads(self.text("rules", "302", "-f", "json"))["rules"]), 1)

    def test_explain(self):
        by_id = self.text("explain", "nca301")
        self.assertIn("NCA301 net-plugin-failed", by_id)
        for words in (["net-plugin-failed"], ["301"]):
            self.assertEqual(self.text("explain", *words), by_id)

    def test_explain_a_family(self):
        family = self.text("explain", "NCA3")
        self.assertEqual(self.text("explain", "3"), family)
        for row in self.text("rules", "NCA3").splitlines():
            self.assertIn(" ".join(row.split()[:2]) + " (", family)

    def test_site_rules_are_known_before_and_behind_the_command(self):
        path = self.site_rules()
        for words in (["--rules", path, "rules"], ["rules", "--rules", path]):
            rows = self.text(*words).splitlines()
            self.assertTrue(rows[-1].startswith("ACME1   old-driver"), rows[-1])
            self.assertTrue(rows[0].startswith("NCA101"))
        self.assertIn("1. Update it.", self.text("--rules", path, "explain", "ACME1"))
        self.assertEqual(self.text("--rules", path, "explain", "old-driver"),
                         self.text("explain", "--rules", path, "acme1"))
        self.assert_one_line(run("explain", "--rules", path, "ACME2"), "did you mean ACME1?")
        self.assertIn("ACME1", self.text("--rules", path, "rules", "-f", "json"))

    def test_a_name_cannot_drive_the_terminal(self):
        done = run(self.folder / "\x1b[31mred.log")
        self.assertNotIn(b"\x1b", done.stderr)

    def test_options_that_have_no_effect_before_a_command_are_refused(self):
        self.assert_one_line(run("-f", "json", "rules"), "rules and --format before it do not go together")
        self.assert_one_line(run("-o", "x", "profiles"), "profiles and --output before it do not go together")
        self.assert_one_line(run(self.broken, "schema"), "written ./schema")


class Mistyped(Case):
    def assert_meant(self, meant, *arguments):
        self.assert_one_line(run(*arguments, self.broken), f"did you mean {meant}?")

    def test_options_and_their_words(self):
        self.assert_meant("--format", "--foramt", "json")
        self.assert_meant("--format", "--foramt=json")
        self.assert_meant("json", "--format", "jsno")
        self.assert_meant("warning", "--fail-on", "warnnig")
        self.assert_meant("socket-fallback", "--select", "sokcet-fallback")
        self.assert_meant("nvlink", "--expect", "nvlnk")
        self.assert_meant("p5.48xlarge", "--profile", "p5.48xlareg")
        self.assert_meant("network", "diff", "--ignore", "netwrok", self.broken)
        self.assert_meant("--ignore", "diff", "--ignroe", "x", self.broken)

    def test_subcommands(self):
        self.assert_one_line(run("explian", "NCA302"), "did you mean explain?")
        self.assert_one_line(run("rnaks", self.broken), "did you mean ranks?")
        self.assert_one_line(run("completion", "fihs"), "did you mean fish?")
        self.assert_one_line(run("profiles", "dgx-h10"), "dgx-h100")

    def test_a_file_of_that_name_is_read(self):
        (self.folder / "explian").write_bytes(self.healthy.read_bytes())
        self.assertEqual(run("explian", cwd=self.folder).returncode, 0)

    def test_a_word_that_is_near_nothing_has_no_suggestion(self):
        for words in (["--format", "yaml"], ["--expect", "coffee"], ["explain", "no-such-thing-at-all"], ["nothing.log"]):
            self.assertNotIn(b"did you mean", run(*words, self.broken).stderr)

    def test_an_id_that_is_none(self):
        self.assert_one_line(run("explain", "NCA3O1"), "did you mean NCA301 net-plugin-failed?")
        for word, prefix in (("NCA31x", "NCA31"), ("NCA399", "NCA3"), ("399", "NCA3")):
            done = run("explain", word)
            self.assertNotIn(b"did you mean", done.stderr)
            self.assert_one_line(done, f"`nccl-analyze rules {prefix}` lists")
        self.assert_one_line(run("explain", "NCA"[:2]), "`nccl-analyze rules` lists them")
