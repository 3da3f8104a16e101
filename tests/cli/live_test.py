"""`--until`, `--on-finding`, `--news`, and colours of --follow."""
import json
import os
import re
import signal
import time

from program import Case, Watched, run, wait_until

OOM = "train-job-worker-0:101:140 [0] transport/net.cc:1 NCCL WARN Cuda failure 2 'out of memory'\n"


class Live(Case):
    def setUp(self):
        super().setUp()
        log = self.healthy.read_text().splitlines(keepends=True)
        self.lines = [line for line in log if "Destroy" not in line]  # behind it a warning is late and harmless
        started = next(i for i, line in enumerate(self.lines) if "rank 3 " in line and "Init START" in line)
        self.without_rank_2 = "".join(line for line in self.lines[:started + 1] if ":104:" not in line)
        self.ready = next(i for i in reversed(range(len(self.lines))) if "Init COMPLETE" in self.lines[i])

    def watch(self, *arguments, **options):
        watched = Watched(*arguments, **options)
        self.addCleanup(watched.kill)
        return watched

    def news(self, path):
        return [json.loads(line) for line in path.read_text().splitlines()]

    def test_until_a_finding(self):
        watched = self.watch("--until", "error", "-f", "json")
        watched.write("".join(self.lines))
        watched.wait_for("all 4 ranks complete")
        watched.write(OOM)
        self.assertEqual(watched.process.wait(timeout=60), 1)  # Standard input is still open.
        self.assertIn(b"NCA602", watched.process.stdout.read())

    def test_until_warning_takes_errors_and_error_no_warnings(self):
        warned = OOM.replace("Cuda failure 2 'out of memory'", "Some words that no rule knows")
        watched = self.watch("-q", "--until", "warning")
        watched.write("".join(self.lines) + OOM)
        self.assertEqual(watched.process.wait(timeout=60), 1)
        watched = self.watch("-v", "--until", "error")
        watched.write("".join(self.lines) + warned)
        watched.wait_for("all 4 ranks complete")
        watched.write(OOM)
        self.assertEqual(watched.process.wait(timeout=60), 1)

    def test_until_ready(self):
        watched = self.watch("-q", "--until", "ready,error")
        watched.write("".join(self.lines[:self.ready]))
        self.assertFalse(watched.read(1.5))
        watched.write(self.lines[self.ready])
        self.assertEqual(watched.process.wait(timeout=60), 0)

    def test_on_finding(self):
        got = self.folder / "got"
        watched = self.watch("-q", "--stall", "0", "--on-finding",
                             f"""sh -c 'cat >> "$1"; env | grep ^NCCL_ANALYZE_ | LC_ALL=C sort >> "$1"; echo out' x {got}""")
        watched.write("".join(self.lines) + OOM)
        self.assertTrue(wait_until(lambda: got.exists() and "TITLE" in got.read_text()))
        text, status = watched.end()
        self.assertEqual((status, text.count(b"out\n")), (1, 0))  # Its output is no part of the report.
        self.assertIn(b"out\n", watched.shown)
        line, *variables = got.read_text().splitlines()
        told = json.loads(line)
        self.assertEqual((told["news"], told["finding"]["rule"]), ("finding", "NCA602"))
        found = dict(variable.split("=", 1) for variable in variables if variable.startswith("NCCL_ANALYZE_"))
        self.assertEqual({name[13:]: found[name] for name in found if name[13:] not in ("MESSAGE", "TITLE")},
                         {"RULE": "NCA602", "NAME": "out-of-memory", "SEVERITY": "error", "RANK": "0",
                          "HOST": "train-job-worker-0", "POD": "", "CONTAINER": "",
                          "PID": str(told["finding"]["suspects"][0]["pid"]), "GPU": "0"})

    def test_the_end_of_the_log_decides_and_the_program_is_waited_for(self):
        got = self.folder / "got"
        done = run("--follow", "-q", "--on-finding", f"sh -c 'sleep 0.2; echo $NCCL_ANALYZE_RULE >> {got}'",
                   data=self.without_rank_2.encode())
        self.assertEqual(done.returncode, 1)
        self.assertIn("NCA201\n", got.read_text())

    def test_a_slow_program_delays_nothing(self):
        pid = self.folder / "pid"
        watched = self.watch("--stall", "0", "--on-finding", f"sh -c 'echo $$ > {pid}; exec sleep 1000 > /dev/null 2>&1'")
        watched.write("".join(self.lines) + OOM)
        self.assertTrue(wait_until(lambda: pid.exists() and pid.read_text().endswith("\n")))
        self.addCleanup(lambda: os.kill(int(pid.read_text()), signal.SIGKILL))
        watched.wait_for("NCA602")
        watched.write(OOM.replace("out of memory", "invalid argument").replace(" 2 ", " 1 "))
        watched.wait_for("NCA601")
        watched.process.send_signal(signal.SIGINT)
        time.sleep(0.3)
        watched.process.send_signal(signal.SIGINT)  # It is not waited for any longer.
        watched.wait_for("sh still runs and is left alone; 1 more finding")
        text, status = watched.end()
        self.assertEqual(status, 1)
        self.assertIn(b"NCA601", text)

    def test_a_program_that_fails_is_named_once(self):
        watched = self.watch("--stall", "0", "--on-finding", "sh -c 'exit 7'")
        watched.write("".join(self.lines) + OOM)
        watched.wait_for("warning: --on-finding: sh ended with status 7")
        watched.write(OOM.replace("out of memory", "invalid argument").replace(" 2 ", " 1 "))
        watched.wait_for("NCA601")
        self.assertEqual(watched.end()[1], 1)
        self.assertEqual(watched.shown.count(b"status 7"), 1)

    def test_news(self):
        path = self.folder / "news.jsonl"
        watched = self.watch("-q", "--stall", "0.5s", "--news", path)
        def wait_for(what):
            self.assertTrue(wait_until(lambda: path.exists() and what in path.read_text()), what)
        watched.write(self.without_rank_2)
        wait_for('"without_line": "2"')
        wait_for('"news": "stall"')
        watched.write("".join(self.lines))
        wait_for('"ready": true')
        watched.write(OOM)
        wait_for("NCA602")
        text, _ = watched.end()
        news = self.news(path)
        for line in news:
            self.assertRegex(line["time"], r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$")
        self.assertEqual(news[-1]["news"], "end")
        self.assertEqual((news[-1]["reason"], news[-1]["status"]), ("input", "error"))
        self.assertIn(news[-1]["headline"], " ".join(text.decode().split()))
        stall = next(line for line in news if line["news"] == "stall")
        self.assertEqual(stall["seconds"], 0.5)
        self.assertIn("no line of rank 2", stall["waits"][0])
        found = [line for line in news if line["news"] == "finding" and line["finding"]["rule"] == "NCA602"]
        self.assertEqual(len(found), 1)
        self.assertEqual((found[0]["path"], found[0]["provisional"]), ("<stdin>", False))
        self.assertEqual(self.news_of_report("NCA602", "".join(self.lines) + OOM).keys(), found[0]["finding"].keys())
        self.assertTrue(any(line["provisional"] for line in news if line["news"] == "finding"))

    def news_of_report(self, rule, log):
        found = json.loads(run("-f", "json", data=log.encode()).stdout)["findings"]
        return next(finding for finding in found if finding["rule"] == rule)

    def test_news_are_appended_and_are_no_log(self):
        path = self.folder / "news.jsonl"
        for _ in range(2):
            run("--follow", "-q", "--news", path, data=self.broken.read_bytes())
        self.assertEqual([line["news"] for line in self.news(path)].count("end"), 2)
        self.assertIn(b"news.jsonl is left out", run(self.folder, self.broken).stderr)
        done = run("--follow", "-q", "--news", "-", "-o", self.folder / "report", data=self.broken.read_bytes())
        self.assertEqual(json.loads(done.stdout.splitlines()[-1])["news"], "end")
        if os.path.exists("/dev/full"):
            done = run("--follow", "--news", "/dev/full", data=self.broken.read_bytes())
            self.assertEqual((done.returncode, done.stderr.count(b"No space left on device")), (1, 1))

    def test_colours(self):
        data = self.broken.read_bytes()
        for choice, expected in (("always", True), ("never", False), ("auto", False)):
            watched = self.watch("--color", choice)
            watched.write(data)
            watched.wait_for("NCA301")
            watched.end()
            self.assertEqual(b"\x1b[1;31mERROR\x1b[0m NCA301" in watched.shown, expected, choice)
        watched = self.watch(terminal=True)
        watched.write(data)
        watched.wait_for(re.escape("\x1b[1;31mERROR\x1b[0m NCA301"))
        watched.end()

    def test_notes_are_left_to_the_report(self):
        watched = self.watch()
        watched.write(self.broken.read_bytes())
        watched.wait_for("NCA301")
        text, _ = watched.end()
        self.assertIn(b"INFO", text)
        self.assertNotIn(b"INFO", watched.shown)
        watched = self.watch("-v")
        watched.write(self.broken.read_bytes())
        watched.wait_for("INFO NCA")
        watched.end()

    def test_refused(self):
        for name, value in (("--until", "error"), ("--on-finding", "true"), ("--news", "x")):
            self.assert_one_line(run(name, value, data=b""), name, "--follow")
        self.assert_one_line(run("--follow", "--until", "soon", data=b""), "soon")
        self.assert_one_line(run("--follow", "--on-finding", "nosuch program", data=b""), "nosuch")
        self.assert_one_line(run("--follow", "--on-finding", "/dev/null", data=b""), "/dev/null")
        self.assert_one_line(run("--follow", "--on-finding", "a 'b", data=b""), "quote")
        self.assert_one_line(run("--follow", "--on-finding", " ", data=b""), "program")
        self.assert_one_line(run("--follow", "--news", self.folder / "no/where", data=b""), "where")
        self.assert_one_line(run("--follow", "--news", "-", data=b""), "--output")
