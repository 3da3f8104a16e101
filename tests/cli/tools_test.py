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
