"""What people and their scripts read in reports."""
import json
import re

from job_log import HOSTS, job
from program import JOBS, Case, Watched, report, run


def words(done):
    """The report without its line breaks."""
    return re.sub(r"\s+", " ", done.stdout.decode())


class Calls(Case):
    def test_ranks_behind(self):
        data = job([174, 173, 174, 174])
        self.assertIn("Progress AllReduce 174: 3 of 4 ranks; rank 1 is at 173", words(run(data=data)))
        found = report(data=data)
        [progress] = found["progress"]
        self.assertEqual((progress["operation"], progress["number"], progress["reached"]), ("AllReduce", 174, "0,2-3"))
        self.assertEqual([(b["rank"], b["number"]) for b in progress["behind"]], [(1, 173)])
        self.assertEqual([r["last_call"]["number"] for r in found["ranks"]], [174, 173, 174, 174])

    def test_all_at_one_call(self):
        self.assertIn("Progress AllReduce 9: all 4 ranks", words(run(data=job([9] * 4))))

    def test_calls_without_an_initialisation(self):
        data = job([20, 20, 18, 20], init=False, first_call=100)
        self.assertIn("Progress AllReduce 120: 3 of 4 ranks; gpu-a2:702 (GPU 0) is at 118", words(run(data=data)))
        [progress] = report(data=data)["progress"]
        self.assertIsNone(progress["communicator"])
        self.assertEqual([(b["rank"], b["host"], b["number"]) for b in progress["behind"]], [(None, "gpu-a2", 118)])

    def test_calls_that_nobody_numbers(self):
        data = job([5, 5, 4, 5], init=False).replace(b"opCount 0 ", b"opCount 9 ")
        self.assertEqual(report(data=data)["progress"], [])

    def test_a_log_cut_in_two(self):
        lines = job([6, 6, 6, 6]).splitlines(keepends=True)
        (self.folder / "a.log").write_bytes(b"".join(lines[:-3]))
        (self.folder / "b.log").write_bytes(b"".join(lines[-3:]))
        for progress in report(self.folder)["progress"]:  # what rank 3 called is in two files: it is not behind
            self.assertEqual(progress["behind"], [])

    def test_a_stalled_job(self):
        watched = Watched("--stall", "0.3s")
        self.addCleanup(watched.kill)
        watched.write(job([12, 12, 12, 9]))
        watched.wait_for("no NCCL line for 0.3 s: AllReduce 12: 3 of 4 ranks; rank 3 is at 9")
        watched.end()

    def test_a_summary_tells_the_same(self):
        for options in ({}, {"init": False}):
            summary = self.folder / "1.sum"
            data = job([200, 199, 200, 200], **options)
            summary.write_bytes(run("-f", "summary", "--fail-on", "never", data=data).stdout)
            self.assertEqual(report("merge", summary)["progress"], report(data=data)["progress"])


class Names(Case):
    def test_name_in_every_report(self):
        data = job([0] * 4, name="tensor_parallel:7")
        [comm] = report(data=data)["communicators"]
        self.assertEqual(comm["name"], "tensor_parallel:7")
        self.assertIn("communicator tensor_parallel:7 (0x5be11f0c2d9a7e01)", words(run(data=data)))
        self.assertIn(b"tensor_parallel:7", run("-f", "dot", data=data).stdout)

    def test_ranks_that_differ_have_none(self):
        data = job([0] * 4, name="a").replace(b"name set to a", b"name set to b", 1)
        self.assertIsNone(report(data=data)["communicators"][0]["name"])

    def test_profiler_plugin(self):
        line = b"PROFILER/Plugin: init commName: default_pg commHash: 6620291452234629633 nranks: 4 rank: 0"
        data = b"".join(part + (b"\n" + part.split(b"NCCL INFO")[0] + b"NCCL INFO " + line if part.endswith(b"START") else b"") + b"\n"
                        for part in job([0] * 4).splitlines())
        self.assertEqual(report(data=data)["communicators"][0]["name"], "default_pg")

    def test_chosen_by_name_or_number(self):
        first = job([0] * 4, name="dp:0")
        second = job([0] * 4, name="tp:1", comm_id="0x1111", pid=900)
        for word, name in (("tp:1", "tp:1"), ("#1", "tp:1"), ("0", "dp:0"), ("0x1111", "tp:1")):
            with self.subTest(word):
                [comm] = report("--comm", word, data=first + second)["communicators"]
                self.assertEqual(comm["name"], name)
        self.assert_one_line(run("--comm", "pp:2", data=first + second), "dp:0", "tp:1", "#1")


class Address(Case):
    def test_ranks_have_an_address(self):
        rank = report(data=job([0] * 4, pods=True))["ranks"][2]
        self.assertEqual([rank[key] for key in ("rank", "host", "pod", "container", "pid", "gpu", "bus_id", "state")],
                         [2, "gpu-a2", "train-worker-2", "trainer", 702, 4, "1000", "complete"])

    def test_pods_stand_in_the_text(self):
        self.assertIn("pods train-worker-[0-3]", words(run(data=job([0] * 4, pods=True))))

    def test_verdict(self):
        self.assertEqual(report(self.broken)["verdict"]["status"], "error")
        self.assertEqual(report(self.healthy)["verdict"]["status"], "ok")
        self.assertEqual(report(data=b"hello\n")["verdict"]["status"], "unknown")

    def test_unknown_ranks_and_places_are_no_numbers(self):
        found = report(data=b"h:101:103 [0] NCCL INFO Channel 01/02 :    0   1\n")
        self.assertNotIn("-1", json.dumps([f["ranks"] for f in found["findings"]]))
        self.assertNotIn(-1, [r["rank"] for c in found["communicators"] for r in c["ranks"]])
        found = report(data=b"NCCL version 2.21.5+cuda12.4\nh:1:1 [0] NCCL INFO cudaDriverVersion 11040\n")
        self.assertTrue(found["findings"])
        for finding in found["findings"]:
            self.assertTrue(all(e["line"] > 0 for e in finding["evidence"]))


class Gate(Case):
    def test_nothing_is_no_pass(self):
        for data in (b"", b"hello\n"):
            self.assertEqual(run(data=data).returncode, 0)
            self.assertEqual(run("--fail-on", "unknown", data=data).returncode, 1)
            self.assertEqual(run("--fail-on", "warning", "--fail-on", "unknown", data=data).returncode, 1)
            self.assertEqual(run("--profile", "dgx-a100", data=data).returncode, 1)
            self.assertEqual(run("--profile", "dgx-a100", "--fail-on", "never", data=data).returncode, 0)

    def test_unknown_keeps_the_severity(self):
        self.assertEqual(run("--fail-on", "unknown", self.broken).returncode, 1)
        self.assertEqual(run("--fail-on", "error,unknown", self.healthy).returncode, 0)

    def test_a_missing_node(self):
        half = job([0] * 4)[:len(job([0] * 4)) // 2]
        self.assertEqual(run("--fail-on", "error", data=half).returncode, 0)
        done = run("--fail-on", "unknown", data=half)
        self.assertEqual(done.returncode, 1)
        self.assertIn(b"2 of 4 ranks", done.stderr)

    def test_an_open_expectation(self):
        self.assertEqual(run("--expect", "gdr", self.healthy).returncode, 0)
        self.assertEqual(run("--expect", "gdr", "--fail-on", "unknown", self.healthy).returncode, 1)

    def test_nothing_could_be_read(self):
        for word in ("never", "error", "unknown"):
            self.assertEqual(run("--fail-on", word, self.folder / "missing.log").returncode, 2)

    def test_one_cause_is_one_block(self):
        data = job([0] * 4).replace(b"Init COMPLETE\n", b"Init COMPLETE\n", 1)
        findings = report("--expect", "nics-used>=8,gdr,network=IB,nics>=8", data=data)["findings"]
        failed = [f for f in findings if f["rule"] == "NCA801"]
        self.assertEqual(len(failed), 1, [f["message"] for f in failed])
        self.assertIn("network=IB", failed[0]["message"])
        self.assertTrue(failed[0]["consequences"])
        for finding in [failed[0], *failed[0]["consequences"]]:
            for evidence in finding["evidence"]:
                self.assertIn("Using network", evidence["text"])


class Jobs(Case):
    def test_two_runs_in_one_folder(self):
        (self.folder / "mon.log").write_bytes(job([3] * 4))
        self.assertNotIn("jobs in this input", words(run(self.folder)))
        (self.folder / "tue.log").write_bytes(job([5] * 4, pid=900, comm_id="0x2222"))
        text = words(run(self.folder))
        self.assertIn("2 jobs in this input", text)
        self.assertRegex(text, "job 1: 4 ranks in [^ ]*mon.log: ok: no fault found.* job 2: 4 ranks in [^ ]*tue.log: ok: no fault")
        (self.folder / "tue.log").write_bytes(
            job([5] * 4, pid=900, comm_id="0x2222") + b"Traceback (most recent call last):\n"
            b"  File \"train.py\", line 3, in <module>\nValueError: no such shard\n")
        text = words(run(self.folder))
        self.assertRegex(text, "mon.log: ok: no fault found.*tue.log: error: NCA901 application-error")
        jobs = report(self.folder)["jobs"]
        self.assertEqual([(one["sources"], one["verdict"]["status"]) for one in jobs], [([0], "ok"), ([1], "error")])
        (self.folder / "tue.log").write_bytes(
            b"".join(line for line in job([5] * 4, pid=900, comm_id="0x2222").splitlines(True)
                     if b"COMPLETE" not in line and b"Connected" not in line))
        jobs = report(self.folder)["jobs"]
        self.assertEqual([one["verdict"]["status"] for one in jobs], ["ok", "unknown"])

    def test_one_job_is_not_listed(self):
        self.assertEqual(report(data=job([0] * 4))["jobs"], [])

    def test_worlds_of_their_own_are_one_job(self):
        for host in HOSTS:
            (self.folder / f"{host}.log").write_bytes(
                job([1] * 4, comm_id=f"0x{len(host)}{host[-1]}").replace(HOSTS[0].encode(), host.encode())
                .replace(HOSTS[1].encode(), host.encode()))
        self.assertNotIn("jobs in this input", words(run(self.folder)))


class Ranks(Case):
    def test_columns(self):
        done = run("ranks", JOBS / "rank-killed/input.log")
        self.assertEqual(done.returncode, 0)
        lines = done.stdout.decode().splitlines()
        self.assertEqual(lines[0], "communicator 0x6cbee606acbad43a: 8 of 8 ranks in this input")
        self.assertEqual(re.split(r"  +", lines[1]), ["rank", "host", "pid", "GPU", "state", "init (s)", "suspected by"])
        rows = [line.split() for line in lines[2:]]
        self.assertEqual([row[0] for row in rows], [str(rank) for rank in range(8)])
        self.assertEqual([row[-1] for row in rows], ["-"] * 5 + ["NCA606"] + ["-"] * 2)

    def test_names_are_those_of_the_whole_input(self):
        log = JOBS / "split-2x4/input.log"
        self.assertIn(b"communicator #1: 4 of 4 ranks", run("ranks", log, "--comm", "#1").stdout)
        self.assertIn("communicator #1: 4 ranks", words(run(log, "--comm", "#1")))

    def test_options_of_a_report_are_refused(self):
        done = run("-f", "json", "ranks", JOBS / "rank-killed/input.log")
        self.assertEqual((done.returncode, done.stdout), (2, b""))
        self.assertIn(b"ranks and --format before it do not go together", done.stderr)

    def test_nothing_to_list(self):
        self.assertEqual(run("ranks", data=b"h:1:1 [0] NCCL INFO x\n").stdout,
                         b"no rank of a communicator of several is in this input\n")
