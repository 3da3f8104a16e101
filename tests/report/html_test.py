"""The HTML report: its elements, its policy, and that it shows what the JSON report holds."""
import base64
import hashlib
import html
import shutil
import tempfile
from pathlib import Path

import hostile
from html_page import ATTRIBUTES, OURS, Page, html_of, numbers
from program import JOBS, TESTDATA, Case, report


class Documents(Case):
    def page(self, *arguments):
        page = Page(html_of(*arguments))
        self.assertEqual(page.open, [])
        self.assertLessEqual({tag for tag, _ in page.tags}, OURS)
        self.assertLessEqual({name for _, attributes in page.tags for name in attributes}, ATTRIBUTES)
        links = [attributes["href"] for tag, attributes in page.tags if tag == "a"]
        self.assertEqual([link for link in links if link[1:] not in page.ids()], [])
        self.assertEqual(len(page.ids()), len(set(page.ids())))
        return page

    def test_every_case(self):
        for log in sorted(TESTDATA.glob("*/**/input.log")):
            with self.subTest(log):
                page, found = self.page(log), report(log, "--fail-on", "never")
                text = " ".join(page.texts)
                self.assertIn(found["verdict"]["status"].upper(), text)
                self.assertIn(found["verdict"]["headline"], text)
                for finding in found["findings"]:
                    self.assertIn(f"{finding['rule']} {finding['name']}", text)
                    if finding["severity"] != "info":
                        self.assertIn(f"{finding['rule']}-1", page.ids())

    def test_policy(self):
        page = self.page(self.broken)
        hashes = {name: " ".join("'sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode() + "'"
                                 for text in dict.fromkeys(texts)) for name, texts in page.files.items()}
        self.assertEqual(page.policy, f"default-src 'none'; style-src {hashes['style']}; script-src {hashes['script']}; "
                                      "base-uri 'none'; form-action 'none'")

    def test_pictures_stand_in_the_page(self):
        """Those of communicators, and those of machines where something shows what they are."""
        for log, count in ((JOBS / "split-2x4/input.log", 1), (JOBS / "machine-tree", 2)):
            page = self.page(log)
            self.assertEqual(len([tag for tag, _ in page.tags if tag == "figure"]), count, log)
            self.assertEqual(len([tag for tag, attributes in page.tags if attributes.get("class") == "drawing"]), count)

    def test_the_command_stands_at_the_end(self):
        page = html_of("--host", "a'b|.*", self.broken)
        self.assertIn("made by <code>nccl-analyze -f html --fail-on never --host 'a'\\''b|.*' /", html.unescape(page))

    def test_the_run_is_named(self):
        self.assertIn("<p>Initialisations and failures of 2025-12-28 16:04:45 to 16:04:49</p>",
                      html_of(JOBS / "wrapped-kubectl/input.log"))
        with tempfile.TemporaryDirectory() as folder:
            log = Path(folder) / "slurm-77.out"
            shutil.copy(JOBS / "wrapped-srun/input.log", log)
            self.assertIn("<p>Slurm job 77</p>", html_of(log))

    def test_tables(self):
        ranks = self.page(JOBS / "rank-killed/input.log").texts
        at = ranks.index("suspected by")
        table = ranks[at:ranks.index("Graph", at)]
        self.assertIn("NCA606", table)
        self.assertEqual(table.count("complete"), 8)
        settings = self.page(self.broken).texts
        self.assertIn("NCCL_SOCKET_IFNAME", settings[settings.index("variable"):])

    def test_graph_is_that_of_the_json(self):
        """Every connection is a cell of the matrix with its transport and channels, and no other cell names one."""
        for name in ("split-2x4", "efa-fallback", "healthy-1x4-nvlink", "rank-killed"):
            log = JOBS / name / "input.log"
            wanted = {}
            for comm in report(log, "--fail-on", "never")["communicators"]:
                for one in comm["connections"]:
                    ends = (f"communicator-{comm['index']}", one["from"], one["to"])
                    transports, channels = wanted.setdefault(ends, (set(), set()))
                    transports.add(one["transport"])
                    channels.add(one["channel"])
            self.assertTrue(wanted)
            cells, graph = {}, None
            for tag, attributes in self.page(log).tags:
                graph = attributes["id"] if attributes.get("class") == "graph" else graph
                if tag == "td" and "title" in attributes:
                    sender, _, receiver, *_ = attributes["title"].replace(":", "").split(" ")
                    cells[graph, int(sender), int(receiver)] = attributes
            for ends, (transports, channels) in wanted.items():
                for transport in transports:
                    self.assertIn(transport, cells[ends]["title"])
                self.assertLessEqual(channels, numbers(cells[ends]["data-channels"]))
            for ends in cells.keys() - wanted.keys():
                self.assertIn("transport not shown", cells[ends]["title"])

    def test_timeline(self):
        page = self.page(JOBS / "rank-killed/input.log")
        rects = [attributes for tag, attributes in page.tags if tag == "rect" and attributes["class"] == "span"]
        seconds = [rank["init_seconds"]["total"]
                   for rank in report(JOBS / "rank-killed/input.log")["communicators"][0]["ranks"]]
        self.assertEqual(len(rects), 8)
        longest = max(float(rect["width"]) for rect in rects)
        for rect, total in zip(rects, seconds):
            self.assertAlmostEqual(float(rect["width"]) / longest, total / max(seconds), places=2)
        self.assertIn("no initialisation has a time: each begins at 0, seconds; 3 failures not shown here", page.texts)

    def test_hostile_words_stay_text(self):
        for payload in hostile.PAYLOADS:
            with self.subTest(payload[:20]):
                page = self.page(hostile.write_log(self.folder, payload))
                shown = payload[:100].replace("\u202e", "\\u202e")
                self.assertIn(shown, "".join(page.texts))
