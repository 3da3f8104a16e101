"""Logs as stores hand them out: compact, indented, one entry a line, newest first. Each gives the report of its plain log."""
import datetime
import json

from program import JOBS, Case, report, run

POD = "llama-0"
START = datetime.datetime(2026, 1, 31, 10, 0, 0)
CASES = ("efa-fallback", "rank-killed", "split-2x4")


def lines_of(case):
    text = (JOBS / case / "input.log").read_text()
    return [line for line in text.split("\n") if line]


def time_of(number):
    return (START + datetime.timedelta(milliseconds=10 * number)).isoformat(timespec="milliseconds") + "Z"


def nanoseconds(number):
    return str((1769853600000 + 10 * number) * 1000000)


def loki(entries):
    values = [[nanoseconds(number), line] for number, line in entries]
    return {"status": "success", "data": {"resultType": "streams", "result": [{"stream": {"pod": POD}, "values": values}]}}


def elastic(entries):
    return {"took": 3, "hits": {"total": {"value": 3}, "hits": [
        {"_source": {"@timestamp": time_of(number), "message": line, "event": {"original": line},
                     "kubernetes": {"pod": {"name": POD}}}, "sort": [number]} for number, line in entries]}}


def cloud_logging(entries):
    return [{"insertId": f"a{number}", "textPayload": line, "timestamp": time_of(number),
             "resource": {"type": "k8s_container", "labels": {"pod_name": POD}}} for number, line in entries]


def cloudwatch(entries):
    return {"events": [{"logStreamName": POD, "timestamp": 1769853600000 + 10 * number, "message": line, "eventId": "3"}
                       for number, line in entries], "searchedLogStreams": []}


def otlp(entries):
    attributes = [{"key": "k8s.pod.name", "value": {"stringValue": POD}}]
    records = [{"timeUnixNano": nanoseconds(number), "body": {"stringValue": line}} for number, line in entries]
    return {"resourceLogs": [{"resource": {"attributes": attributes}, "scopeLogs": [{"scope": {}, "logRecords": records}]}]}


DOCUMENTS = (loki, elastic, cloud_logging, cloudwatch, otlp)
LINES = {
    "VictoriaLogs": lambda number, line: json.dumps(
        {"_time": time_of(number), "_stream": "{}", "_msg": line, "kubernetes.pod_name": POD}),
    "elasticdump": lambda number, line: json.dumps(
        {"_source": {"@timestamp": time_of(number), "message": line, "kubernetes": {"pod": {"name": POD}}}}),
    "Vector": lambda number, line: json.dumps(
        {"kubernetes": {"pod_name": POD}, "message": line, "timestamp": time_of(number)}),
    "logcli": lambda number, line: f'{time_of(number)} {{app="train", pod="{POD}"}} {line}',
}


def shape(read):
    communicators = sorted((c["nranks"], c["channels"], json.dumps(c["transports"]), len(c["ranks"]))
                           for c in read["communicators"])
    return (read["input"]["nccl_lines"], read["verdict"]["status"], communicators,
            sorted((f["rule"], f["severity"]) for f in read["findings"]))


class Exports(Case):
    def check(self, case, text, name):
        read = report(data=text.encode())
        self.assertEqual(shape(read), shape(report(JOBS / case / "input.log")), f"{case} as {name}")
        self.assertEqual({rank["pod"] for rank in read["ranks"]}, {POD}, f"{case} as {name}")
        return read

    def test_documents(self):
        for case in CASES:
            entries = list(enumerate(lines_of(case)))
            for form in DOCUMENTS:
                for order in (entries, entries[::-1]):
                    for indent in (None, 2):
                        read = self.check(case, json.dumps(form(order), indent=indent), f"{form.__name__}, {indent}")
                        backwards = read["input"]["sources"][0].get("order")
                        self.assertEqual(backwards, None if order is entries else "newest first, read from the end")

    def test_lines(self):
        for case in CASES:
            for name, form in LINES.items():
                lines = [form(number, line) for number, line in enumerate(lines_of(case))]
                self.check(case, "\n".join(lines) + "\n", name)
                self.check(case, "\n".join(lines[::-1]), f"{name}, newest first")

    def test_batches(self):
        entries = list(enumerate(lines_of("split-2x4")))
        batches = [json.dumps(otlp(entries[at:at + 50])) for at in range(0, len(entries), 50)]
        self.check("split-2x4", "\n".join(batches) + "\n", "batches")
        self.check("split-2x4", "".join(batches), "documents without newlines")

    def test_long_documents(self):
        """A line longer than the program keeps of one."""
        entries = [(number, f"step {number} of a training that prints much") for number in range(50000)]
        entries += list(enumerate(lines_of("rank-killed"), len(entries)))
        for form in DOCUMENTS:
            text = json.dumps(form(entries))
            self.assertGreater(len(text), 2 << 20)
            self.check("rank-killed", text + "\n", form.__name__)
            self.check("rank-killed", json.dumps(form(entries[::-1])), f"{form.__name__}, newest first")

    def test_log_behind_a_document(self):
        first, second = lines_of("rank-killed"), lines_of("efa-fallback")
        wanted = report(JOBS / "rank-killed/input.log")["input"]["nccl_lines"] + \
            report(JOBS / "efa-fallback/input.log")["input"]["nccl_lines"]
        for text in (json.dumps(loki(enumerate(first)), indent=1), json.dumps(elastic(enumerate(first)))):
            for end in ("\n", ",\n"):
                read = report(data=(text + end + "\n".join(second) + "\n").encode())
                self.assertEqual(read["input"]["nccl_lines"], wanted)

    def test_cut_documents(self):
        lines = lines_of("efa-fallback")
        for form in DOCUMENTS:
            for indent in (None, 2):
                text = json.dumps(form(enumerate(lines)), indent=indent)
                read = report(data=text[:text.rindex("Connected all trees")].encode())
                self.assertGreaterEqual(read["input"]["nccl_lines"], 91, form.__name__)

    def test_places(self):
        """A quoted line stands where the report says."""
        lines = lines_of("rank-killed")
        forward = [LINES["logcli"](number, line) for number, line in enumerate(lines)]
        pretty = json.dumps(cloud_logging(list(enumerate(lines))[::-1]), indent=2).split("\n")
        compact = [json.dumps(elastic(list(enumerate(lines))))]
        entry = 'first\nsecond\nthird'.split("\n")
        torn = [part for line in forward[::-1] for part in [line, *entry]]
        for text in (forward[::-1], pretty, compact, torn):
            read = report(data="\n".join(text).encode())
            self.assertEqual(read["verdict"]["status"], "error")
            for finding in read["findings"]:
                for evidence in filter(lambda one: one["text"], finding["evidence"]):
                    self.assertIn(evidence["text"], text[evidence["line"] - 1].replace('\\"', '"'))

    def test_file_and_packed(self):
        import gzip
        text = "\n".join(LINES["logcli"](*one) for one in reversed(list(enumerate(lines_of("split-2x4"))))) * 1
        wanted = shape(report(JOBS / "split-2x4/input.log"))
        (self.folder / "a.log").write_text(text)
        (self.folder / "b.log.gz").write_bytes(gzip.compress(text.encode()))
        for name in ("a.log", "b.log.gz"):
            read = report(self.folder / name)
            self.assertEqual(shape(read), wanted)
            self.assertEqual(read["input"]["sources"][0]["lines"], len(text.split("\n")))

    def test_without_room(self):
        """Where the log cannot be read from its end, no verdict is given."""
        text = "\n".join(LINES["logcli"](*one) for one in reversed(list(enumerate(lines_of("split-2x4")))))
        done = run("-f", "json", "--fail-on", "never", data=text.encode(), env={"TMPDIR": str(self.folder / "none")})
        self.assertIn(b"newest first", done.stderr)
        read = json.loads(done.stdout)
        self.assertEqual(read["verdict"]["status"], "unknown")
        self.assertIn("newest first", read["verdict"]["headline"])
        self.assertEqual(read["verdict"]["outcome"], "unknown")
        self.assertEqual(read["input"]["sources"][0]["order"], "newest first")

    def test_interleaved_times_are_no_order(self):
        """The clocks of two hosts differ, and their lines are not sorted."""
        lines = lines_of("split-2x4")
        text = "\n".join(LINES["logcli"](number + (7 if number % 3 else 0), line) for number, line in enumerate(lines))
        read = report(data=text.encode())
        self.assertNotIn("order", read["input"]["sources"][0])

    def test_summaries(self):
        """A summary keeps where the lines stand."""
        text = "\n".join(LINES["logcli"](*one) for one in reversed(list(enumerate(lines_of("rank-killed")))))
        (self.folder / "a.log").write_text(text)
        summary = run("-f", "summary", self.folder / "a.log").stdout
        (self.folder / "s.jsonl").write_bytes(summary)
        merged = json.loads(run("merge", "-f", "json", "--fail-on", "never", self.folder / "s.jsonl").stdout)
        alone = report(self.folder / "a.log")
        self.assertEqual(merged["findings"], alone["findings"])
        self.assertEqual(merged["input"]["sources"], alone["input"]["sources"])
