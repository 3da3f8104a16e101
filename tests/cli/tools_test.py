"""The output of other tools beside the log: read, named, or refused."""
import gzip
import io
import json
import pathlib
import pickle
import tarfile

from program import TESTDATA, Case, report, run

PICKLES = sorted((TESTDATA / "pickles/straggler").glob("nccl_trace_rank_*"))
RAS = TESTDATA / "rules" / "straggler" / "fires_ras_json" / "ras.log"


class Tools(Case):
    def test_a_report_of_ras_needs_no_log(self):
        done = run("-f", "json", RAS)
        self.assertEqual(done.returncode, 0)
        self.assertEqual(done.stderr, b"")
        report = json.loads(done.stdout)
        self.assertEqual([one["name"] for one in report["findings"]], ["straggler"])
        self.assertEqual(report["recordings"]["ras"][0]["communicators"][0]["comm_id"], "0xbc42413ad5ab3a45")

    def test_a_summary_of_a_report_of_ras_gives_the_same(self):
        summary = self.folder / "ras.sum"
        summary.write_bytes(run("-f", "summary", RAS).stdout)
        merged = run("merge", "-f", "json", summary)
        self.assertEqual(merged.stdout, run("-f", "json", RAS).stdout)
        self.assertEqual(merged.stderr, b"")

    def test_bandwidth_stands_beside_what_the_links_can_carry(self):
        case = TESTDATA / "rules" / "bandwidth-below-path"
        found = json.loads(run("-f", "json", case / "silent" / "input.log").stdout)["bandwidth"]
        self.assertEqual(found, [{"operation": "all_reduce_perf", "bytes": 1 << 30, "tool": "nccl-tests", "ranks": 2,
                                  "busbw": 47.04, "possible": 50, "algorithm": "ring", "limit": "1 NIC of 400 Gb/s a node (IB)",
                                  "higher": [], "unknown": None, "add": None, "source": 0, "line": found[0]["line"]}])
        text = run(case / "silent" / "input.log").stdout.decode()
        self.assertIn("47.04 GB/s of 50.00 that 1 NIC of 400 Gb/s a node (IB) can carry in rings (94 %)", text)
        lines = (case / "silent" / "input.log").read_text().splitlines(True)
        self.assertIn("(26 %)", run(case / "fires" / "input.log").stdout.decode())

        # Before NCCL 2.27.3 the log does not show the speed of a NIC, but ibstat may.
        older = self.folder / "older"
        older.mkdir()
        (older / "input.log").write_text("".join(lines).replace(" speed=400000", ""))
        unknown = json.loads(run("-f", "json", older).stdout)["bandwidth"][0]
        self.assertEqual((unknown["possible"], unknown["unknown"]), (None, "the speed of a NIC is not in the log"))
        for host in ("gpu001", "gpu002"):
            (older / f"{host}-ibstat.log").write_text(
                "CA 'mlx5_0'\n\tCA type: MT4129\n\tNumber of ports: 1\n\tPort 1:\n\t\tState: Active\n"
                "\t\tPhysical state: LinkUp\n\t\tRate: 400\n\t\tLink layer: InfiniBand\n")
        self.assertEqual(json.loads(run("-f", "json", older).stdout)["bandwidth"][0]["possible"], 50)

        table = self.folder / "table.log"
        table.write_text("".join(line for line in lines if "NCCL INFO" not in line))
        alone = json.loads(run("-f", "json", table).stdout)["bandwidth"][0]
        self.assertEqual((alone["possible"], alone["limit"]), (None, None))
        self.assertIn("NCCL_DEBUG=INFO", alone["add"])

    def facts_of(self, *arguments, data=b""):
        """What a report says but for the places of lines, which differ between a pickle and other JSON."""
        read = report(*arguments, data=data)
        forms = {source["form"] for source in read["input"]["sources"] if "form" in source}
        for one in read["recordings"]["flight_recorder"]:
            del one["source"], one["line"]
        return forms, read["recordings"], [(one["rule"], one["message"]) for one in read["findings"]]

    def test_pickles_of_the_flight_recorder_say_what_its_json_says(self):
        dumps = sorted((TESTDATA / "rules/straggler/fires_flight_recorder").glob("*.log"))
        expected = self.facts_of(*dumps)
        self.assertEqual(expected[0], set())
        self.assertEqual([rule for rule, _ in expected[2]], ["NCA608"])
        pickled = ({"pickle, read as JSON"}, *expected[1:])
        self.assertEqual(self.facts_of(*PICKLES), pickled)
        for protocol in (2, 3, 4, 5):
            for dump in dumps:
                (self.folder / dump.stem).write_bytes(pickle.dumps(json.loads(dump.read_bytes()), protocol))
            self.assertEqual(self.facts_of(self.folder), pickled, protocol)

    def test_pickles_are_read_in_archives_and_from_standard_input(self):
        expected = self.facts_of(*PICKLES)
        packed = io.BytesIO()
        with tarfile.open(fileobj=packed, mode="w:gz") as archive:
            for dump in PICKLES:
                archive.add(dump, f"dumps/{dump.name}")
                (self.folder / f"{dump.name}.gz").write_bytes(gzip.compress(dump.read_bytes()))
        self.assertEqual(self.facts_of(data=packed.getvalue()), expected)
        self.assertEqual(self.facts_of(self.folder), expected)
        one = report(data=PICKLES[1].read_bytes())["recordings"]["flight_recorder"][0]
        self.assertEqual((one["rank"], one["sequence"]), (None, 411))
        summary = self.folder / "dumps.sum"
        summary.write_bytes(run("-f", "summary", *PICKLES).stdout)
        self.assertEqual(run("merge", "-f", "json", summary).stdout, run("-f", "json", *PICKLES).stdout)

    def test_dumps_of_two_ranks_are_no_copies(self):
        dump = PICKLES[1].read_bytes()
        for name in ("nccl_trace_rank_1", "nccl_trace_rank_3", "old/nccl_trace_rank_1"):
            (self.folder / name).parent.mkdir(exist_ok=True)
            (self.folder / name).write_bytes(dump)
        read = report(self.folder)
        self.assertEqual({one["rank"] for one in read["recordings"]["flight_recorder"]}, {1, 3})
        self.assertEqual(len(read["input"]["sources"]), 2)

    def test_a_report_says_that_the_lines_of_a_pickle_are_those_of_its_json(self):
        for dumps, words in ((PICKLES, b"4 pickles, whose lines are those of their content as JSON"),
                             (PICKLES[:1], b"a pickle, whose lines are those of its content as JSON")):
            self.assertIn(words, b" ".join(run(*dumps).stdout.split()))

    def test_a_pickle_that_names_code_is_refused_and_never_run(self):
        class Code:
            def __reduce__(self):
                return pathlib.Path.touch, (self.made,)

        made = self.folder / "made"
        Code.made = made
        dump = self.folder / "nccl_trace_rank_0"
        for protocol in (2, 3, 4, 5):
            dump.write_bytes(pickle.dumps({"version": "2.10", "pg_config": {}, "entries": [Code()]}, protocol))
            done = run(dump)
            self.assertEqual(done.returncode, 2)
            self.assertRegex(done.stderr.decode(), r"cannot read .*nccl_trace_rank_0: its pickle has (STACK_)?GLOBAL at byte \d+, which names")
            self.assertFalse(made.exists())
            read = report(dump, self.healthy)
            self.assertEqual(len(read["input"]["sources"]), 1)
            self.assertIn("GLOBAL", json.dumps(read["input"]))

    def test_pickles_of_old_protocols_and_followed_ones_are_named(self):
        dump = self.folder / "nccl_trace_rank_0"
        for protocol in (0, 1):
            dump.write_bytes(pickle.dumps({"version": "2.10", "pg_config": {}, "entries": []}, protocol))
            self.assertIn(b"a pickle of PyTorch's flight recorder in protocol 0 or 1", run(dump).stderr)
        done = run("--follow", data=PICKLES[0].read_bytes())
        self.assertIn(b"a pickle of PyTorch's flight recorder, and --follow reads text", done.stderr)

    def test_redact_writes_a_pickle_as_json_without_names(self):
        shared = self.folder / "shared"
        dumps = []
        for dump in PICKLES:
            content = pickle.loads(dump.read_bytes())
            for entry in content["entries"]:
                entry["thread_name"] = "quagga17"
            dumps.append(self.folder / dump.name)
            dumps[-1].write_bytes(pickle.dumps(content, 2))
        self.assertEqual(run("redact", "-o", shared, *dumps).returncode, 0)
        for dump in shared.rglob("nccl_trace_rank_*"):
            text = dump.read_text()
            self.assertEqual(json.loads(text)["version"], "2.10")
            for name in ("train.py", "ann", "quagga17"):
                self.assertNotIn(name, text)
        self.assertEqual(self.facts_of(shared)[1:], self.facts_of(*dumps)[1:])

    def test_metrics_of_the_inspector_are_named(self):
        metrics = self.folder / "nccl.prom"
        metrics.write_bytes(b'nccl_bus_bandwidth_gbs{collective="AllReduce"} 100\n')
        done = run(metrics)
        self.assertEqual(done.returncode, 2)
        self.assertIn(b"metrics of the NCCL Inspector", done.stderr)

    def test_a_damaged_report_is_named(self):
        cut = self.folder / "ras.json"
        cut.write_bytes(RAS.read_bytes()[:5000])
        done = run(cut)
        self.assertEqual(done.returncode, 0)
        self.assertIn(b"begins as JSON of ncclras", done.stderr)
