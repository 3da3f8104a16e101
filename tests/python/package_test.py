"""The Python package: reports of real logs, errors, and what the interpreter does meanwhile. The environment names the
library (NCCL_ANALYZE_LIBRARY) and the package's folder (PYTHONPATH)."""
import dataclasses
import html.parser
import importlib.util
import json
import os
import pathlib
import subprocess
import sys
import typing
import unittest
import warnings

import nccl_analyze
import program
from program import JOBS

HOSTILE = "node-<script>alert(1)</script>:1:1 [0] NCCL WARN Cuda failure 'out of memory' \x1b[31m\u202e\n"


class Elements(html.parser.HTMLParser):
    def __init__(self, text):
        super().__init__()
        self.names, self.open = set(), []
        self.feed(text)

    def handle_starttag(self, name, attributes):
        self.names.add(name)
        self.open.append(name)

    def handle_endtag(self, name):
        assert self.open.pop() == name, name


def fits(value, annotation):
    """Whether a value is what the annotation of its member says."""
    kind, of = typing.get_origin(annotation), typing.get_args(annotation)
    if kind is typing.Union:
        return any(fits(value, one) for one in of)
    if kind is list:
        return isinstance(value, list) and all(fits(one, of[0]) for one in value)
    if kind is dict:
        return isinstance(value, dict) and all(fits(one, of[1]) for one in value.values())
    if annotation is float:
        return isinstance(value, (int, float))
    return isinstance(value, annotation) and (annotation is bool or not isinstance(value, bool))


class Redaction(program.Case):
    LOG = "secret start\nllama-node-6:152:386 [0] NCCL INFO Using network IB\n"

    def test_a_log_in_memory_loses_its_names(self):
        text = nccl_analyze.redact(self.LOG)
        self.assertTrue(text.startswith(b"# redacted\n") and text.endswith(b"-6:152:386 [0] NCCL INFO Using network IB\n"), text)
        self.assertNotIn(b"llama", text)
        self.assertNotIn(b"secret", nccl_analyze.redact(self.LOG.encode(), keep_other=True))

    def test_pieces_and_an_earlier_table_give_the_same(self):
        redaction = nccl_analyze.Redaction()
        for piece in self.LOG:
            redaction.survey("llama-node-6.log", piece)
        redaction.end()
        text = b"".join(redaction.rewrite("llama-node-6.log", piece) for piece in self.LOG) + redaction.end()
        self.assertEqual(text, nccl_analyze.redact(self.LOG))
        self.assertNotIn("llama", redaction.name("llama-node-6.log"))
        self.assertEqual(text, nccl_analyze.redact(self.LOG, table=redaction.table))

    def test_a_wrong_order_is_an_error(self):
        redaction = nccl_analyze.Redaction()
        redaction.survey("a", self.LOG)
        with self.assertRaisesRegex(nccl_analyze.Error, "not ended"):
            redaction.rewrite("a", self.LOG)
        with self.assertRaisesRegex(nccl_analyze.Error, "no table"):
            nccl_analyze.Redaction(table="llama")


class Report(program.Case):
    def setUp(self):
        super().setUp()
        self.report = nccl_analyze.read(self.broken)

    def test_the_verdict_and_the_findings_are_those_of_the_program(self):
        expected = program.report(self.broken)
        self.assertEqual(json.loads(self.report.to_json()), expected)
        self.assertEqual(self.report.verdict.status, "error")
        self.assertEqual(self.report.verdict.headline, expected["verdict"]["headline"])
        self.assertEqual([one.rule for one in self.report.findings], [one["rule"] for one in expected["findings"]])
        first = self.report.findings[0]
        self.assertEqual((first.name, first.suspects[0].pid), ("net-plugin-failed", 152))
        self.assertEqual((first.evidence[0].source, first.evidence[0].line), (str(self.broken), 22))

    def test_tables(self):
        rank, = [rank for rank in self.report.ranks if rank.communicator == 0]
        self.assertEqual((rank.host, rank.gpu, rank.init_seconds), ("llama-3-8b-node-0-0", 0, 59.98))
        edge = self.report.edges[0]
        self.assertEqual((edge.kind, edge.transport), ("NET", "NET/Socket"))
        self.assertEqual(self.report.communicators[0].nranks, 4)
        self.assertEqual(self.report.communicators[0].between, "NET/Socket")
        self.assertEqual(self.report.hosts[0].gpus, 1)
        self.assertEqual(self.report.processes[0].env["NCCL_SOCKET_IFNAME"], "^docker0,lo")
        self.assertEqual({check.status for check in self.report.checks if check.check == "network"}, {"fail"})

    def test_texts(self):
        self.assertRegex(repr(self.report), r"^<nccl_analyze\.Report: ERROR  The network plugin failed: .*; "
                                            r"findings: \d+, ranks: 2, hosts: 1>$")
        self.assertTrue(str(self.report).startswith("ERROR  The network plugin failed"))
        self.assertIn("NCA301", self.report.to_markdown())
        self.assertTrue(self.report.to_html().startswith("<!doctype html>"))
        self.assertIn("<testsuites", self.report.render("junit"))
        with self.assertRaisesRegex(ValueError, "no format 'jsn'"):
            self.report.render("jsn")

    def test_a_notebook_gets_escaped_html_without_script(self):
        for report in (self.report, nccl_analyze.loads(HOSTILE)):
            text = report._repr_html_()
            elements = Elements(text)
            self.assertEqual(elements.open, [])
            self.assertFalse(elements.names & {"script", "style", "img", "iframe"}, elements.names)
            self.assertNotIn("\x1b", text)
            self.assertNotIn("\u202e", text)
            self.assertIn(report.findings[0].rule, text)

    def test_every_case_fills_the_tables_with_what_their_types_say(self):
        tables = ("findings", "checks", "ranks", "edges", "communicators", "hosts", "processes")
        seen = dict.fromkeys(tables, 0)
        for log in sorted(program.TESTDATA.glob("*/*/input.log")):
            report = nccl_analyze.read(log)
            for table in tables:
                rows = getattr(report, table)
                for row in rows[:200]:
                    for name, annotation in typing.get_type_hints(type(row)).items():
                        self.assertTrue(fits(getattr(row, name), annotation), (log, table, name, getattr(row, name)))
                seen[table] += len(rows)
        self.assertTrue(all(seen.values()), seen)

    @program.unittest.skipUnless(importlib.util.find_spec("pandas"), "python3-pandas is not installed")
    def test_pandas_takes_the_tables_as_they_are(self):
        import pandas
        report = nccl_analyze.read(JOBS / "split-2x4/input.log")
        for table in ("findings", "ranks", "edges", "communicators", "hosts", "processes", "checks"):
            rows = getattr(report, table)
            frame = pandas.DataFrame(rows)
            self.assertEqual(list(frame.columns), [field.name for field in dataclasses.fields(rows[0])])
            self.assertEqual(len(frame), len(rows))
        ranks = pandas.DataFrame(report.ranks)
        self.assertEqual(ranks["rank"].dtype.kind, "i")
        self.assertEqual(ranks.groupby("host").size().sum(), len(ranks))
        edges = pandas.DataFrame(report.edges)
        self.assertEqual(edges["gdrdma"].dtype.kind, "b")
        self.assertEqual(set(edges[edges.from_host != edges.to_host].kind), {"NET"})


class Members(unittest.TestCase):
    """The tables have the keys of the schema but those that are named here, which only to_dict() has."""
    DEFINITIONS = json.loads((program.TESTDATA.parent / "lib/report/report.v1.schema.json").read_text())["definitions"]
    TABLES = {
        "Verdict": ("verdict", ""), "Evidence": ("evidence", ""), "Step": ("step", ""), "Check": ("check", ""),
        "Host": ("host", ""), "Suspect": ("suspect", "process"), "Finding": ("finding", "rank_list"),
        "Rank": ("rank_address", ""), "Edge": ("connection", "from to seen"),
        "Process": ("process", "place bootstrap plugins buffers"),
        "Communicator": ("communicator", "split_count color inferred nvls_channels p2p_channels p2p_channels_per_peer "
                         "mnnvl nodes ranks ranks_without_log trees nvls_head_count nvls_heads nvls_trees "
                         "collnet_chains collnet contradictions transports"),
    }

    def test_a_key_of_the_schema_is_a_member_or_named_here(self):
        for table, (definition, left_out) in self.TABLES.items():
            members = {field.name for field in dataclasses.fields(getattr(nccl_analyze, table))}
            self.assertEqual(set(self.DEFINITIONS[definition]["properties"]) - members, set(left_out.split()), table)

    def test_a_member_may_be_none_if_its_key_may_be_null(self):
        for table, (definition, _) in self.TABLES.items():
            for name, annotation in typing.get_type_hints(getattr(nccl_analyze, table)).items():
                key = self.DEFINITIONS[definition]["properties"].get(name, {})
                if "null" in key.get("type", ()) or None in key.get("enum", ()):
                    self.assertTrue(fits(None, annotation) or (table, name) == ("Finding", "ranks"), (table, name))


class Reading(program.Case):
    def test_paths_of_every_kind(self):
        (self.folder / "a.log").write_bytes(self.broken.read_bytes())
        for paths in ([str(self.folder)], [os.fsencode(self.folder)], [self.folder], [[self.folder / "a.log"]],
                      [str(self.folder / "*.log")]):
            self.assertEqual(nccl_analyze.read(*paths).findings[0].rule, "NCA301")
        both = nccl_analyze.read(self.broken, self.healthy)
        self.assertEqual(len(both.to_dict()["input"]["sources"]), 2)

    def test_what_is_left_out_warns(self):
        for name in ("a.log", "copy.log"):
            (self.folder / name).write_bytes(self.broken.read_bytes())
        with self.assertWarnsRegex(nccl_analyze.InputWarning, "copy.log is left out: it holds the same bytes"):
            report = nccl_analyze.read(self.folder)
        self.assertEqual(len(report.notices), 1)

    def test_loads_takes_text_and_bytes(self):
        log = self.broken.read_bytes()
        self.assertEqual(nccl_analyze.loads(log).to_json(), nccl_analyze.loads(log.decode()).to_json())
        self.assertEqual(nccl_analyze.loads(log, name="pod-0").findings[0].evidence[0].source, "pod-0")
        self.assertEqual(nccl_analyze.loads(b"").verdict.status, "unknown")
        self.assertEqual(nccl_analyze.loads("\udc80\ud800\n").verdict.status, "unknown")

    def test_an_analyzer_takes_pieces_and_reports_meanwhile(self):
        log = self.broken.read_bytes()
        analyzer = nccl_analyze.Analyzer()
        analyzer.feed("pod-0", log[:5000])
        self.assertIsInstance(analyzer.look().verdict.headline, str)
        analyzer.feed("pod-0", log[5000:])
        analyzer.end("pod-0")
        self.assertEqual(analyzer.finish().to_json(), nccl_analyze.loads(log, name="pod-0").to_json())
        with self.assertRaisesRegex(nccl_analyze.Error, "the analyzer is finished"):
            analyzer.finish()

    def test_options(self):
        report = nccl_analyze.read(self.broken, select=["NCA3", "NCA801"], ignore="NCA301", expect="ranks=8")
        self.assertEqual([one.rule for one in report.findings][0], "NCA801")
        self.assertNotIn("NCA301", [one.rule for one in report.findings])
        profiled = nccl_analyze.loads(self.broken.read_bytes(), profile="dgx-h100", expect=["ranks=4", "nodes=4"])
        self.assertEqual(profiled.to_dict()["acceptance"]["profile"], "dgx-h100")

    def test_errors_are_exceptions_of_one_line(self):
        for pattern, call in (
                ("^cannot read /nonexistent: No such file or directory$", lambda: nccl_analyze.read("/nonexistent")),
                ("^name at least one file or folder", nccl_analyze.read),
                ("^name at least one file or folder", lambda: nccl_analyze.read([])),
                ("^there is no file to read under the paths named$", lambda: nccl_analyze.read(self.folder)),
                ("did you mean socket-fallback", lambda: nccl_analyze.loads("", select="sokcet-fallback")),
                ("--expect: ", lambda: nccl_analyze.loads("", expect="nvlnk")),
                ("no profile and no file", lambda: nccl_analyze.loads("", profile="p5.48xlareg"))):
            with self.assertRaisesRegex(nccl_analyze.Error, pattern) as caught:
                call()
            self.assertNotIn("\n", str(caught.exception))
        with self.assertRaisesRegex(ValueError, "zero byte"):
            nccl_analyze.read("a\0b")

    def test_nothing_is_printed(self):
        code = ("import warnings, nccl_analyze; warnings.simplefilter('ignore')\n"
                f"nccl_analyze.read({str(self.broken)!r}, '/nonexistent')")
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, timeout=120)
        self.assertEqual((done.stdout, done.stderr, done.returncode), (b"", b"", 0))


class Interpreter(program.Case):
    """The writer of a pipe is a thread of the interpreter that reads it: if the reader kept the lock, neither went on."""

    def setUp(self):
        super().setUp()
        self.pipe = self.folder / "pipe"
        os.mkfifo(self.pipe)

    def run_code(self, code):
        return subprocess.run([sys.executable, "-c", code, str(self.pipe), str(self.broken)], capture_output=True,
                              text=True, timeout=120)

    def test_the_lock_is_released_while_reading(self):
        done = self.run_code("""if True:
            import pathlib, sys, threading, nccl_analyze
            reports = []
            reader = threading.Thread(target=lambda: reports.append(nccl_analyze.read(sys.argv[1])))
            reader.start()
            pathlib.Path(sys.argv[1]).write_bytes(pathlib.Path(sys.argv[2]).read_bytes())
            reader.join()
            print(reports[0].findings[0].rule)
        """)
        self.assertEqual((done.stdout, done.stderr), ("NCA301\n", ""))

    def test_the_main_thread_reads_while_others_run(self):
        done = self.run_code("""if True:
            import pathlib, sys, threading, nccl_analyze
            log = pathlib.Path(sys.argv[2]).read_bytes()
            threading.Thread(target=lambda: pathlib.Path(sys.argv[1]).write_bytes(log)).start()
            print(nccl_analyze.read(sys.argv[1]).findings[0].rule)
        """)
        self.assertEqual((done.stdout, done.stderr), ("NCA301\n", ""))

    def test_ctrl_c_ends_the_reading(self):
        done = self.run_code("""if True:
            import os, signal, sys, threading, nccl_analyze
            signal.signal(signal.SIGINT, signal.default_int_handler)  # ctest may have started this with SIGINT ignored
            def interrupt():
                globals()["writer"] = open(sys.argv[1], "w")  # open()ed when the reader has it; never closed, it waits
                os.kill(os.getpid(), signal.SIGINT)
            threading.Thread(target=interrupt).start()
            try:
                nccl_analyze.read(sys.argv[1])
            except KeyboardInterrupt:
                print("interrupted")
        """)
        self.assertEqual((done.stdout, done.stderr), ("interrupted\n", ""))


class Package(program.Case):
    @program.unittest.skipUnless(importlib.util.find_spec("mypy"), "mypy is not installed")
    def test_types(self):
        package = pathlib.Path(nccl_analyze.__file__).parent
        self.assertTrue((package / "py.typed").exists())
        user = self.folder / "user.py"
        user.write_text("import nccl_analyze\n"
                        "report = nccl_analyze.read('logs/', expect=['ranks=16'])\n"
                        "seconds: list[float] = [rank.init_seconds or 0 for rank in report.ranks]\n")
        done = subprocess.run([sys.executable, "-m", "mypy", "--strict", "--cache-dir", self.folder / "cache", package,
                               user], capture_output=True, text=True, timeout=300)
        self.assertEqual((done.stdout[:9], done.returncode), ("Success: ", 0), done.stdout + done.stderr)

    @program.unittest.skipUnless(importlib.util.find_spec("pip"), "python3-pip is not installed")
    def test_pip_installs_it_without_a_network(self):
        project, build = program.TESTDATA.parent, pathlib.Path(program.BINARY).parent.parent
        done = subprocess.run([sys.executable, "-m", "pip", "install", "--no-index", "--quiet", "--target", self.folder,
                               "--config-settings", f"build-dir={build}", project], capture_output=True, text=True,
                              timeout=300)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        environment = {**os.environ, "PYTHONPATH": str(self.folder)}
        del environment["NCCL_ANALYZE_LIBRARY"]
        code = ("import sys, nccl_analyze\nfrom importlib.metadata import version\n"
                "assert version('nccl-analyze') == nccl_analyze.__version__\n"
                "print(nccl_analyze.__file__, nccl_analyze.read(sys.argv[1]).findings[0].rule)")
        done = subprocess.run([sys.executable, "-c", code, self.broken], capture_output=True, text=True, timeout=60,
                              env=environment)
        self.assertEqual(done.stdout, f"{self.folder}/nccl_analyze/__init__.py NCA301\n", done.stderr)

    def test_without_its_library_the_import_says_what_to_do(self):
        done = subprocess.run([sys.executable, "-c", "import nccl_analyze"], capture_output=True, text=True, timeout=60,
                              env={**os.environ, "NCCL_ANALYZE_LIBRARY": "/nonexistent.so"})
        last = done.stderr.strip().splitlines()[-1]
        self.assertIn("nccl_analyze needs its library", last)
        self.assertIn("set NCCL_ANALYZE_LIBRARY", last)

    @program.unittest.skipUnless(importlib.util.find_spec("pandas"), "python3-pandas is not installed")
    def test_the_notebook_of_the_examples(self):
        notebook = program.TESTDATA.parent / "examples/notebook.py"
        for job in ("efa-fallback", "split-2x4", "rank-killed"):
            done = subprocess.run([sys.executable, notebook], env={**os.environ, "LOGS": str(JOBS / job / "input.log")},
                                  capture_output=True, text=True, timeout=120)
            self.assertEqual((done.stderr, done.returncode), ("", 0))
            self.assertIn("is a page of", done.stdout)


def setUpModule():
    warnings.simplefilter("always", nccl_analyze.InputWarning)
