"""The manual page: well-formed, and as complete as the help."""
import pathlib
import re
import shutil
import subprocess

from program import Case, run

CLI = pathlib.Path(__file__).resolve().parents[2] / "cli"


class Manual(Case):
    def setUp(self):
        super().setUp()
        self.path = self.folder / "nccl-analyze.1"
        self.path.write_bytes(run("__man").stdout)

    def shown(self):
        done = subprocess.run(["mandoc", "-T", "utf8", "-O", "width=200", self.path], capture_output=True, timeout=60)
        return re.sub(".\b", "", done.stdout.decode())

    def test_mandoc_finds_no_fault(self):
        if not shutil.which("mandoc"):
            self.skipTest("mandoc is not there")
        done = subprocess.run(["mandoc", "-T", "lint", "-W", "warning", self.path], capture_output=True, timeout=60)
        faults = [line for line in done.stdout.decode().splitlines() if "missing date" not in line]
        self.assertEqual(faults, [])

    def test_sections(self):
        titles = re.findall(r"^\.SH (.*)$", self.path.read_text(), re.M)
        self.assertEqual(titles, ["NAME", "SYNOPSIS", "DESCRIPTION", "OPTIONS", "COMMANDS", "EXIT STATUS", "ENVIRONMENT",
                                  "FILES", "EXAMPLES", "SEE ALSO"])

    def test_every_option_and_command_of_the_help(self):
        if not shutil.which("mandoc"):
            self.skipTest("mandoc is not there")
        text, page = run("--help").stdout.decode(), self.shown()
        for flag in re.findall(r"(?<![\w-])--?[a-zA-Z][a-z-]*", text[:text.index("\nExamples:")]):
            self.assertIn(flag, page)
        for command in re.findall(r"^  ([a-z]+)  ", text, re.M):
            self.assertIn(f"nccl-analyze {command}", page)

    def test_every_variable_that_the_program_reads(self):
        page = self.path.read_text()
        for file in CLI.rglob("*.cc"):
            for name in re.findall(r'(?:getenv|variable|value|environment)\("([A-Z_]+)"\)|\{"([A-Z_]{4,})", "', file.read_text()):
                with self.subTest(file=file.name, variable="".join(name)):
                    self.assertIn("".join(name), page)
