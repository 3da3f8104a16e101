"""`--select`, `--ignore`, `--host` and `--comm`."""
import json

from program import JOBS, Case, report, run


class Filters(Case):
    def test_select_and_ignore(self):
        names = lambda *arguments: {f["name"] for f in report(*arguments, self.broken)["findings"]}
        everything = names()
        self.assertIn("net-plugin-failed", everything)
        self.assertEqual(names("--select", "NCA301"), {"net-plugin-failed"})
        self.assertEqual(names("--ignore", "net-plugin-failed"), everything - {"net-plugin-failed"})
        self.assertNotIn("net-plugin-failed", names("--select", "NCA1,NCA2"))
        self.assertEqual(names("--select", "nca3", "--ignore", "NCA3"), set())
        self.assertEqual(run("--ignore", "NCA3", "--fail-on", "error", self.broken).returncode, 0)

    def test_host_narrows_processes_and_events(self):
        split = JOBS / "split-2x4/input.log"
        hosts = lambda *arguments: {p["host"] for p in report(*arguments, split)["processes"]}
        self.assertEqual(hosts(), {"train-job-worker-0", "train-job-worker-1"})
        self.assertEqual(hosts("--host", "worker-1$"), {"train-job-worker-1"})
        self.assert_one_line(run("--host", "elsewhere", split), "train-job-worker-0")
        events = run("-f", "events", "--fail-on", "never", "--host", "worker-1$", split).stdout.splitlines()
        self.assertEqual({json.loads(line)["host"] for line in events}, {"train-job-worker-1"})

    def test_comm_narrows_to_one_communicator_with_its_graph(self):
        split = JOBS / "split-2x4/input.log"
        everything = report(split)["communicators"]
        chosen = next(c for c in everything if c["parent"] is not None)
        narrowed = report("--comm", chosen["ranks"][0]["comm"], split)
        [comm] = narrowed["communicators"]
        self.assertEqual(comm["rings"], chosen["rings"])
        self.assertEqual(comm["connections"], chosen["connections"])
        self.assertEqual(len(narrowed["processes"]), len(chosen["ranks"]))
        self.assert_one_line(run("--comm", "0x1", split), "--comm")
