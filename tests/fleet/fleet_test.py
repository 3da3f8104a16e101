"""A fleet in small: what each node says of its logs, merged as a tree and while the job runs."""
import json
import os
import pathlib
import random
import re
import signal
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import fleet  # noqa: E402
from program import Case, Watched, report, run, wait_until  # noqa: E402

SIMULATOR = os.environ["NCCL_ANALYZE_FLEET"]
HOSTS = 20


def counts_of_news(path):
    """What the last state in a file of news counts: processes; ranks of each communicator, seen and complete."""
    text = path.read_text() if path.exists() else ""
    lines = text[:text.rfind("\n") + 1].splitlines()  # the program may be writing the last one
    states = [one for one in map(json.loads, lines) if one["news"] == "state"]
    if not states:
        return None
    groups = [(one["ranks"], one["started"], one["complete"])
              for one in states[-1]["states"] for _ in range(one["communicators"])]
    return states[-1]["processes"], sorted(groups)


def counts_of_report(found):
    """The same of a JSON report."""
    comms = [one for one in found["communicators"] if not one["inferred"] and one["ranks"]]
    groups = [(one["nranks"], len(one["ranks"]), sum(rank["state"] in ("complete", "destroyed") for rank in one["ranks"]))
              for one in comms]
    return len(found["processes"]), sorted(groups)


class Fleet(Case):
    def setUp(self):
        super().setUp()
        self.logs, self.sums = self.folder / "logs", self.folder / "sums"
        self.logs.mkdir(), self.sums.mkdir()

    def summarise(self, log, target=None, *options):
        node = log.stem
        done = run("-f", "summary", "--fail-on", "never", "--job", 42, "--node", node, *options, "-o",
                   target or self.sums / f"{node}.sum", log)
        self.assertEqual(done.returncode, 0, done.stderr)

    def test_a_tree_gives_the_report_of_one_process_which_names_every_fault(self):
        faults = fleet.simulate(SIMULATOR, HOSTS, 4, self.logs, "logs")
        for log in self.logs.iterdir():
            self.summarise(log)
        sums = sorted(self.sums.iterdir())
        self.assertEqual(len(sums), HOSTS - 1)
        tree = self.folder / "tree"
        tree.mkdir()
        for number in range(4):
            run("merge", "-f", "summary", "-o", tree / f"{number}.sum", *sums[number::4][::-1])
        flat = run("merge", "-f", "summary", self.sums).stdout
        self.assertEqual(run("merge", "-f", "summary", tree).stdout, flat)
        self.assertEqual(run("merge", "-f", "summary", tree / "0.sum", self.sums).stdout, flat)
        expect = ("--expect", fleet.expected_hosts(HOSTS))
        whole = run(*expect, self.logs)
        self.assertEqual(run("merge", *expect, tree).stdout, whole.stdout)
        self.assertEqual(fleet.unnamed(whole.stdout.decode(), faults, HOSTS), [])

    def test_a_summary_says_what_it_is_of_and_what_it_left_out(self):
        (self.logs / "a.log").write_bytes(self.healthy.read_bytes())
        (self.logs / "b.log").symlink_to("nowhere")
        done = run("-f", "summary", "--step", "3", self.logs, env={"SLURM_JOB_ID": "77", "SLURMD_NODENAME": "n5"})
        self.assertIn(b'{"writer": {"job": "77", "step": "3", "node": "n5", "tool": "', done.stdout)
        other = run("-f", "summary", "--job", "78", "--node", "n6", self.healthy).stdout
        merged = run("merge", "-f", "json", "--fail-on", "never", data=done.stdout + other)
        self.assertIn("on n5: cannot read", merged.stderr.decode())
        self.assertIn("the summaries are of 2 jobs: 77, 78", merged.stderr.decode())
        self.assert_one_line(run("--node", "x", self.healthy), "--node goes with --format summary")

    def test_what_is_damaged_is_named_and_the_others_are_merged(self):
        for name in ("a", "b"):
            log = self.logs / f"{name}.log"
            log.write_bytes(self.healthy.read_bytes())
            self.summarise(log)
        good = json.loads(run("merge", "-f", "json", self.sums / "a.sum").stdout)
        self.assertEqual(good["input"].pop("unreadable"), [])
        good.pop("verdict")
        whole = (self.sums / "b.sum").read_bytes()
        for damage in (whole[:-30], whole.replace(b'"piece"', b'"peace"'), b"\0" * 50, b""):
            (self.sums / "b.sum").write_bytes(damage)
            done = run("merge", "-f", "json", self.sums)
            self.assertIn("b.sum", done.stderr.decode())
            found = json.loads(done.stdout)
            self.assertTrue(found["input"].pop("unreadable")[0]["name"].endswith("b.sum"))
            self.assertEqual(found.pop("verdict")["status"], "unknown")
            self.assertEqual(found, good)

    def test_followed_summaries_give_the_state_of_the_job(self):
        fleet.simulate(SIMULATOR, 10, 2, self.logs, "logs")
        hosts = [self.logs / f"worker-{host}.log" for host in (0, 1, 3)]
        for log in hosts:
            text = log.read_text()
            log.with_suffix(".start").write_text(text[:text.index("COMPLETE")].rsplit("\n", 1)[0] + "\n")
        watched = Watched("--stall", "1", self.sums, command=("merge",))
        self.addCleanup(watched.kill)
        for log in hosts[:2]:
            self.summarise(log.with_suffix(".start"), self.sums / f"{log.stem}.sum")
        watched.wait_for("16 of 80 ranks started, 0 complete")
        self.summarise(hosts[0])
        self.summarise(hosts[2])
        watched.wait_for("24 of 80 ranks in this input, 16 complete")
        for log in [hosts[0]] * 3:
            self.summarise(log)
        watched.wait_for(r"no new summary for 1 s, while others are replaced: [^\n]*worker-1 ")
        (self.sums / "worker-0.sum").write_bytes(b"{")
        watched.wait_for(r"cannot merge [^\n]*worker-0.sum: [^\n]*; what it held before counts")
        report, status = watched.end(signal.SIGINT)
        self.assertIn(b"worker-3", report)
        self.assertTrue(re.search(rb"80 ranks \(24 in this input\)", report), report)

    def test_after_nodes_came_changed_and_went_all_is_as_in_a_merge_from_nothing(self):
        fleet.simulate(SIMULATOR, 6, 2, self.logs, "logs")
        versions = {}
        for log in sorted(self.logs.iterdir()):
            text, target = log.read_text(), self.folder / "one.sum"
            versions[log.stem] = []
            for part in (text[:text.index("COMPLETE")].rsplit("\n", 1)[0] + "\n", text):
                log.write_text(part)
                self.summarise(log, target)
                versions[log.stem].append(target.read_bytes())
        marker = self.folder / "marker.sum"
        self.summarise(self.healthy, marker)
        for seed in range(3):
            with self.subTest(seed=seed):
                self.follow_random_steps(versions, marker.read_bytes(), random.Random(seed))

    def put(self, target, summary):
        new = self.folder / "new"
        new.write_bytes(summary)
        new.replace(target)

    def follow_random_steps(self, versions, marker, chance):
        """The marker, of another job, comes or goes at the end of a step: news that count it are of the whole step."""
        news = self.folder / f"{chance.random()}.news"
        watched = Watched("-q", "-f", "json", "--news", news, self.sums, command=("merge",))
        self.addCleanup(watched.kill)
        for _ in range(6):
            for node in chance.sample(sorted(versions), chance.randint(1, 3)):
                target = self.sums / f"{node}.sum"
                if target.exists() and len(list(self.sums.iterdir())) > 1 and chance.random() < 0.4:
                    target.unlink()
                else:
                    self.put(target, chance.choice(versions[node]))
            last = self.sums / "marker.sum"
            last.unlink() if last.exists() else self.put(last, marker)
            whole = counts_of_report(report("merge", self.sums))
            self.assertTrue(wait_until(lambda: counts_of_news(news) == whole, 60), (counts_of_news(news), whole))
        found, _ = watched.end(signal.SIGINT)
        self.assertEqual(found, run("merge", "-q", "-f", "json", self.sums).stdout)
