#!/usr/bin/env python3
"""The program of the build that turns the documents of rules into their table: write_rules_test.py WRITER"""

import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

FRONT = "name: cable-loose\nseverity: warning\nstage: hardware\n"
WORDS = "\n# A cable is loose\n\nIt hangs.\n\n## Steps\n\n- Plug it in.\n"


class WriteRules(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def write(self, *documents):
        """Returns the result for documents nca301.md, nca302.md ..."""
        paths = [self.folder / f"nca{number}.md" for number, _ in enumerate(documents, 301)]
        for path, text in zip(paths, documents):
            path.write_text(text)
        return subprocess.run([WRITER, *paths], capture_output=True, text=True, timeout=60)

    def rule(self, front):
        done = self.write(f"---\n{front}---\n{WORDS}")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        return done.stdout

    def check_fault(self, line, text, *documents):
        done = self.write(*documents)
        self.assertEqual(done.returncode, 1)
        self.assertEqual(done.stdout, "")
        self.assertEqual(done.stderr, f"{self.folder}/nca{300 + len(documents)}.md:{line}: {text}\n")

    def check_front(self, line, text, front):
        self.check_fault(line, text, f"---\n{front}---\n{WORDS}")

    def test_the_front_becomes_the_members_of_the_rule(self):
        table = self.rule(FRONT)
        for member in ('.id = "NCA301"', '.name = "cable-loose"', ".severity = Severity::warning", ".stage = Stage::hardware",
                       '.check = ""', ".explained_by = {}", ".only_if_unexplained = false", ".provisional = false"):
            self.assertIn(member, table)
        self.assertIn("RuleResult check(const Model&);", table)
        table = self.rule(FRONT + "check: ranks, progress\nexplained_by:\n  cable-loose\nonly_if_unexplained: yes\n"
                          "provisional: yes\njudges_rest: yes\n")
        for member in ('.check = "ranks progress"', 'causes[] = {"cable-loose", }', ".explained_by = causes",
                       ".only_if_unexplained = true", ".provisional = true"):
            self.assertIn(member, table)
        self.assertIn("RuleResult check(const Model&, const std::vector<bool>& claimed);", table)
        self.assertIn("{}, check}", table)

    def test_a_step_for_want_of_others_says_so(self):
        steps = WORDS + "  - if: slurm\n  - otherwise: yes\n- Look.\n  - otherwise: yes\n"
        table = self.write(f"---\n{FRONT}---\n{steps}").stdout
        self.assertIn('{"Plug it in.", "", "slurm", "", "", "", "yes"}', table)
        self.assertIn("If under Slurm, and no other step fits:", table)
        self.assertIn("*If no other step fits:* Look.", table)

    def test_the_table_becomes_rows(self):
        words = WORDS + "\n## Table\n\n| errno | what it means |\n| --- | --- |\n| `110`, `115` | no answer |\n| 19 | \"gone\" |\n"
        table = self.write(f"---\n{FRONT}---\n{words}").stdout
        self.assertIn('{"110", "no answer"},\n    {"115", "no answer"},\n    {"19", "\\"gone\\""},\n}', table)
        self.assertIn('if (rule == "NCA301") return nca301::table;', table)
        self.assertNotIn("::table;", self.rule(FRONT))
        for row in ("| a |", "a | b", "| a | b | c |", "| a | |"):
            self.check_fault(15, f"not a row of two cells: {row}", f"---\n{FRONT}---\n{WORDS}## Table\n{row}\n")
        self.check_fault(16, "twice the same key: | `b` | c |", f"---\n{FRONT}---\n{WORDS}## Table\n| b | a |\n| `b` | c |\n")

    def test_a_value_goes_on_in_the_next_line(self):
        other = "---\n" + FRONT.replace("cable", "screw") + "explained_by: cable-loose,\n  screw-loose\n---\n" + WORDS
        done = self.write(f"---\n{FRONT}---\n{WORDS}", other)
        self.assertIn('causes[] = {"cable-loose", "screw-loose", }', done.stdout)

    def test_rules_come_in_the_order_of_their_ids(self):
        (self.folder / "b").mkdir()
        (self.folder / "b/nca101.md").write_text(f"---\n{FRONT}---\n{WORDS}")
        (self.folder / "nca201.md").write_text("---\n" + FRONT.replace("cable", "screw") + "---\n" + WORDS)
        done = subprocess.run([WRITER, self.folder / "nca201.md", self.folder / "b/nca101.md"], capture_output=True, text=True)
        self.assertEqual(re.findall(r"&(nca\d+)::rule", done.stdout), ["nca101", "nca201"])

    def test_a_fault_of_the_front_has_its_line(self):
        self.check_fault(1, "the document does not begin with a front between lines `---`", WORDS)
        self.check_front(5, "no `key: value` of the front: severty: error", FRONT + "severty: error\n")
        self.check_front(5, "no `key: value` of the front: check", FRONT + "check\n")
        self.check_front(5, "twice the same key: stage: setup", FRONT + "stage: setup\n")
        self.check_fault(5, "the line `---` after the front is missing", "---\n" + FRONT)
        for key in ("name", "severity", "stage"):
            for left in ("", f"{key}:\n"):
                self.check_front(1, f"the front has no value of `{key}`", re.sub(f"{key}: .*\n", left, FRONT))

    def test_a_wrong_value_has_its_line_and_what_is_right(self):
        self.check_front(3, "severity: `bad` is none of info warning error", FRONT.replace("warning", "bad"))
        self.check_front(4, "stage: `cables` is none of configuration hardware setup program process network hang symptom "
                         "performance note", FRONT.replace("hardware", "cables"))
        self.check_front(5, "check: `rank` is none of network transports versions ranks rings init progress",
                         FRONT + "check: progress, rank\n")
        self.check_front(5, "explained_by: `cable` is the name of no rule", FRONT + "explained_by: cable\n")
        self.check_front(5, "provisional: `true` is none of yes no", FRONT + "provisional: true\n")

    def test_two_rules_have_two_names(self):
        self.check_fault(2, "another rule has this name: cable-loose", *[f"---\n{FRONT}---\n{WORDS}"] * 2)

    def test_a_fault_of_the_words_has_its_line(self):
        front = f"---\n{FRONT}---\n"
        self.check_fault(14, "unknown part: ## Stops", front + WORDS + "## Stops\n")
        self.check_fault(15, "twice the same key:   - run: `c`", front + WORDS + "  - run: `b`\n  - run: `c`\n")
        self.check_fault(14, "not a line of an item: b", front + WORDS + "b\n")


if __name__ == "__main__":
    WRITER = sys.argv.pop(1)
    unittest.main()
