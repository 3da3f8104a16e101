"""The output of other tools beside the log: read, named, or refused."""
import json
import pickle

from program import TESTDATA, Case, run

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

    def test_a_pickle_is_named_and_never_read(self):
        dump = self.folder / "nccl_trace_rank_0"
        for protocol in (2, 3, 4, 5):
            dump.write_bytes(pickle.dumps({"version": "2.10", "pg_config": {}, "entries": []}, protocol))
            done = run(dump)
            self.assertEqual(done.returncode, 2)
            self.assertIn(b"a pickle of PyTorch's flight recorder", done.stderr)
            done = run(dump, self.healthy)
            self.assertEqual(done.returncode, 0)
            self.assertIn(b"a pickle of PyTorch's flight recorder", done.stderr)

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
