"""`nccl-analyze mcp` with the client of the Model Context Protocol's own SDK, from the npm registry."""
import json
import pathlib
import shutil
import subprocess
import unittest

import program
from program import Case

SDK = "@modelcontextprotocol/sdk@1.32.2"
CLIENT = pathlib.Path(__file__).with_name("mcp_client.mjs")


@unittest.skipUnless(shutil.which("npm"), "no npm")
class Client(Case):
    def test_the_client_of_the_sdk(self):
        install = ["npm", "install", "--no-save", "--no-audit", "--no-fund", "--ignore-scripts", "--prefix", self.folder, SDK]
        done = subprocess.run(install, capture_output=True, timeout=600)
        self.assertEqual(done.returncode, 0, done.stderr)
        script = self.folder / CLIENT.name
        shutil.copy(CLIENT, script)
        done = subprocess.run(["node", script, program.BINARY, self.broken.parent, self.broken], capture_output=True, timeout=120)
        self.assertEqual((done.returncode, done.stderr), (0, b""), done.stderr)
        seen = json.loads(done.stdout)
        self.assertEqual(seen["server"]["name"], "nccl-analyze")
        self.assertIn("analyze", seen["instructions"])
        self.assertEqual(len(seen["tools"]), 6)
        self.assertTrue(all(each["annotations"]["readOnlyHint"] for each in seen["tools"]))
        self.assertEqual([each["uri"] for each in seen["pages"]], [each["uri"] for each in seen["resources"]])
        self.assertIn("NCA301", seen["analyze"]["content"][0]["text"])
        for name in ("files", "brief", "json", "ranks", "explain", "diff", "rules"):
            self.assertFalse(seen[name]["isError"], name)
        self.assertTrue(seen["outside"]["isError"])
        self.assertEqual(seen["wrong"], -32002)
        self.assertIn("-32601", seen["refused"])
