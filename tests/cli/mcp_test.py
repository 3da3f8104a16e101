"""`nccl-analyze mcp`: the protocol, the tools, and what a hostile client or folder can do."""
import json
import os
import pathlib
import re
import subprocess

import program
from job_log import job
from program import JOBS, TESTDATA, Case, run

SKILL = pathlib.Path(__file__).resolve().parents[2] / "examples/agent/nccl-analyze/SKILL.md"
TOOLS = {"files", "analyze", "explain", "ranks", "diff", "rules"}


class Session:
    """A server, and a client that writes what it is told and reads a line for each answer."""

    def __init__(self, *folders):
        self.process = subprocess.Popen([program.BINARY, "mcp", *map(str, folders)], stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.last = 0

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait(timeout=60)
        for pipe in (self.process.stdin, self.process.stdout, self.process.stderr):
            pipe.close()

    def send(self, message):
        line = message if isinstance(message, bytes) else json.dumps(message).encode()
        self.process.stdin.write(line + b"\n")
        self.process.stdin.flush()

    def answer(self, message):
        self.send(message)
        return self.read()

    def read(self):
        line = self.process.stdout.readline()
        assert line.endswith(b"\n"), line
        return json.loads(line)

    def ask(self, method, **params):
        self.last += 1
        answer = self.answer({"jsonrpc": "2.0", "id": self.last, "method": method, "params": params})
        assert (answer["jsonrpc"], answer["id"]) == ("2.0", self.last), answer
        return answer

    def result(self, method, **params):
        return self.ask(method, **params)["result"]

    def call(self, tool, **arguments):
        """The texts of the answer: what was asked for, and the notes."""
        result = self.result("tools/call", name=tool, arguments=arguments)
        assert result["isError"] is False, result
        return [each["text"] for each in result["content"]]

    def refused(self, tool, **arguments):
        result = self.result("tools/call", name=tool, arguments=arguments)
        assert result["isError"] is True, result
        return " ".join(each["text"] for each in result["content"])

    def end(self):
        self.process.stdin.close()
        rest = self.process.stdout.read()
        return rest, self.process.stderr.read(), self.process.wait(timeout=60)


class Server(Case):
    def setUp(self):
        super().setUp()
        self.logs = self.folder / "logs"
        self.logs.mkdir()
        (self.logs / "bad").mkdir()
        (self.logs / "bad/input.log").write_bytes(self.broken.read_bytes())
        (self.logs / "good.log").write_bytes(self.healthy.read_bytes())

    def session(self, *folders):
        return Session(*(folders or [self.logs]))


class Protocol(Server):
    def test_versions_are_negotiated(self):
        with self.session() as session:
            for asked, given in (("2025-11-25", "2025-11-25"), ("2025-06-18", "2025-06-18"), ("2025-03-26", "2024-11-05"),
                                 ("2024-11-05", "2024-11-05"), ("2023-01-01", "2025-11-25"), ("2099-01-01", "2025-11-25")):
                result = session.result("initialize", protocolVersion=asked, capabilities={}, clientInfo={})
                self.assertEqual(result["protocolVersion"], given)
            self.assertEqual(set(result["capabilities"]), {"tools", "resources"})
            self.assertEqual(result["serverInfo"]["name"], "nccl-analyze")
            self.assertIn(str(self.logs), result["instructions"])

    def test_notifications_and_responses_get_no_answer(self):
        with self.session() as session:
            session.send({"jsonrpc": "2.0", "method": "notifications/initialized"})
            session.send({"jsonrpc": "2.0", "method": "no/such", "params": []})
            session.send({"jsonrpc": "2.0", "id": 1, "result": {}})
            session.send(b"  \r")
            self.assertEqual(session.answer({"jsonrpc": "2.0", "id": "a\n\"b", "method": "ping"}),
                             {"jsonrpc": "2.0", "id": "a\n\"b", "result": {}})

    def test_it_ends_with_its_input(self):
        with self.session() as session:
            session.process.stdin.write(b'{"jsonrpc":"2.0","id":1,"method":"ping"}')  # without a newline
            rest, errors, status = session.end()
            self.assertEqual((json.loads(rest)["result"], errors, status), ({}, b"", 0))

    def test_a_reader_that_is_gone_ends_it_quietly(self):
        with self.session() as session:
            session.process.stdout.close()
            session.send({"jsonrpc": "2.0", "id": 1, "method": "tools/list"})
            session.process.stdin.close()
            self.assertEqual((session.process.wait(timeout=60), session.process.stderr.read()), (0, b""))

    def test_errors_of_the_protocol(self):
        deep = b"[" * 100000
        request = b'{"jsonrpc":"2.0","id":1,"method":'
        with self.session() as session:
            for message, code, id in (
                    (b"{", -32700, None), (b"\xff", -32700, None), (deep, -32700, None), (deep + deep.replace(b"[", b"]"), -32700, None),
                    (b'{"id":1,"id":2}', -32700, None), (b"null", -32600, None), (b"7", -32600, None), (b"[]", -32600, None),
                    (b'{"id":1,"method":"ping"}', -32600, 1), (b'{"jsonrpc":"1.0","id":1,"method":"ping"}', -32600, 1),
                    (b'{"id":"a","method":3}', -32600, "a"),
                    (b'{"jsonrpc":"2.0","id":null,"method":"ping"}', -32600, None),
                    (b'{"jsonrpc":"2.0","id":1.5,"method":"ping"}', -32600, None),
                    (b'{"jsonrpc":"2.0","id":{},"method":"ping"}', -32600, None),
                    (request + b"3}", -32600, 1), (request + b'"logging/setLevel"}', -32601, 1), (request + b'"\\u0000"}', -32601, 1),
                    (request + b'"initialize"}', -32602, 1), (request + b'"tools/call","params":[]}', -32602, 1),
                    (request + b'"ping","params":[]}', -32602, 1), (request + b'"tools/list","params":"x"}', -32602, 1),
                    (request + b'"ping","params":null}', -32602, 1),
                    (request + b'"tools/call","params":{"name":"rm"}}', -32602, 1),
                    (request + b'"resources/read","params":{"uri":"file:///etc/passwd"}}', -32002, 1),
                    (request + b'"resources/read","params":{"uri":"nccl-analyze://rules/../NCA301"}}', -32002, 1)):
                with self.subTest(message[:60]):
                    answer = session.answer(message)
                    self.assertEqual((answer["error"]["code"], answer["id"]), (code, id), answer)

    def test_a_huge_line_is_passed_over(self):
        with self.session() as session:
            for size in ((1 << 20) + 1, 40 << 20):
                answer = session.answer(b'{"jsonrpc":"2.0","id":1,"method":"ping","params":"' + b"x" * size + b'"}')
                self.assertEqual(answer["error"]["code"], -32600)
            self.assertEqual(session.result("ping"), {})
            peak = re.search(r"VmHWM:\s+(\d+)", pathlib.Path(f"/proc/{session.process.pid}/status").read_text())
            if "asan" not in os.environ.get("ASAN_OPTIONS", ""):
                self.assertLess(int(peak[1]), 1 << 20)  # KiB

    def test_a_folder_is_needed(self):
        self.assert_one_line(run("mcp"), "FOLDER")
        self.assert_one_line(run("mcp", self.folder / "none"), "cannot read", "none")
        self.assert_one_line(run("mcp", self.broken), "is no folder")


class Tools(Server):
    def test_list(self):
        with self.session() as session:
            tools = {each["name"]: each for each in session.result("tools/list")["tools"]}
            self.assertEqual(set(tools), TOOLS)
            for each in tools.values():
                self.assertIs(each["annotations"]["readOnlyHint"], True)
                self.assertEqual(each["inputSchema"]["type"], "object")
                self.assertLessEqual(set(each["inputSchema"]["required"]), set(each["inputSchema"]["properties"]))
                self.assertTrue(each["description"])

    def test_schemas_are_json_schema(self):
        try:
            import jsonschema
        except ImportError:
            self.skipTest("jsonschema is not there")
        with self.session() as session:
            for each in session.result("tools/list")["tools"]:
                jsonschema.Draft7Validator.check_schema(each["inputSchema"])

    def test_analyze(self):
        with self.session() as session:
            text, note = session.call("analyze", paths=["bad"], limit=30)
            shown = run("--fail-on", "never", "input.log", cwd=self.logs / "bad").stdout.decode()
            lines = text.splitlines()
            self.assertEqual(lines[0], shown.splitlines()[0])
            self.assertIn("bad/input.log:22", text)
            self.assertEqual(len(lines), 30)
            self.assertIn("offset=30 goes on", note)
            more = session.call("analyze", paths="bad", offset=30, limit=1000)
            self.assertEqual(len(more), 1)
            self.assertEqual(session.call("analyze", paths=[str(self.logs / "bad/input.log")], limit=1000)[0], text + more[0])
            self.assertIn("offset is too large", session.refused("analyze", paths=["bad"], offset=100000))

    def test_analyze_brief_and_json(self):
        with self.session() as session:
            brief = json.loads(session.call("analyze", paths=["bad"], format="brief")[0])
            self.assertEqual((brief["schema"], brief["root"]["rule"]), ("nccl-analyze.brief", "NCA301"))
            seen, offset = [], 0
            while offset is not None:
                page = json.loads(session.call("analyze", paths=["bad"], format="json", offset=offset, limit=2)[0])
                self.assertLessEqual(len(page["findings"]), 2)
                seen += [each["rule"] for each in page["findings"]]
                offset = page["next_offset"]
            report = program.report(self.broken)
            self.assertEqual(seen, [each["rule"] for each in report["findings"]])
            self.assertEqual((page["findings_total"], page["status"]), (len(seen), report["verdict"]["status"]))
            for offset in (len(seen), (1 << 63) - 1):
                self.assertIn(f"offset is too large: there are {len(seen)} findings",
                              session.refused("analyze", paths=["bad"], format="json", offset=offset, limit=(1 << 63) - 1))
            for page in ({"offset": 0}, {"limit": 5}):
                self.assertIn("brief has no pages", session.refused("analyze", paths=["bad"], format="brief", **page))

    def test_several_jobs_are_noted(self):
        (self.logs / "mon.log").write_bytes(job([3] * 4))
        (self.logs / "tue.log").write_bytes(job([5] * 4, pid=900, comm_id="0x2222"))
        with self.session() as session:
            for tool in ("analyze", "ranks"):
                self.assertIn("2 jobs are in this input; name the logs of one",
                              " ".join(session.call(tool, paths=["mon.log", "tue.log"])[1:]))
                self.assertNotIn("jobs are in", " ".join(session.call(tool, paths=["mon.log"])))

    def test_files(self):
        (self.logs / "b\x1b[31m\n.log").write_bytes(b"abc")
        (self.logs / "empty").mkdir()
        (self.logs / "same.log").symlink_to("good.log")
        (self.logs / "inner").symlink_to("bad")
        (self.logs / "out.log").symlink_to(self.broken)
        (self.logs / "nowhere.log").symlink_to("none")
        os.mkfifo(self.logs / "pipe.log")
        size = str((self.logs / "good.log").stat().st_size)
        with self.session() as session:
            text, note = session.call("files")
            self.assertEqual([line.split() for line in text.splitlines()],
                             [["file", "3", "b\\x1b[31m\\x0a.log"], ["folder", "-", "bad"], ["folder", "-", "empty"], ["file", size, "good.log"],
                              ["folder", "-", "inner"], ["file", size, "same.log"]])
            self.assertIn("3 left out", note)
            page, note = session.call("files", offset=1, limit=2)
            self.assertEqual([line.split()[-1] for line in page.splitlines()], ["bad", "empty"])
            self.assertIn("offset=3 goes on", note)
            [line] = session.call("files", path="bad")[0].splitlines()
            self.assertTrue(session.call("analyze", paths=[line.split()[-1]]))
            self.assertEqual(session.call("files", path=str(self.logs / "inner"))[0].split()[-1], "bad/input.log")
            self.assertEqual(session.call("files", path="empty"), ["No file and no folder.\n"])
            self.assertIn("cannot list good.log", session.refused("files", path="good.log"))
            for path in ("..", "/", "out.log", "none"):
                self.assertIn("; the tool files lists them", session.refused("files", path=path))
        with self.session(self.logs, self.logs / "bad") as session:
            self.assertEqual([line.split()[-1] for line in session.call("files")[0].splitlines()], [str(self.logs), str(self.logs / "bad")])

    def test_ranks(self):
        killed = JOBS / "rank-killed"
        with self.session(killed) as session:
            self.assertEqual(session.call("ranks", paths=["."])[0], run("ranks", killed / "input.log").stdout.decode())
            failed = session.call("ranks", paths=["."], failed=True)[0]
            self.assertEqual(failed, run("ranks", "--failed", "input.log", cwd=killed).stdout.decode())

    def test_ranks_of_a_communicator(self):
        split = JOBS / "split-2x4"
        with self.session(split) as session:
            for comm in ("#0", "#2", "2"):
                self.assertEqual(session.call("ranks", paths=["."], comm=comm)[0],
                                 run("ranks", "--comm", comm, "input.log", cwd=split).stdout.decode())
            self.assertIn("#2", session.call("ranks", paths=["."])[1])
            self.assertIn("no communicator fits comm; the communicators of this input are", session.refused("ranks", paths=["."], comm="#99"))
            self.assertIn("comm is empty", session.refused("ranks", paths=["."], comm=""))

    def test_explain(self):
        with self.session() as session:
            for what in ("NCA302", "socket-fallback", " 302 "):
                self.assertEqual(session.call("explain", what=what)[0], run("explain", "NCA302").stdout.decode())
            line = "NCCL WARN Call to ibv_create_qp failed with error Cannot allocate memory"
            self.assertEqual(session.call("explain", what=line)[0], run("explain", line).stdout.decode())
            self.assertIn("not recognised", session.call("explain", what="no line \x1b[31m of NCCL")[1])
            self.assertIn("did you mean NCA301", session.refused("explain", what="NCA3O1"))

    def test_diff(self):
        with self.session() as session:
            shown = run("diff", self.healthy, self.broken).stdout.decode()
            text = "".join(session.call("diff", old="good.log", new="bad", limit=1000))
            self.assertEqual(text.splitlines()[-1], shown.splitlines()[-1])
            self.assertIn("same", session.call("diff", old="good.log", new="good.log")[0])

    def test_rules(self):
        with self.session() as session:
            self.assertEqual(session.call("rules", family="NCA3")[0], run("rules", "NCA3").stdout.decode())
            self.assertEqual(session.call("rules", limit=1000)[0], run("rules").stdout.decode())

    def test_rule_pages(self):
        with self.session() as session:
            pages = session.result("resources/list")["resources"]
            rules = json.loads(run("rules", "-f", "json").stdout)["rules"]
            self.assertEqual([each["uri"] for each in pages], ["nccl-analyze://rules/" + rule["id"] for rule in rules])
            for each, rule in zip(pages, rules):
                [content] = session.result("resources/read", uri=each["uri"])["contents"]
                self.assertEqual((content["uri"], content["mimeType"]), (each["uri"], "text/markdown"))
                self.assertTrue(content["text"].startswith(f"# {rule['id']} {rule['name']}\n"))
                self.assertIn(rule["fix"], content["text"])
            self.assertEqual(session.result("resources/templates/list"), {"resourceTemplates": []})

    def test_wrong_arguments_are_refused_by_name(self):
        with self.session() as session:
            for tool, arguments, words in (
                    ("analyze", {}, "paths is missing"), ("analyze", {"paths": []}, "paths must be an array"),
                    ("analyze", {"paths": [3]}, "paths must be"), ("analyze", {"paths": ""}, "a path is empty"),
                    ("ranks", {"paths": ["bad", ""]}, "a path is empty"), ("diff", {"old": "", "new": "bad"}, "a path is empty"),
                    ("files", {"path": ""}, "a path is empty"), ("analyze", {"paths": [["a"]]}, "paths must be"),
                    ("analyze", {"paths": ["."], "format": "html"}, "text, brief, json"),
                    ("analyze", {"paths": ["."], "limit": -1}, "limit must be"), ("analyze", {"paths": ["."], "limit": 1e30}, "limit must be"),
                    ("analyze", {"paths": ["."], "offset": "3"}, "offset must be"), ("ranks", {"paths": ["."], "failed": 1}, "true or false"),
                    ("analyze", {"paths": ["."], "output": "x"}, "no argument output"), ("explain", {"what": None}, "what must be"),
                    ("diff", {"old": "good.log"}, "new is missing"), ("rules", {"family": "XYZ"}, "XYZ")):
                with self.subTest(tool, arguments=arguments):
                    self.assertIn(words, session.refused(tool, **arguments))
            result = session.result("tools/call", name="analyze", arguments="x")
            self.assertIn("must be an object", result["content"][0]["text"])
            self.assertTrue(session.call("analyze", paths=["bad"], limit=0)[0])
            self.assertTrue(session.call("analyze", paths=["bad"], format="json", limit=(1 << 63) - 1)[0])

    def test_the_skill_names_these_tools(self):
        with self.session() as session:
            tools = {each["name"]: each for each in session.result("tools/list")["tools"]}
        text = SKILL.read_text()
        words = set(re.findall(r"`([a-z]+)`", text))
        self.assertLessEqual(TOOLS, words)
        arguments = {name for tool in tools.values() for name in tool["inputSchema"]["properties"]}
        self.assertLessEqual(words - TOOLS - {"ibstat", "brief", "json"}, arguments)
        self.assertTrue(text.startswith(f"---\nname: {SKILL.parent.name}\ndescription: "))


class Confined(Server):
    def setUp(self):
        super().setUp()
        self.outside = self.folder / "outside"
        self.outside.mkdir()
        self.secret = self.outside / "secret.log"
        self.secret.write_bytes(self.broken.read_bytes().replace(b"llama-3-8b-node-0-0", b"secret-host"))

    def test_paths_outside_are_refused_alike(self):
        (self.folder / "logs-2").mkdir()
        (self.folder / "logs-2/x.log").write_bytes(self.secret.read_bytes())
        (self.logs / "link").symlink_to(self.outside)
        with self.session() as session:
            for path in ("../outside/secret.log", "bad/../../outside/secret.log", str(self.secret), "link", "link/secret.log", "/",
                         "..", "/etc/passwd", f"/proc/self/root{self.secret}", "/proc/self/fd/0", "/dev/stdin", "-", "../logs-2/x.log",
                         str(self.folder / "logs-2"), "none", "../outside/none", "*.log", "x" * 100000, "~", str(self.folder / "*"), "bad\0x"):
                for tool, arguments in (("analyze", {"paths": [path]}), ("ranks", {"paths": ["bad", path]}),
                                        ("diff", {"old": path, "new": "bad"}), ("diff", {"old": "bad", "new": path})):
                    with self.subTest(path[:80], tool=tool):
                        text = session.refused(tool, **arguments)
                        self.assertRegex(text, r"^there is no .* within the folders of this server: ")
                        self.assertLess(len(text), 500)
            self.assertTrue(session.call("analyze", paths=["bad/../bad"]))

    def test_links_in_a_folder_are_followed_inside_only(self):
        (self.logs / "bad/inside.log").symlink_to(self.logs / "good.log")
        (self.logs / "bad/out.log").symlink_to(self.secret)
        (self.logs / "bad/outside").symlink_to(self.outside)
        (self.logs / "bad/hidden.log").symlink_to("/proc/self/environ")
        os.mkfifo(self.logs / "bad/pipe.log")
        with self.session() as session:
            for paths in (["bad"], ["."], ["bad/inside.log", "bad"]):
                text, *notes = session.call("analyze", paths=paths, limit=1000)
                self.assertNotIn("secret-host", text + " ".join(notes))
                self.assertIn("out.log is left out: it is no file within the folders", " ".join(notes))
            self.assertNotIn("secret-host", " ".join(session.call("diff", old="bad", new="good.log", limit=1000)))
            for path in ("bad/out.log", "bad/hidden.log"):
                self.assertIn("there is no", session.refused("analyze", paths=[path]))
            self.assertIn("nothing could be read", session.refused("analyze", paths=["bad/pipe.log"]))

    def test_several_folders(self):
        with self.session(self.logs, self.outside) as session:
            for path in ("secret.log", str(self.secret), "../outside/secret.log"):
                self.assertIn("secret-host", session.call("analyze", paths=[path])[0])
            self.assertIn(str(self.logs / "bad/input.log"), session.call("analyze", paths=["bad"])[0])

    def test_a_folder_that_is_a_link(self):
        (self.folder / "link").symlink_to(self.logs)
        with self.session(self.folder / "link/") as session:
            self.assertTrue(session.call("analyze", paths=["bad"]))
            self.assertTrue(session.call("analyze", paths=[str(self.folder / "link/bad")]))

    def test_standard_input_is_never_a_log(self):
        with self.session() as session:
            empty = self.logs / "empty"
            empty.mkdir()
            self.assertIn("there is no file to read", session.refused("analyze", paths=["empty"]))
            self.assertEqual(session.result("ping"), {})

    def test_nothing_is_written(self):
        before = sorted(path for path in self.folder.rglob("*"))
        with self.session() as session:
            for tool, arguments in (("files", {}), ("analyze", {"paths": ["."]}), ("ranks", {"paths": ["."]}), ("diff", {"old": "good.log", "new": "bad"})):
                session.call(tool, **arguments)
        self.assertEqual(sorted(path for path in self.folder.rglob("*")), before)


class Hostile(Server):
    def test_no_control_character_comes_out(self):
        name = self.logs / "a\x1b[31m\x07\n.log"
        name.write_bytes(b"h\x1b]0;x\x07:1:1 [0] NCCL WARN Cuda failure 2 'out \x1b[2J of \xe2\x80\xaememory \xff \xc2\x9b'\n" +
                         self.broken.read_bytes())
        (self.logs / "a\x1b.gz").write_bytes(b"\x1f\x8b damaged")
        with self.session() as session:
            for tool, arguments in (("analyze", {"paths": ["."], "limit": 1000}), ("analyze", {"paths": ["."], "format": "brief"}),
                                    ("analyze", {"paths": ["."], "format": "json"}), ("ranks", {"paths": ["."], "failed": True}),
                                    ("diff", {"old": "good.log", "new": name.name}), ("explain", {"what": "\x1b x NCCL WARN \x9b\n\x07y"}),
                                    ("explain", {"what": "\x1b"}), ("rules", {"family": "\x1b"}), ("files", {}), ("files", {"path": "\x1b"}), ("analyze", {"paths": ["\x1b"]}),
                                    ("analyze", {"paths": ["."], "\x1b": 1})):
                result = session.result("tools/call", name=tool, arguments=arguments)
                for each in result["content"]:
                    self.assertNotRegex(each["text"], "[\x00-\x09\x0b-\x1f\x7f-\x9f\u202e]", tool)
            for answer in (session.ask("\x1b"), session.ask("tools/call", name="\x1b"), session.ask("resources/read", uri="\x1b")):
                self.assertNotIn("\x1b", answer["error"]["message"])
            self.assertNotIn("\x1b", session.answer(b'{"\x1b":')["error"]["message"])

    def test_answers_are_bounded(self):
        lines = [f"h{i}:{i}:1 [0] NCCL WARN Cuda failure 2 'out of memory {'x' * 500} {i}'" for i in range(3000)]
        (self.logs / "bad/many.log").write_text("\n".join(lines))
        with self.session() as session:
            for arguments in ({"limit": 1000}, {"format": "brief"}, {"format": "json", "limit": 50}):
                text, *notes = session.call("analyze", paths=["bad"], **arguments)
                self.assertLess(len(text), 100_000)
            self.assertLess(len(session.call("ranks", paths=["bad"], failed=True, limit=10**9)[0]), 100_000)
            self.assertLess(len(session.call("explain", what="NCA3", limit=10**9)[0]), 100_000)

    def test_every_case_is_answered(self):
        with self.session(TESTDATA) as session:
            for case in sorted(path.parent.relative_to(TESTDATA) for path in TESTDATA.glob("damaged/*/input.log")):
                for form in ("text", "brief", "json"):
                    result = session.result("tools/call", name="analyze", arguments={"paths": [str(case)], "format": form})
                    self.assertTrue(result["content"][0]["text"])
