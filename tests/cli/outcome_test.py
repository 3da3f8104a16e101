"""What became of the job: verdict.outcome, restarts, inputs that end early or cannot be read."""
import gzip
import json
import re

from program import Case, JOBS, TESTDATA, report, run

TRAIL = b"""gpu-a7:512:540 [0] graph/xml.h:101 NCCL WARN Attribute arch of node cpu not found
gpu-a7:512:540 [0] NCCL INFO graph/topo.cc:773 -> 3
gpu-a7:512:540 [0] NCCL INFO init.cc:1548 -> 3
gpu-a7:512:540 [0] NCCL INFO init.cc:1799 -> 3
"""


def outcome(*arguments, data=b""):
    """Returns the outcome, and its lines as numbers."""
    verdict = report(*arguments, data=data)["verdict"]
    return verdict["outcome"], [one["line"] for one in verdict["outcome_lines"]]


class Outcome(Case):
    def test_completed(self):
        word, lines = outcome(self.healthy)
        self.assertEqual(word, "completed")
        text = self.healthy.read_text().splitlines()
        self.assertTrue(lines)
        for line in lines:
            self.assertIn("Destroy COMPLETE", text[line - 1])

    def test_failed_is_an_error_whatever_the_cause_is_called(self):
        self.assertEqual(outcome(data=TRAIL), ("failed", [3, 4]))
        self.assertEqual(run(data=TRAIL).returncode, 1)
        for form in ("text", "markdown", "html"):
            self.assertIn(b"The job failed", run("-f", form, data=TRAIL).stdout)

    def test_a_trail_that_stays_inside_is_no_proof(self):
        inside = TRAIL[:TRAIL.index(b"gpu-a7:512:540 [0] NCCL INFO init")]
        self.assertEqual(outcome(data=inside)[0], "unknown")
        self.assertEqual(run(data=inside).returncode, 0)

    def test_running(self):
        log = b"".join(line for line in self.healthy.read_bytes().splitlines(True) if b"Destroy" not in line)
        self.assertEqual(outcome(data=log)[0], "running")

    def test_hung(self):
        self.assertEqual(outcome(TESTDATA / "rules/watchdog-timeout/fires/input.log")[0], "hung")

    def test_results_prove_success(self):
        table = b"""# nThread 1 nGpus 1 minBytes 1048576 maxBytes 1048576 step: 1048576(bytes) warmup iters: 5 iters: 20
#       size         count      type   redop    root     time   algbw   busbw #wrong     time   algbw   busbw #wrong
#        (B)    (elements)                               (us)  (GB/s)  (GB/s)            (us)  (GB/s)  (GB/s)
     1048576        262144     float     sum      -1    52.41   20.01   37.52      0    51.98   20.17   37.82      0
# Out of bounds values : 0 OK
# Avg bus bandwidth    : 37.67
#
"""
        end = table[table.index(b"# Out of bounds"):]
        for text in (table, end, b"n0:9:9 [0] NCCL INFO comm 0x8 rank 1 nranks 2 cudaDev 1 busId b000 - Destroy COMPLETE\n" + end):
            found = report(data=text)["verdict"]
            self.assertEqual((found["outcome"], found["status"]), ("completed", "ok"))


    def test_steps_of_training_prove_that_the_job_goes_on(self):
        log = b"""n1:100:200 [0] NCCL INFO NET/Socket : Using [0]eth0:10.0.0.1<0>
n1:100:200 [0] enqueue.cc:43 NCCL WARN Cuda failure 2 'out of memory'
torch.cuda.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB
"""
        steps = b"".join(b"step %d loss 2.%d\n" % (number, 9 - number) for number in range(1, 5))
        self.assertEqual(report(data=log)["verdict"]["status"], "error")
        for text in (log + steps, steps + log.partition(b"\n")[2] + steps.replace(b"step ", b"step 1")):
            found = report(data=text)["verdict"]
            self.assertEqual((found["status"], found["outcome"]), ("ok", "running"))
        self.assertEqual(report(data=log + steps[:34])["verdict"]["status"], "error", "two further steps must follow")
        self.assertEqual(report(data=steps)["verdict"]["status"], "unknown", "no NCCL line")


    def test_a_plugin_that_failed_ends_no_job(self):
        log = TESTDATA / "rules/net-plugin-failed/fires_symbol/input.log"
        self.assertEqual((run(log).returncode, outcome(log)), (1, ("unknown", [])))

    def test_the_end_of_a_split_communicator_is_not_the_end_of_the_job(self):
        text = (JOBS / "split-2x4/input.log").read_bytes()
        self.assertEqual(outcome(data=text)[0], "completed")
        splits = [line.split(b" - Init COMPLETE")[0].split(b" comm ")[1].split()[0]
                  for line in text.splitlines() if b"ncclCommSplit" in line and b"COMPLETE" in line]
        without_root = b"".join(line for line in text.splitlines(True)
                                if b"Destroy COMPLETE" not in line or line.split(b"comm ")[1].split()[0] in splits)
        self.assertEqual(outcome(data=without_root)[0], "running")
        steps = b"".join(b"step %d loss 2.%d\n" % (number, 9 - number) for number in range(1, 5))
        self.assertEqual(outcome(data=text + steps)[0], "running")


class OtherPrograms(Case):
    LINES = (b"[INFO] registered handler for OOMKilled containers",
             b"torch.cuda.OutOfMemoryError: CUDA out of memory. -- retrying with batch size 4",
             b"faulthandler enabled: will print a traceback on Segmentation fault",
             b"Namespace(model='gpt', on_error='CUDA error: device-side assert')")

    def test_words_without_a_proof_are_no_finding(self):
        lines = self.healthy.read_bytes().splitlines(True)
        for words in self.LINES:
            for place in (0, 60, len(lines)):
                with self.subTest(words=words, place=place):
                    data = b"".join(lines[:place]) + words + b"\n" + b"".join(lines[place:])
                    done = run(data=data)
                    self.assertEqual(done.returncode, 0)
                    self.assertTrue(done.stdout.startswith(b"OK "), done.stdout[:200])
                    self.assertEqual(run("--fail-on", "warning", data=data).returncode, 0)

    def test_source_beside_the_log(self):
        (self.folder / "a.log").write_bytes(self.healthy.read_bytes())
        (self.folder / "train.py").write_text("try:\n    step()\nexcept OutOfMemoryError:  # CUDA out of memory\n"
                                              "    raise RuntimeError('CUDA error: unspecified launch failure')\n")
        self.assertEqual(report(self.folder)["verdict"]["status"], "ok")

    def test_a_program_beside_the_log_is_set_aside_and_named(self):
        quoted = "torch.cuda.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB.\n"
        program = self.folder / "errors.py"
        program.write_text('"""What users report:\n\n' + quoted + '"""\n')
        self.assertEqual(report(program)["verdict"]["status"], "error", "no log is beside it")
        (self.folder / "a.log").write_bytes(self.healthy.read_bytes())
        self.assertEqual(report(self.folder)["verdict"]["status"], "ok")
        self.assertIn(b"errors.py is a program or a document", run(self.folder).stdout)
        (self.folder / "b.log").write_text(quoted)
        self.assertEqual(report(self.folder)["verdict"]["status"], "error", "b.log is a log")

    def test_reports_still_count(self):
        for words in (b"torch.cuda.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB.",
                      b"[gpu-a7:512 :0:512] Caught signal 11 (Segmentation fault: address not mapped to object)",
                      b"slurmstepd: error: Detected 1 oom_kill event in StepId=77.0."):
            with self.subTest(words):
                self.assertEqual(run(data=self.healthy.read_bytes() + words + b"\n").returncode, 1)


class Restarts(Case):
    def test_the_current_container_decides(self):
        log = (JOBS / "rank-killed/input.log").read_bytes()
        (self.folder / "trainer.previous.log").write_bytes(log)
        (self.folder / "trainer.log").write_bytes((JOBS / "split-2x4/input.log").read_bytes())
        found = report(self.folder)
        self.assertEqual((found["verdict"]["status"], found["verdict"]["outcome"]), ("ok", "completed"))
        self.assertIn("In an earlier attempt: ", " ".join(one["message"] for one in found["findings"]))
        (self.folder / "trainer.log").unlink()
        self.assertEqual(report(self.folder)["verdict"]["status"], "error")

    def test_equal_pids_in_one_stream(self):
        found = report(TESTDATA / "rules/process-died/milder_restarted/input.log")
        self.assertEqual((found["verdict"]["status"], found["verdict"]["outcome"]), ("ok", "completed"))
        self.assertEqual(len(found["processes"]), 16)

    def test_other_pids_in_one_stream(self):
        lines = (TESTDATA / "rules/process-died/milder_restarted/input.log").read_bytes().splitlines(True)
        begin = lines.index(lines[0], 1)
        second = [re.sub(rb"^([^:]+:)1", rb"\g<1>2", line) for line in lines[begin:]]
        found = report(data=b"".join(lines[:begin] + second))
        self.assertEqual((found["verdict"]["status"], found["verdict"]["outcome"]), ("ok", "completed"))
        self.assertEqual(len({one["pid"] for one in found["processes"]}), 8)
        elsewhere = b"".join(lines[:begin]) + b"".join(second).replace(b"worker-", b"other-")
        self.assertEqual(report(data=elsewhere)["verdict"]["status"], "error", "other hosts are another job")

    def test_a_fault_of_every_attempt_counts(self):
        self.assertEqual(run(data=20 * self.broken.read_bytes()).returncode, 1)


class Gaps(Case):
    def test_a_cut_archive_ends_early_and_is_no_hang(self):
        log = (JOBS / "split-2x4/input.log").read_bytes()
        lines = log.splitlines(True)
        started = next(i for i, line in enumerate(lines) if b"Init COMPLETE" in line)
        packed = gzip.compress(b"".join(lines[:started]))
        cut = self.folder / "a.log.gz"
        cut.write_bytes(packed[:len(packed) * 9 // 10])
        done = run(cut, "--format", "json")
        found = json.loads(done.stdout)
        self.assertEqual(done.returncode, 0)
        self.assertEqual(found["verdict"]["status"], "unknown")
        self.assertTrue(found["verdict"]["headline"].startswith("the input ends early"))
        self.assertTrue(found["input"]["sources"][0]["ends_early"])
        self.assertEqual([one["name"] for one in found["input"]["unreadable"]], [str(cut)])
        self.assertIn("cut off", found["input"]["unreadable"][0]["reason"])
        self.assertIn(b"ends early", run(cut).stdout)
        self.assertIn(b"ends early", run("-f", "html", cut).stdout)

    def test_a_file_that_stops_within_a_record(self):
        log = self.healthy.read_bytes()
        log = log[:log.index(b"Init COMPLETE")]
        self.assertTrue(report(data=log)["input"]["sources"][0]["ends_early"])
        self.assertFalse(report(data=log[:log.rindex(b"\n") + 1])["input"]["sources"][0]["ends_early"])

    def test_what_could_not_be_read_is_in_the_report(self):
        missing = self.folder / "worker-3.log"
        found = report(self.healthy, missing)
        self.assertEqual(found["input"]["unreadable"], [{"name": str(missing), "reason": "No such file or directory"}])
        self.assertEqual(found["verdict"]["status"], "unknown")
        for form in ("text", "markdown", "html"):
            self.assertIn(b"worker-3.log", run("-f", form, self.healthy, missing).stdout)
        self.assertEqual(run(self.healthy, missing).returncode, 0)
        self.assertEqual(run("--fail-on", "unknown", self.healthy, missing).returncode, 1)
        self.assertEqual(report(self.healthy)["input"]["unreadable"], [])

    def test_a_rank_that_never_completes_beside_one_that_does(self):
        found = report(TESTDATA / "rules/init-incomplete/silent_beside_complete/input.log")
        self.assertEqual(found["verdict"]["status"], "unknown")
        self.assertIn("not seen to complete", found["verdict"]["headline"])


class Pages(Case):
    def test_a_normal_end_is_no_failure(self):
        log = (JOBS / "split-2x4/input.log").read_text()
        log += "train-job-worker-0:101:117 [0] NCCL INFO [Service thread] Connection closed by localRank 1\n"
        self.assertNotIn(b"failures not shown", run("-f", "html", data=log.encode()).stdout)
        self.assertNotIn(b"failure not shown", run("-f", "html", data=log.encode()).stdout)
