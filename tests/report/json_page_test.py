"""The commands of lib/report/json.md give the output that the page shows. With NCCL_ANALYZE_ACCEPT=1 it is written."""
import os
import pathlib
import re
import shutil
import subprocess
import unittest

import program
from program import JOBS, Case

PAGE = pathlib.Path(__file__).resolve().parents[2] / "lib/report/json.md"


@unittest.skipUnless(shutil.which("jq"), "jq is not there")
class JsonPage(Case):
    def test_every_command_gives_the_output_that_the_page_shows(self):
        (self.folder / "bin").mkdir()
        (self.folder / "bin/nccl-analyze").symlink_to(program.BINARY)
        (self.folder / "input.log").symlink_to(JOBS / "rank-killed/input.log")
        page = PAGE.read_text()
        fresh = re.sub(r"^```\n(.*?)^```\n", lambda block: f"```\n{self.run_again(block.group(1))}```\n", page,
                       flags=re.S | re.M)
        if os.environ.get("NCCL_ANALYZE_ACCEPT"):
            PAGE.write_text(fresh)
        self.assertGreaterEqual(fresh.count("\n$ jq "), 12)
        self.assertEqual(fresh, PAGE.read_text())

    def run_again(self, block):
        """Returns the commands of a block, each followed by its output."""
        return "".join(f"$ {command}\n{self.shell(command)}" for command in re.findall(r"^\$ (.*)$", block, re.M))

    def shell(self, command):
        environment = {**os.environ, "PATH": f"{self.folder / 'bin'}:{os.environ['PATH']}"}
        done = subprocess.run(["bash", "-c", command], capture_output=True, cwd=self.folder, env=environment, timeout=60)
        self.assertEqual(done.stderr, b"", command)
        return done.stdout.decode()
