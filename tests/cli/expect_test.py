"""`--expect`, `--profile` and `--rules`."""
import json

from program import Case, report, run


class Expect(Case):
    def checks(self, *arguments):
        return {c["check"]: c["status"] for c in report(*arguments)["checks"] if c["check"].startswith("expect ")}

    def test_checks_and_status(self):
        self.assertEqual(self.checks("--expect-ranks", "4", "--expect", "network=IB,gdr", self.healthy),
                         {"expect ranks=4": "pass", "expect network=IB": "fail", "expect gdr": "unknown"})
        self.assertEqual(run("--expect-ranks", "4", self.healthy).returncode, 0)
        self.assertEqual(run("--expect-ranks", "8", self.healthy).returncode, 1)
        self.assertEqual(run("--expect-ranks", "8", "--fail-on", "never", self.healthy).returncode, 0)
        self.assertEqual(run("--expect-ranks", "8", "--ignore", "NCA801", self.healthy).returncode, 0)

    def test_unknown_is_not_pass(self):
        self.assertEqual(run("--expect", "gdr", self.healthy).returncode, 0)
        self.assertEqual(run("--expect", "gdr", "--fail-on", "warning", self.healthy).returncode, 1)
        self.assertIn(b"NCA802", run("--expect", "gdr", self.healthy).stdout)

    def test_nothing_to_judge(self):
        self.assertEqual(run("--expect-ranks", "8", data=b"hello\n").returncode, 2)
        self.assertEqual(run("--expect-ranks", "8", "--fail-on", "never", data=b"hello\n").returncode, 0)

    def test_profile(self):
        names = run("profiles").stdout.decode()
        self.assertIn("p5.48xlarge", names)
        mine = self.folder / "mine.json"
        mine.write_bytes(run("profiles", "p5.48xlarge").stdout)
        self.assertEqual(self.checks("--profile", mine, self.healthy),
                         self.checks("--profile", "p5.48xlarge", self.healthy))
        self.assertEqual(self.checks("--profile", mine, "--expect", "gpus=4", self.healthy)["expect gpus=4"], "pass")
        self.assertNotIn("expect gpus=8", self.checks("--profile", mine, "--expect", "gpus=4", self.healthy))
        self.assertEqual(run("--profile", "p5.48xlarge", self.healthy).returncode, 1)

    def test_bandwidth_without_a_log(self):
        for name in (line.split()[0] for line in run("profiles").stdout.decode().splitlines()):
            text = run("expect-bandwidth", name, "--hosts", "4")
            self.assertEqual((text.returncode, text.stderr), (0, b""), name)
            self.assertTrue(text.stdout.decode().startswith(f"{name}: "), text.stdout)
            found = json.loads(run("expect-bandwidth", name, "-f", "json").stdout)
            self.assertEqual(found["schema"], "nccl-analyze.expected-bandwidth")
            self.assertEqual({row["collective"] for row in found["ceilings"]},
                             {"AllReduce", "AllGather", "ReduceScatter", "Broadcast", "AlltoAll", "SendRecv"})
            for row in found["ceilings"]:
                self.assertTrue((row["busbw"] is None) == (row["limit"] is None))
                self.assertTrue(row["busbw"] or row["missing"], row)
        one = json.loads(run("expect-bandwidth", "dgx-h100", "--hosts", "1", "-f", "json").stdout)
        self.assertEqual({row["hosts"] for row in one["ceilings"]}, {1})
        self.assertEqual([(row["algorithm"], round(row["busbw"], 1)) for row in one["ceilings"]][:2],
                         [("ring, tree", 370.8), ("NVLS", 576.8)])
        output = self.folder / "expected.json"
        output.write_bytes(run("expect-bandwidth", "dgx-h100", "-f", "json").stdout)
        self.assertIn("what collectives can reach", run(output).stderr.decode())

    def test_bandwidth_mistakes(self):
        self.assert_one_line(run("expect-bandwidth", "dgx-h10"), "dgx-h100")
        self.assert_one_line(run("expect-bandwidth"), "PROFILE")
        self.assert_one_line(run("expect-bandwidth", "dgx-h100", "--hosts", "0"), "--hosts")
        self.assert_one_line(run("expect-bandwidth", "dgx-h100", "-f", "html"), "html")
        self.assert_one_line(run("--brief", "expect-bandwidth", "dgx-h100"), "--brief")

    def test_merged_summaries_are_judged_alike(self):
        summary = self.folder / "1.sum"
        summary.write_bytes(run("-f", "summary", "--fail-on", "never", self.healthy).stdout)
        arguments = ("--profile", "dgx-a100", "--expect-ranks", "4")
        self.assertEqual(report("merge", *arguments, summary)["checks"], report(*arguments, self.healthy)["checks"])

    def test_site_rules(self):
        rules = self.folder / "rules.json"
        rules.write_text(json.dumps({"rules": [
            {"id": "ACME1", "name": "no-efa", "severity": "error", "title": "No EFA",
             "message": "No eligible providers"},
            {"id": "ACME2", "name": "old-nccl", "severity": "warning", "title": "Old NCCL",
             "when": {"version<": "2.28"}}]}))
        found = report("--rules", rules, self.broken)["findings"]
        ours = {f["rule"]: f for f in found if f["rule"].startswith("ACME")}
        self.assertEqual(sorted(ours), ["ACME1", "ACME2"])
        self.assertIn("No eligible providers", ours["ACME1"]["evidence"][0]["text"])
        self.assertEqual(ours["ACME1"]["hosts"], ["llama-3-8b-node-0-0"])
        selected = report("--rules", rules, "--select", "ACME", "--ignore", "old-nccl", self.broken)["findings"]
        self.assertEqual([f["rule"] for f in selected], ["ACME1"])
        self.assertEqual(run("--rules", rules, "--fail-on", "warning", self.healthy).returncode, 1)

        summary = self.folder / "1.sum"
        summary.write_bytes(run("-f", "summary", "--fail-on", "never", self.broken).stdout)
        merged = report("merge", "--rules", rules, summary)
        self.assertEqual([f["rule"] for f in merged["findings"] if f["rule"].startswith("ACME")], ["ACME2"])
        self.assertIn("ACME1", [n["rule"] for n in merged["not_evaluated"]])

    def test_mistakes(self):
        bad = self.folder / "bad.json"
        bad.write_text('{"rules": [\n{"id": "acme"}]}')
        self.assert_one_line(run("--rules", bad, self.healthy), "bad.json:2", "acme")
        self.assert_one_line(run("--profile", bad, self.healthy), "bad.json:1", "expect")
        self.assert_one_line(run("--rules", self.folder / "missing.json", self.healthy), "missing.json", "No such file")
        self.assert_one_line(run("--profile", self.folder, self.healthy), str(self.folder), "directory")
        self.assert_one_line(run("--profile", "p9.48xlarge", self.healthy), "p9.48xlarge", "profiles")
        self.assert_one_line(run("profiles", "p9.48xlarge"), "p9.48xlarge")
        self.assert_one_line(run("--expect", "nic=4", self.healthy), "nic", "nics")
        self.assert_one_line(run("--expect-ranks", "0", self.healthy), "--expect-ranks")
        self.assert_one_line(run("--expect-ranks", "many", self.healthy), "--expect-ranks")
        self.assert_one_line(run("--unrecognized", "--expect", "gdr", self.healthy), "--expect")
