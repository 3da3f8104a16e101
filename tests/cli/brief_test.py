"""`--format json --brief`: one line of JSON that fits into the termination message of a container."""
import json

from program import Case, JOBS, TESTDATA, run

LIMIT = 4096


class Brief(Case):
    def brief(self, *arguments, data=b""):
        done = run("-f", "json", "--brief", *arguments, data=data)
        self.assertLessEqual(len(done.stdout), LIMIT)
        self.assertEqual(done.stdout.count(b"\n"), 1)
        self.assertTrue(done.stdout.endswith(b"\n"))
        return json.loads(done.stdout), done.returncode

    def test_verdict_root_suspects_and_fix(self):
        brief, status = self.brief(self.broken)
        report = json.loads(run("-f", "json", self.broken).stdout)
        first = report["findings"][0]
        self.assertEqual(status, 1)
        self.assertEqual((brief["schema"], brief["version"]), ("nccl-analyze.brief", 1))
        self.assertEqual((brief["status"], brief["headline"]),
                         (report["verdict"]["status"], report["verdict"]["headline"]))
        self.assertEqual((brief["root"]["rule"], brief["root"]["name"]), (first["rule"], first["name"]))
        self.assertEqual(brief["root"]["evidence"]["line"], first["evidence"][0]["line"])
        self.assertEqual([one["rank"] for one in brief["root"]["suspects"]],
                         [one["rank"] for one in first["suspects"]])
        self.assertTrue(brief["root"]["fix"])

    def test_healthy_job_has_no_root(self):
        brief, status = self.brief(self.healthy)
        self.assertEqual((brief["status"], brief["root"], status), ("ok", None, 0))

    def test_every_case_fits(self):
        for log in sorted([*JOBS.glob("*/input.log"), *(TESTDATA / "damaged").glob("*/input.log")]):
            with self.subTest(log=log):
                self.brief(log)

    def test_texts_that_grow_when_they_are_escaped_fit(self):
        line = "host:1:1 [0] NCCL WARN Cuda failure 2 '" + "\\\x01\"é" * 2000 + "'\n"
        brief, _ = self.brief(data=line.encode())
        self.assertEqual(brief["root"]["rule"], "NCA602")

    def test_goes_with_json_only(self):
        self.assert_one_line(run("--brief", self.broken), "--brief goes with --format json")

    def test_is_not_read_as_a_log(self):
        text = run("-f", "json", "--brief", self.broken).stdout
        (self.folder / "brief.json").write_bytes(text)
        self.assertIn(b"a short report of nccl-analyze", run(self.folder).stderr)
