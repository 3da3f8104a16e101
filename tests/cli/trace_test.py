"""`--format trace`: the times of initialisations and failures."""
import json

from program import JOBS, Case, run


class Trace(Case):
    def events(self, *arguments, **options):
        trace = json.loads(run("-f", "trace", "--fail-on", "never", *arguments, **options).stdout)
        for event in trace["traceEvents"]:  # what the format asks of each kind of event
            self.assertLessEqual({"ph", "name", "pid", "tid"}, event.keys())
            self.assertIn(event["ph"], "MXi")
            if event["ph"] != "M":
                self.assertGreaterEqual(event["ts"], 0)
            if event["ph"] == "X":
                self.assertGreaterEqual(event["dur"], 0)
            if event["ph"] == "i":
                self.assertEqual(event["s"], "p")
        return trace

    def test_without_times_measured_lengths_begin_at_0(self):
        trace = self.events(JOBS / "rank-killed/input.log")
        self.assertIn("no initialisation has a time", trace["otherData"]["clock"])
        whole = [event for event in trace["traceEvents"] if event["ph"] == "X" and event["name"] == "init"]
        self.assertEqual([(event["args"]["rank"], event["ts"]) for event in whole], [(rank, 0) for rank in range(8)])
        self.assertEqual(whole[0]["dur"], 670_000)
        # Three warnings of the plugin have a time there, and no initialisation has.
        mixed = self.events(JOBS / "efa-fallback/input.log")
        self.assertIn("no initialisation has a time", mixed["otherData"]["clock"])
        self.assertEqual(mixed["otherData"]["failures_without_time"], 3)
        inside = [event for event in trace["traceEvents"]
                  if event["ph"] == "X" and event["name"] != "init" and event["pid"] == whole[0]["pid"]]
        self.assertEqual([event["name"] for event in inside], ["bootstrap", "allgathers", "topo", "connections", "rest"])
        self.assertEqual(inside[1]["ts"], inside[0]["ts"] + inside[0]["dur"])

    def test_times_of_lines_are_times_of_events(self):
        """Rank 1 starts half a second later, and a warning is an instant."""
        lines = []
        for rank, (start, end) in enumerate((("12:00:00.000", "12:00:02.000"), ("12:00:00.500", "12:00:02.250"))):
            head = (f"w{rank}:10:10 [0] NCCL INFO ncclCommInitRankConfig comm 0x1{rank} rank {rank} nranks 2 cudaDev 0 "
                    "nvmlDev 0 busId 1000 commId 0x77 - Init ")
            lines += [f"2026-02-03T{start}Z {head}START", f"2026-02-03T{end}Z {head}COMPLETE"]
        lines.append("2026-02-03T12:00:03Z w1:10:10 [0] transport/net.cc:1 NCCL WARN something that no rule knows")
        data = ("\n".join(lines) + "\n").encode()
        trace = self.events(data=data)
        spans = [(event["ts"], event["dur"]) for event in trace["traceEvents"] if event["ph"] == "X"]
        base = 1_770_120_000_000_000  # 2026-02-03 12:00:00
        self.assertEqual(spans, [(base, 2_000_000), (base + 500_000, 1_750_000)])
        self.assertEqual([event["ts"] for event in trace["traceEvents"] if event["ph"] == "i"], [base + 3_000_000])
        # A summary keeps the times.
        log = self.folder / "stamped.log"
        log.write_bytes(data)
        summary = run("-f", "summary", log, "--fail-on", "never").stdout
        merged = run("merge", "-f", "trace", "--fail-on", "never", data=summary).stdout
        self.assertEqual(merged, run("-f", "trace", "--fail-on", "never", log).stdout)
