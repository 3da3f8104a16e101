"""The commands of examples/fleet/stores.md, as they stand there, against servers that answer as the stores do: in pages, some
of several streams, filtered by pod and time. Each report is that of the plain logs."""
import collections
import datetime
import http.server
import json
import os
import pathlib
import re
import shutil
import subprocess
import threading
import urllib.parse

from program import BINARY, JOBS, Case, run

PAGE = (pathlib.Path(__file__).resolve().parents[2] / "examples/fleet/stores.md").read_text()
BLOCKS = re.findall(r"```sh\n(.*?)```", PAGE, re.S)
SETTINGS, COMMON = BLOCKS[:2]
RECIPES = {re.search(r"each_pod (\w+)\n$", block)[1]: block for block in BLOCKS[2:]}
START = datetime.datetime(2026, 1, 31, 10, 30)
Entry = collections.namedtuple("Entry", "nanoseconds stream line")


def logs():
    """The log of each pod of a job in which a process died."""
    lines = (JOBS / "rank-killed/input.log").read_text().splitlines()
    found = collections.defaultdict(list)
    for line in lines:
        found[line.split(":")[0]].append(line)
    return dict(found)


def entries_of(lines, alike=1):
    """Lines with times in nanoseconds, of which so many in a row are equal. Every third line is in another stream."""
    start = int(START.replace(tzinfo=datetime.timezone.utc).timestamp()) * 10**9
    return [Entry(start + number // alike * 1000 + 1, number % 3 == 0, line) for number, line in enumerate(lines)]


def iso(nanoseconds):
    seconds = datetime.datetime.fromtimestamp(nanoseconds // 10**9, datetime.timezone.utc)
    return f"{seconds:%Y-%m-%dT%H:%M:%S}.{nanoseconds % 10**9:09}Z"


def number_of(time):
    """A time as the stores take it: nanoseconds or RFC 3339."""
    if time.isdigit():
        return int(time)
    return int(datetime.datetime.fromisoformat(time.replace("Z", "+00:00")).timestamp()) * 10**9


class Store(http.server.ThreadingHTTPServer):
    """`pods`: the entries of each pod. `fails_after`: so many pages are answered. `no_offsets`: entries do not say where they
    stood in their file. `no_list`: the pods are not listed."""

    def __init__(self, pods, fails_after=None, no_offsets=False, no_list=False):
        super().__init__(("127.0.0.1", 0), Handler)
        self.pods, self.fails_after, self.requests = pods, fails_after, []
        self.no_offsets, self.no_list = no_offsets, no_list
        self.open_pits = set()
        threading.Thread(target=self.serve_forever, daemon=True).start()

    def url(self):
        return f"http://127.0.0.1:{self.server_address[1]}"

    def wanted(self, pod, begin, end):
        return [one for one in self.pods.get(pod, ()) if number_of(begin) <= one.nanoseconds < number_of(end)]

    def loki(self, path, query):
        if path.endswith("/series"):
            assert query["match[]"] == '{job="train"}', query
            return {"status": "success", "data": [{"job": "train", "pod": pod, "stream": stream}
                                                  for pod in self.pods for stream in ("stdout", "stderr")]}
        pod, limit = re.fullmatch(r'\{job="train", pod="(.*)"\}', query["query"])[1], int(query["limit"])
        assert query["direction"] == "forward", query
        found = sorted(self.wanted(pod, query["start"], query["end"]), key=lambda one: one.nanoseconds)[:limit]
        streams = [[one for one in found if one.stream == stream] for stream in (True, False)]
        return {"status": "success", "data": {"resultType": "streams", "result": [
            {"stream": {"pod": pod}, "values": [[str(one.nanoseconds), one.line] for one in stream]}
            for stream in streams if stream]}}

    def elastic(self, path, method, body):
        if path.endswith("/_pit"):
            if method == "DELETE":
                self.open_pits.remove(body["id"])
                return {"succeeded": True}
            self.open_pits.add(f"pit{len(self.open_pits)}==")
            return {"id": f"pit{len(self.open_pits) - 1}=="}
        filters = {next(iter(next(iter(one.values())))): next(iter(next(iter(one.values())).values()))
                   for one in body["query"]["bool"]["filter"]}
        assert filters["kubernetes.labels.job-name"] == "train", filters
        if "aggs" in body:
            return {"hits": {"hits": []}, "aggregations": {"pods": {"buckets": [{"key": pod, "doc_count": 1} for pod in self.pods]}}}
        assert body["pit"]["id"] in self.open_pits and list(map(list, body["sort"])) == [["@timestamp"], ["log.offset"], ["_shard_doc"]]
        pod, span = filters["kubernetes.pod.name"], filters["@timestamp"]
        missing = body["sort"][1]["log.offset"].get("missing", 2**63 - 1)
        begin, end = (span[key] for key in ("gte", "lt")) if isinstance(span, dict) else self.span(body)
        hits = [{"_index": "logs-k8s", "_source": {"@timestamp": iso(one.nanoseconds), "message": one.line, "kubernetes": {"pod": {"name": pod}}},
                 "sort": [iso(one.nanoseconds), missing if self.no_offsets else number * 100, number]}
                for number, one in enumerate(self.wanted(pod, begin, end))]
        after = body.get("search_after")
        hits = [hit for hit in hits if after is None or hit["sort"] > after]
        return {"took": 3, "pit_id": body["pit"]["id"], "hits": {"hits": hits[:body["size"]]}}

    @staticmethod
    def span(body):
        ranges, = (one["range"] for one in body["query"]["bool"]["filter"] if "range" in one)
        return ranges["@timestamp"]["gte"], ranges["@timestamp"]["lt"]

    def clickhouse(self, query):
        text = " ".join(query["query"].split())
        assert query["wait_end_of_query"] == "1" and query["param_job"] == "train"
        assert "date_time_output_format = 'iso'" in text
        if text.startswith("SELECT DISTINCT"):
            return "".join(f"{pod}\n" for pod in self.pods)
        assert "ORDER BY Timestamp SETTINGS" in text and text.endswith("FORMAT JSONEachRow"), text
        return "".join(json.dumps({"Timestamp": iso(one.nanoseconds), "ResourceAttributes": {"k8s.pod.name": query["param_pod"]},
                                   "Body": one.line}) + "\n"
                       for one in self.wanted(query["param_pod"], query["param_from"], query["param_to"]))


class Handler(http.server.BaseHTTPRequestHandler):
    def answer(self):
        path, _, query = self.path.partition("?")
        query = dict(urllib.parse.parse_qsl(query, keep_blank_values=True))
        body = json.loads(self.rfile.read(int(self.headers.get("Content-Length") or 0)) or "{}")
        store = self.server
        store.requests.append((self.command, path, query, body))
        if path.startswith("/loki/"):
            is_page, found = path.endswith("query_range"), store.loki(path, query)
        elif path == "/":
            is_page, found = bool(query["param_pod"]), store.clickhouse(query)
        else:
            is_page, found = "search_after" in body or "sort" in body, store.elastic(path, self.command, body)
        if is_page and store.fails_after is not None:
            store.fails_after -= 1
            if store.fails_after < 0:
                return self.send_error(503)
        if not is_page and store.no_list:
            return self.send_error(503)
        text = (found if isinstance(found, str) else json.dumps(found)).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        self.wfile.write(text)

    do_GET = do_POST = do_DELETE = answer

    def log_message(self, *_):
        pass


def comparable(report):
    """What does not depend on where lines stand and what surrounds them."""
    return {"verdict": report["verdict"]["status"], "lines": report["input"]["nccl_lines"],
            "findings": [(one["rule"], one["severity"], one["message"]) for one in report["findings"]],
            "communicators": [{key: value for key, value in one.items() if key in ("nranks", "channels", "transports", "rings", "id")}
                              for one in report["communicators"]],
            "ranks": [(one["host"], one["pid"], one["rank"]) for one in report["ranks"]]}


class Stores(Case):
    def ask(self, name, store, page, tail=""):
        """What the commands of a recipe print, run in the folder of the test."""
        (self.folder / "bin").mkdir(exist_ok=True)
        if not (self.folder / "bin/nccl-analyze").exists():
            (self.folder / "bin/nccl-analyze").symlink_to(BINARY)
        settings = re.sub(r"http://(loki|elastic|clickhouse):\d+", store.url(), SETTINGS)
        settings, replaced = re.subn(r"(?m)^PAGE=\d+", f"PAGE={page}", settings)
        self.assertEqual(replaced, 1)
        script = settings + COMMON + RECIPES[name] + tail
        return subprocess.run(["bash", "-c", script], cwd=self.folder, capture_output=True, text=True, timeout=120,
                              env={**os.environ, "PATH": f"{self.folder / 'bin'}:{os.environ['PATH']}"})

    def serve(self, pods, **options):
        store = Store(pods, **options)
        self.addCleanup(store.server_close)
        self.addCleanup(store.shutdown)
        return store

    def whole(self, plain):
        folder = self.folder / "plain"
        folder.mkdir()
        for pod, lines in plain.items():
            (folder / f"{pod}.log").write_text("".join(line + "\n" for line in lines))
        return comparable(json.loads(run("-f", "json", "--fail-on", "never", folder).stdout))

    def merged(self):
        return json.loads(run("merge", "-f", "json", "--fail-on", "never", self.folder / "sums").stdout)

    def test_the_report_is_that_of_the_plain_logs(self):
        plain = logs()
        self.assertGreater(len(plain), 1)
        wanted = self.whole(plain)
        self.assertEqual(wanted["verdict"], "error")
        self.assertEqual(sorted(RECIPES), ["clickhouse", "elastic", "loki"])
        outside = Entry(number_of("2026-01-31T12:00:00Z"), True, "other:1:1 [0] NCCL WARN Cuda failure 'out of memory'")
        for name in RECIPES:
            for page, alike in ((5000, 1), (50, 1), (50, 3), (7, 5)):
                with self.subTest(name, page=page, alike=alike):
                    shutil.rmtree(self.folder / "sums", ignore_errors=True)
                    store = self.serve({pod: entries_of(lines, alike) + [outside] for pod, lines in plain.items()})
                    done = self.ask(name, store, page)
                    self.assertEqual((done.returncode, done.stderr), (1, ""))  # the report has an error
                    self.assertIn("NCA606 process-died", done.stdout)
                    report = self.merged()
                    self.assertEqual(comparable(report), wanted)
                    self.assertEqual({rank["pod"] for rank in report["ranks"]}, set(plain))
                    self.assertEqual(store.open_pits, set())
                    if page == 50 and name != "clickhouse":
                        self.assertGreater(len(store.requests), 6)

    def test_a_log_that_does_not_arrive_whole_is_named(self):
        plain = logs()
        for name, pages in (("loki", 2), ("elastic", 2), ("clickhouse", 0)):
            with self.subTest(name):
                shutil.rmtree(self.folder / "sums", ignore_errors=True)
                done = self.ask(name, self.serve({pod: entries_of(lines) for pod, lines in plain.items()}, fails_after=pages), 50)
                for pod in plain:
                    self.assertIn(f"the log of {pod} could not be read\n", done.stderr)
                self.assertEqual(list((self.folder / "sums").iterdir()), [])

    def test_no_report_of_old_summaries_without_a_list_of_pods(self):
        pods = {pod: entries_of(lines) for pod, lines in logs().items()}
        for name in RECIPES:
            with self.subTest(name):
                self.assertIn("NCA606 process-died", self.ask(name, self.serve(pods), 5000).stdout)
                for store, error in ((self.serve(pods, no_list=True), "503"), (self.serve({}), "no list of the pods\n")):
                    done = self.ask(name, store, 5000)
                    self.assertEqual((done.returncode, done.stdout), (1, ""))
                    self.assertIn(error, done.stderr)

    def test_entries_that_do_not_say_where_they_stood(self):
        plain = logs()
        store = self.serve({pod: entries_of(lines, 3) for pod, lines in plain.items()}, no_offsets=True)
        self.assertEqual(self.ask("elastic", store, 7).stderr, "")
        self.assertEqual(comparable(self.merged()), self.whole(plain))
        numbers = [body["search_after"][1] for *_, body in store.requests if "search_after" in body]
        self.assertEqual(set(numbers), {0})

    def test_more_lines_of_one_time_than_a_page_has(self):
        plain = {"pod-0": next(iter(logs().values()))}
        done = self.ask("loki", self.serve({pod: entries_of(lines, 10) for pod, lines in plain.items()}), 7)
        self.assertIn("7 entries have one time: raise PAGE\n", done.stderr)
        self.assertIn("the log of pod-0 could not be read\n", done.stderr)
