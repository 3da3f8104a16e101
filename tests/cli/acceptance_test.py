"""The acceptance of a cluster: the matrix in every format, and JUnit."""
import json
import re
import xml.etree.ElementTree as ET

from program import JOBS, Case, report, run

JOB = JOBS / "mnnvl-2x4"


def junit(*arguments, data=b""):
    return ET.fromstring(run("-f", "junit", "--fail-on", "never", *arguments, data=data).stdout)


class Acceptance(Case):
    def logs(self):
        return sorted(JOB.glob("*.log"))

    def hosts(self):
        return sorted({process["host"] for process in report(*self.logs())["processes"]})

    def assert_junit(self, root):
        """The attributes that CI systems read, and counts that agree with the cases."""
        self.assertEqual(root.tag, "testsuites")
        for counted, suites in [(root, list(root))] + [(suite, [suite]) for suite in root]:
            cases = [case for suite in suites for case in suite]
            self.assertEqual(int(counted.get("tests")), len(cases))
            self.assertEqual(int(counted.get("failures")), sum(case.find("failure") is not None for case in cases))
            self.assertEqual(int(counted.get("skipped")), sum(case.find("skipped") is not None for case in cases))
            self.assertEqual(counted.get("errors"), "0")
        for suite in root:
            self.assertEqual(suite.tag, "testsuite")
            self.assertTrue(suite.get("name"))
            for case in suite:
                self.assertEqual(case.tag, "testcase")
                self.assertRegex(case.get("classname"), "^nccl-analyze.(NCA.|S.*)$" if suite.get("name") == "rules" else
                                 "^nccl-analyze." + re.escape(suite.get("name")) + "$")
                self.assertTrue(case.get("name"))
                for child in case:
                    self.assertIn(child.tag, ("failure", "skipped"))
                    self.assertTrue(child.get("message"))

    def test_every_case_of_junit(self):
        for job in sorted(JOBS.iterdir()):
            with self.subTest(job.name):
                self.assert_junit(junit("--profile", "dgx-h100", *sorted(job.glob("*.log"))))
                self.assert_junit(junit(*sorted(job.glob("*.log"))))

    def test_a_suite_for_each_node_and_the_same_answers_as_json(self):
        arguments = ("--expect", "gpus=4,network=IB,ranks=8", *self.logs())
        root = junit(*arguments)
        self.assertEqual([suite.get("name") for suite in root], ["job", *self.hosts(), "rules"])
        self.assertIn("expect ranks=8", [case.get("name") for case in root[0]])
        matrix = report(*arguments)["acceptance"]
        self.assertEqual([column["key"] for column in matrix["columns"]], ["gpus", "network"])
        for suite, node in zip(root[1:], matrix["nodes"]):
            answers = {None: "pass", "failure": "fail", "skipped": "unknown"}
            self.assertEqual([answers[next((child.tag for child in case), None)] for case in suite],
                             [cell["status"] for cell in node["cells"]])
            for case, cell in zip(suite, node["cells"]):
                for child in case:
                    self.assertIn(cell["seen"] or "no line", child.get("message"))

    def test_a_host_without_a_log_never_passes(self):
        listed = ",".join(self.hosts()) + ",spare[01-03]"
        arguments = ("--expect", "gpus=4,hosts=" + listed, *self.logs())
        matrix = report(*arguments)["acceptance"]
        self.assertEqual([node["name"] for node in matrix["nodes"] if not node["has_log"]],
                         ["spare01", "spare02", "spare03"])
        self.assertTrue(all(node["status"] == "fail" for node in matrix["nodes"] if not node["has_log"]))
        done = run(*arguments)
        self.assertEqual(done.returncode, 1)
        self.assertIn(b"spare[01-03]: no log in this input", done.stdout)
        self.assertIn(b"no log of 3 of 5 hosts (spare[01-03])", done.stdout)
        suite = [suite for suite in junit(*arguments) if suite.get("name") == "spare02"][0]
        self.assertEqual([child.tag for case in suite for child in case], ["skipped", "failure"])
        self.assertEqual(run("--expect", "hosts=" + ",".join(self.hosts()), *self.logs()).returncode, 0)

    def test_part_of_a_job(self):
        """The other nodes of the job are counted, though no line names them."""
        matrix = report("--expect", "gpus=1", self.broken)["acceptance"]
        self.assertEqual((len(matrix["nodes"]), matrix["unlogged_nodes"]), (1, 3))
        self.assertIn(b"1 of 4 nodes pass", run("--expect", "gpus=1", self.broken).stdout)

    def test_text_markdown_and_html_show_it(self):
        arguments = ("--profile", "dgx-a100", *self.logs())
        for form in ("text", "markdown", "html"):
            with self.subTest(form):
                page = run("-f", form, "--fail-on", "never", *arguments).stdout.decode()
                self.assertIn("0 of 2 nodes pass dgx-a100", page)
                self.assertIn("DGX A100 User Guide", page)
                self.assertNotIn("0 of 2 nodes pass", run("-f", form, *self.logs()).stdout.decode())

    def test_nothing_expected(self):
        self.assertNotIn("acceptance", report(self.healthy))
        self.assertEqual([suite.get("name") for suite in junit(self.healthy)], ["job", "rules"])

    def test_host_narrows_the_matrix(self):
        first = self.hosts()[0]
        matrix = report("--expect", "gpus=4", "--host", f"^{first}$", *self.logs())["acceptance"]
        self.assertEqual([node["name"] for node in matrix["nodes"]], [first])

    def test_hostile_names(self):
        for host in (b"a<b>&\"'", b"\x1b[31mred", b"\xff\xfe\x80", b"\xef\xbf\xbf", b"a]]>b", b"\xe2\x80\xae"):
            with self.subTest(host):
                log = b"".join(b"%s:1:1 [0] NCCL INFO %s\n" % (host, text) for text in (
                    b"NCCL version 2.27.3+cuda12.9", b"Using network <IB>",
                    b"comm 0x1 rank 0 nranks 2 cudaDev 0 nvmlDev 0 busId 1000 commId 0x5 - Init START"))
                self.assert_junit(junit("--expect", "network=Socket,gdr", data=log))
                run("-f", "json", "--expect", "network=Socket", data=log).stdout.decode()

    def test_mistakes_in_lists_of_hosts(self):
        for words in ("hosts=a[0-999999999999]", "hosts=a[", "hosts=a[1-2", "hosts=[1-9][1-99999]", "hosts=a b"):
            with self.subTest(words):
                self.assert_one_line(run("--expect", words, self.healthy), "hosts")

    def test_profiles_name_their_source(self):
        for line in run("profiles").stdout.decode().splitlines():
            name = line.split()[0]
            self.assertGreater(len(json.loads(run("profiles", name).stdout)["source"]), 20, name)

    def test_merged_summaries_give_the_same_matrix(self):
        arguments = ("--expect", "gpus=4,nics>=1,init<=60s,hosts=x[1-2]")
        parts = []
        for number, log in enumerate(self.logs()):
            part = self.folder / f"{number}.sum"
            part.write_bytes(run("-f", "summary", "--fail-on", "never", log).stdout)
            parts.append(part)
        self.assertEqual(report("merge", *arguments, *parts)["acceptance"],
                         report(*arguments, *self.logs())["acceptance"])
