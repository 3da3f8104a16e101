"""The format otlp against the published definitions: tests/cli/opentelemetry-proto has those of opentelemetry-proto 1.11.0."""
import json
import pathlib
import re
import subprocess
import tarfile

from google.protobuf import descriptor_pb2, descriptor_pool, json_format, message_factory
from google.protobuf.descriptor import FieldDescriptor as Field

from program import JOBS, TESTDATA, Case, report, run

DEFINITIONS = pathlib.Path(__file__).with_name("opentelemetry-proto")
LONG = {Field.TYPE_INT64, Field.TYPE_UINT64, Field.TYPE_SINT64, Field.TYPE_FIXED64, Field.TYPE_SFIXED64}
SHORT = {Field.TYPE_INT32, Field.TYPE_UINT32, Field.TYPE_SINT32, Field.TYPE_FIXED32, Field.TYPE_SFIXED32}
SEVERITY = {"info": (9, "INFO"), "warning": (13, "WARNING"), "error": (17, "ERROR"), "ok": (9, "INFO"), "unknown": (9, "INFO")}
# A rank on each of two hosts; the second one fails. What stands before the lines of a rank is filled in.
LOG = """{0}worker-0:10:10 [0] NCCL INFO NCCL version 2.21.5+cuda12.4
{0}worker-0:10:10 [0] NCCL INFO ncclCommInitRank comm 0xa rank 0 nranks 2 cudaDev 0 nvmlDev 0 busId 1000 commId 0x5 - Init START
{1}worker-1:11:11 [0] NCCL INFO NCCL version 2.21.5+cuda12.4
{1}worker-1:11:11 [0] NCCL INFO ncclCommInitRank comm 0xb rank 1 nranks 2 cudaDev 0 nvmlDev 0 busId 1000 commId 0x5 - Init START
{1}worker-1:11:11 [0] misc/cudawrap.cc:36 NCCL WARN Cuda failure 'out of memory'
"""


def definitions():
    names = sorted(str(path.relative_to(DEFINITIONS)) for path in DEFINITIONS.rglob("*.proto"))
    out = subprocess.run(["protoc", f"-I{DEFINITIONS}", "--include_imports", "-o/dev/stdout", *names], capture_output=True, check=True)
    pool = descriptor_pool.DescriptorPool()
    for file in descriptor_pb2.FileDescriptorSet.FromString(out.stdout).file:
        pool.Add(file)
    return pool


def value_fault(field, value):
    """Why a value is not what OTLP/JSON has for a field; json_format also takes names of enumerations and plain integers."""
    if field.type == Field.TYPE_MESSAGE:
        return fault(field.message_type, value)
    if field.type in LONG:
        return not (isinstance(value, str) and re.fullmatch(r"-?\d+", value)) and f"{field.name} is no string of digits"
    if field.type == Field.TYPE_ENUM:
        return (type(value) is not int or value not in field.enum_type.values_by_number) and f"{field.name} is no enumerator"
    if field.type in SHORT:
        return type(value) is not int and f"{field.name} is no integer"
    if field.type == Field.TYPE_STRING:
        return (not isinstance(value, str) or re.search(r"[\x00-\x1f\x7f-\x9f]", value)) and f"{field.name} is no clean text"
    return f"{field.name} has a type that this format does not write"


def fault(message, value):
    """Why a JSON value is not this message in OTLP/JSON; None if it is."""
    if not isinstance(value, dict):
        return f"{message.name} is no object"
    fields = {field.json_name: field for field in message.fields}
    for one_of in message.oneofs:
        if sum(field.json_name in value for field in one_of.fields) != 1:
            return f"{message.name}: not one of {one_of.name}"
    for key, content in value.items():
        if key not in fields:
            return f"{message.name} has no {key}"
        repeated = fields[key].label == Field.LABEL_REPEATED
        if repeated != isinstance(content, list):
            return f"{message.name}.{key} is a list, or should be one"
        found = next((why for why in (value_fault(fields[key], one) for one in (content if repeated else [content])) if why), None)
        if found:
            return found
        keys = [one["key"] for one in content] if key == "attributes" else []
        if len(keys) != len(set(keys)):
            return f"{message.name} has an attribute twice"
    return None


def plain(attributes):
    def of(value):
        (kind, content), = value.items()
        return [of(one) for one in content["values"]] if kind == "arrayValue" else int(content) if kind == "intValue" else content
    return {one["key"]: of(one["value"]) for one in attributes}


def flat(findings):
    return [each for finding in findings for each in (finding, *finding["consequences"])]


class Otlp(Case):
    @classmethod
    def setUpClass(cls):
        pool = definitions()
        cls.types = [pool.FindMessageTypeByName(f"opentelemetry.proto.{name}") for name in ("logs.v1.LogsData", "metrics.v1.MetricsData")]
        cls.classes = [message_factory.MessageFactory(pool).GetPrototype(one) for one in cls.types]

    def lines(self, *arguments, data=b"", job=""):
        """The two documents, after they were compared with the definitions."""
        done = run("-f", "otlp", "--fail-on", "never", *arguments, data=data, env={"SLURM_JOB_ID": job})
        lines = done.stdout.decode().splitlines()
        self.assertEqual(len(lines), 2, done.stderr)
        for line, message, made in zip(lines, self.types, self.classes):
            self.assertLess(len(line.encode()), 1 << 20)
            self.assertIsNone(fault(message, json.loads(line)))
            json_format.Parse(line, made())
        return [json.loads(line) for line in lines]

    def records(self, *arguments, **how):
        """Each record with the attributes of its resource, and its own."""
        return [(plain(one["resource"]["attributes"]), plain(record["attributes"]), record)
                for one in self.lines(*arguments, **how)[0]["resourceLogs"]
                for record in one["scopeLogs"][0]["logRecords"]]

    def test_every_case_fits_the_definitions(self):
        cases = sorted(path.parent for path in TESTDATA.glob("rules/*/fires/input.log")) + sorted(JOBS.iterdir())
        for logs in (sorted(case.glob("*.log")) for case in cases):
            with self.subTest(logs[0].parent):
                read = report(*logs)
                (_, own, first), *others = self.records(*logs)
                self.assertEqual((first["eventName"], own["nccl_analyze.status"]), ("nccl_analyze.verdict", read["verdict"]["status"]))
                findings = flat(read["findings"])
                self.assertEqual(own["nccl_analyze.findings"], len(findings))
                others.sort(key=lambda one: one[1]["nccl_analyze.position"])
                self.assertEqual([(attributes["nccl_analyze.rule.id"], record["severityNumber"], record["severityText"])
                                  for _, attributes, record in others],
                                 [(finding["rule"], *SEVERITY[finding["severity"]]) for finding in findings])
                for record in (first, *(record for _, _, record in others)):
                    self.assertNotIn("observedTimeUnixNano", record)

    def test_a_finding_says_what_to_do_and_which_line_proves_it(self):
        finding = report(self.broken)["findings"][0]
        resource, own, record = next(one for one in self.records(self.broken) if one[1].get("nccl_analyze.position") == 1)
        self.assertEqual(record["body"]["stringValue"], f"{finding['title']}: {finding['message']}")
        self.assertEqual(resource, {"service.name": "nccl-analyze", "host.name": finding["hosts"][0]})
        self.assertEqual((own["nccl_analyze.ranks"], own["nccl_analyze.hosts"]), (finding["ranks"], finding["hosts"]))
        self.assertEqual(own["nccl_analyze.step"], finding["steps"][0]["text"].replace("\n", " "))
        self.assertEqual((own["nccl_analyze.line"], own["log.record.original"]),
                         (finding["evidence"][0]["line"], finding["evidence"][0]["text"]))
        self.assertEqual(own["log.file.path"], str(self.broken))

    def test_equal_inputs_give_equal_bytes(self):
        self.assertEqual(run("-f", "otlp", self.broken).stdout, run("-f", "otlp", self.broken).stdout)

    def test_a_job_without_findings_has_its_verdict(self):
        (resource, own, record), = self.records(self.healthy, "--ignore", "NCA1")
        self.assertEqual((resource, own["nccl_analyze.status"], record["severityText"]), ({"service.name": "nccl-analyze"}, "ok", "INFO"))
        self.assertEqual(self.records(data=b"hello\n")[0][1]["nccl_analyze.status"], "unknown")

    def test_time_is_written_where_the_log_proves_it(self):
        for before, expected in (("", None), ("12:00:00 ", None), ("2026-03-01 12:00:00 ", None), ("2026-02-31T12:00:00Z ", None),
                                 ("2026-03-01T12:00:00.123456789Z ", "1772366400123456000"),
                                 ("2026-03-01T13:00:00+01:00 ", "1772366400000000000")):
            with self.subTest(before):
                records = self.records(data=LOG.format(before, before).encode())
                times = {record.get("timeUnixNano") for _, own, record in records if own.get("nccl_analyze.rule.id") == "NCA602"}
                self.assertEqual(times, {expected})
                self.assertNotIn("timeUnixNano", records[0][2])

    def test_findings_of_one_host_have_it_as_resource(self):
        places = {own.get("nccl_analyze.rule.id"): resource for resource, own, _ in self.records(data=LOG.format("", "").encode())}
        self.assertNotIn("host.name", places[None])
        self.assertEqual(places["NCA602"], {"service.name": "nccl-analyze", "host.name": "worker-1"})

    def test_pods_and_their_manifests(self):
        (self.folder / "train.log").write_text(LOG.format("[pod/train-0/main] ", "[pod/train-1/main] "))
        (self.folder / "pods.json").write_text(json.dumps({"apiVersion": "v1", "kind": "List", "items": [
            {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": f"train-{rank}", "namespace": "team-a"},
             "spec": {"nodeName": f"node-{rank}", "containers": [{"name": "main", "resources": {"limits": {"nvidia.com/gpu": "1"}}}]},
             "status": {"phase": "Running"}} for rank in (0, 1)]}, indent=2))
        places = {own.get("nccl_analyze.rule.id"): resource for resource, own, _ in self.records(self.folder)}
        self.assertEqual(places["NCA602"], {"service.name": "nccl-analyze", "host.name": "worker-1", "k8s.pod.name": "train-1",
                                            "k8s.container.name": "main", "k8s.namespace.name": "team-a", "k8s.node.name": "node-1"})

    def test_a_manifest_names_the_pod_where_the_log_does_not(self):
        (self.folder / "train.log").write_text(LOG.format("", ""))
        (self.folder / "pods.json").write_text(json.dumps({"apiVersion": "v1", "kind": "Pod", "metadata": {
            "name": "worker-1", "namespace": "team-a"}, "spec": {"nodeName": "node-1", "containers": [{"name": "main"}]}}, indent=2))
        place, own = next((resource, own) for resource, own, _ in self.records(self.folder) if own.get("nccl_analyze.rule.id") == "NCA602")
        self.assertEqual(place, {"service.name": "nccl-analyze", "host.name": "worker-1", "k8s.pod.name": "worker-1",
                                 "k8s.namespace.name": "team-a", "k8s.node.name": "node-1"})
        self.assertEqual(own["nccl_analyze.pods"], ["worker-1"])

    def test_what_the_places_of_a_finding_share_is_its_resource(self):
        for first, second, expected in (
                ("[pod/train-0/a] ", "[pod/train-0/b] ", {"host.name": "worker-0", "k8s.pod.name": "train-0"}),
                ("[pod/train-0/main] ", "", {"host.name": "worker-0"}),
                ("[pod/train-0/main] ", "[pod/train-1/main] ", {"host.name": "worker-0"})):
            with self.subTest(second):
                log = LOG.replace("worker-1", "worker-0").format(first, second)
                log += "".join(f"{before}worker-0:{pid}:{pid} [0] misc/cudawrap.cc:36 NCCL WARN Cuda failure 'out of memory'\n"
                               for before, pid in ((first, 10), (second, 11)))
                place, own = next((resource, own) for resource, own, _ in self.records(data=log.encode())
                                  if own.get("nccl_analyze.rule.id") == "NCA602")
                self.assertEqual(place, {"service.name": "nccl-analyze", **expected})
                self.assertEqual(own["nccl_analyze.hosts"], ["worker-0"])
                self.assertEqual(own["nccl_analyze.pods"], sorted({one.split("/")[1] for one in (first, second) if one}))

    def test_a_list_that_is_cut_has_its_length(self):
        for number, expected in ((8, None), (12, 12)):
            log = "".join(f"[pod/train-{rank}/main] worker-{rank}:1:1 [0] misc/cudawrap.cc:36 NCCL WARN Cuda failure 'out of memory'\n"
                          for rank in range(number))
            own = next(own for _, own, _ in self.records(data=log.encode()) if own.get("nccl_analyze.rule.id") == "NCA602")
            self.assertEqual((len(own["nccl_analyze.hosts"]), len(own["nccl_analyze.pods"])), (8, 8))
            self.assertEqual((own.get("nccl_analyze.host_count"), own.get("nccl_analyze.pod_count")), (expected, expected))

    def test_only_a_path_and_a_whole_record_have_the_names_of_the_conventions(self):
        log = LOG.format("", "")
        (self.folder / "t.log").write_text(log)
        with tarfile.open(self.folder / "x.tgz", "w:gz") as archive:
            archive.add(self.folder / "t.log", "t.log")
        cut = log.replace("'out of memory'", "'out of memory' " + "x" * 700)
        for arguments, data, source, whole in (([self.folder / "t.log"], "", None, True), ([self.folder / "x.tgz"], "", "x.tgz:t.log", True),
                                               ([], log, "stdin", True), ([], cut, "stdin", False)):
            with self.subTest(source):
                own = next(own for _, own, _ in self.records(*arguments, data=data.encode()) if own.get("nccl_analyze.rule.id") == "NCA602")
                self.assertEqual(own.get("nccl_analyze.source", "").rpartition("/")[2] or None, source)
                self.assertEqual(own.get("log.file.path"), None if source else str(self.folder / "t.log"))
                self.assertEqual(("log.record.original" in own, "nccl_analyze.quote" in own), (whole, not whole))

    def test_the_job_of_slurm(self):
        log = self.folder / "slurm-77.out"
        log.write_text(LOG.format("", ""))
        cancelled = LOG.format("", "") + "slurmstepd: error: *** STEP 78.0 ON worker-1 CANCELLED AT 2026-01-31T10:00:00 ***\n"
        for arguments, data, expected in (([log], b"", "77"), ([], cancelled.encode(), "78"), ([log, "-"], cancelled.encode(), None),
                                          ([], LOG.format("", "").encode(), "5")):
            with self.subTest(expected):
                for document in self.lines(*arguments, data=data, job="5"):
                    for one in next(iter(document.values())):
                        self.assertEqual(plain(one["resource"]["attributes"]).get("slurm.job.id"), expected)

    def test_metrics_are_those_of_prometheus(self):
        for log in (self.broken, self.healthy, JOBS / "rank-killed/input.log"):
            text = run("-f", "prometheus", "--fail-on", "never", log, env={"SLURM_JOB_ID": ""}).stdout.decode()
            expected = {line for line in text.splitlines() if not line.startswith(("# ", "nccl_analyze_last_run"))}
            metrics = self.lines(log)[1]["resourceMetrics"][0]["scopeMetrics"][0]["metrics"]
            found = {f"{metric['name'].replace('.', '_')}{{" + ",".join(f'{key}="{value}"' for key, value in plain(point["attributes"]).items()) +
                     f"}} {point['asInt']}" for metric in metrics for point in metric["gauge"]["dataPoints"]}
            self.assertEqual(found, expected)
        self.assertTrue(any('host_findings{host="train-job-worker-' in line for line in expected), expected)

    def test_nothing_of_a_log_is_long_or_a_control_character(self):
        host = b"a\x1b[31m\"\\\xff" * 200
        log = b"".join(host + b"%d:1:1 [0] NCCL WARN Cuda failure 'out of memory'\n" % number + host + b"%d:1:1 [0] NCCL WARN " % number +
                       b"\"\\\xe2\x80\xae" * 400 + b"\n" for number in range(300))
        self.assertGreater(len(self.records(data=log)), 1)
