"""The HTML report as a parser and a browser read it: html_test.py BINARY TESTDATA [GROUP ...]."""
import base64
import hashlib
import html.parser
import json
import pathlib
import shutil
import subprocess
import sys
import unittest

try:
    from selenium import webdriver
    from selenium.webdriver.chrome.service import Service
    from selenium.webdriver.common.by import By
    from selenium.webdriver.common.keys import Keys
    from selenium.webdriver.support.select import Select
    from selenium.webdriver.support.ui import WebDriverWait
except ImportError:
    webdriver = None

import cli_test
import hostile
from cli_report_test import job
from cli_test import Case, report, run

VOID = {"meta", "br"}
OURS = {"html", "head", "meta", "title", "style", "script", "body", "main", "nav", "section", "h1", "h2", "h3", "p", "ul", "ol", "li",
        "a", "pre", "code", "strong", "em", "span", "details", "summary", "table", "thead", "tbody", "tr", "th", "td",
        "footer", "br", "b", "div", "svg", "rect", "text", "line", "path"}
ATTRIBUTES = {"lang", "charset", "http-equiv", "content", "name", "class", "id", "href", "scope", "aria-label", "start", "open", "hidden",
              "tabindex", "role", "title", "viewbox", "x", "y", "x1", "x2", "y1", "y2", "width", "height", "d", "data-rank", "data-channels", "data-way"}


class Page(html.parser.HTMLParser):
    def __init__(self, text):
        super().__init__()
        self.tags, self.open, self.texts, self.policy = [], [], [], ""
        self.files = {"style": "", "script": ""}
        self.feed(text)
        self.close()

    def handle_starttag(self, tag, attributes):
        self.tags.append((tag, dict(attributes)))
        if dict(attributes).get("http-equiv") == "Content-Security-Policy":
            assert len(self.tags) == 3, "the policy comes before all that it rules"
            self.policy = dict(attributes)["content"]
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag, f"</{tag}> closes another element"

    def handle_data(self, data):
        if self.open and self.open[-1] in self.files:
            self.files[self.open[-1]] += data
        else:
            self.texts.append(data)

    def ids(self):
        return [attributes["id"] for _, attributes in self.tags if "id" in attributes]


def numbers(text):
    """Those of `0-3,8`."""
    ends = [part.split("-") for part in text.split(",")]
    return {number for end in ends for number in range(int(end[0]), int(end[-1]) + 1)}


def html_of(*arguments, data=None):
    done = run("-f", "html", "--fail-on", "never", *arguments, data=data)
    assert done.returncode == 0, done.stderr
    return done.stdout.decode()


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
        for log in sorted(cli_test.JOBS.parent.glob("*/**/input.log")):
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
        hashes = "; ".join(f"{name}-src 'sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode() + "'"
                           for name, text in page.files.items())
        self.assertEqual(page.policy, f"default-src 'none'; {hashes}; base-uri 'none'; form-action 'none'")

    def test_tables(self):
        ranks = self.page(cli_test.JOBS / "rank-killed/input.log").texts
        at = ranks.index("suspected by")
        table = ranks[at:ranks.index("Graph", at)]
        self.assertIn("NCA606", table)
        self.assertEqual(table.count("complete"), 8)
        settings = self.page(self.broken).texts
        self.assertIn("NCCL_SOCKET_IFNAME", settings[settings.index("variable"):])

    def test_graph_is_that_of_the_json(self):
        """Every connection is a cell of the matrix with its transport and channels, and no other cell names one."""
        for name in ("split-2x4", "efa-fallback", "healthy-1x4-nvlink", "rank-killed"):
            log = cli_test.JOBS / name / "input.log"
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
        page = self.page(cli_test.JOBS / "rank-killed/input.log")
        rects = [attributes for tag, attributes in page.tags if tag == "rect" and attributes["class"] == "span"]
        seconds = [rank["init_seconds"]["total"]
                   for rank in report(cli_test.JOBS / "rank-killed/input.log")["communicators"][0]["ranks"]]
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

@unittest.skipUnless(webdriver and shutil.which("chromedriver"), "no browser")
class Browser(Case):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        options = webdriver.ChromeOptions()
        for option in ("headless=new", "no-sandbox", "disable-gpu", "disable-dev-shm-usage", "window-size=1240,900"):
            options.add_argument("--" + option)
        options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
        cls.driver = webdriver.Chrome(options=options, service=Service(shutil.which("chromedriver")))

    @classmethod
    def tearDownClass(cls):
        cls.driver.quit()
        super().tearDownClass()

    def open(self, text, scripts=True):
        """Opens a page: what its console says, and what it asked for beside itself."""
        page = self.folder / "report.html"
        page.write_text(text)
        for log in ("performance", "browser"):
            self.driver.get_log(log)  # of the page before
        self.driver.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": not scripts})
        self.driver.get(page.as_uri())
        events = [json.loads(entry["message"])["message"] for entry in self.driver.get_log("performance")]
        requests = [event["params"]["request"]["url"] for event in events if event["method"] == "Network.requestWillBeSent"]
        self.assertIn(page.as_uri(), requests)
        return ([entry["message"] for entry in self.driver.get_log("browser")] +
                [url for url in requests if url != page.as_uri()])

    def cells(self, table, column):
        rows = self.driver.find_elements(By.CSS_SELECTOR, f"#{table} tbody tr:not([hidden])")
        return [row.find_elements(By.CSS_SELECTOR, "td")[column].text for row in rows]

    def test_tables_are_sorted_and_filtered(self):
        self.assertEqual(self.open(html_of(data=job([3] * 12, pods=True))), [])
        self.driver.find_element(By.CSS_SELECTOR, "#ranks summary").click()
        self.assertEqual(self.cells("ranks", 0), [str(rank) for rank in range(12)])
        heads = self.driver.find_elements(By.CSS_SELECTOR, "#ranks th button")
        heads[0].click()
        heads[0].send_keys(Keys.ENTER)  # by keyboard as well
        self.assertEqual(self.cells("ranks", 0), [str(rank) for rank in reversed(range(12))])
        self.assertEqual(self.driver.find_element(By.CSS_SELECTOR, "#ranks th").get_attribute("aria-sort"), "descending")
        words = self.driver.find_element(By.CSS_SELECTOR, "#ranks input")
        words.send_keys("gpu-A2 worker-1")
        self.assertEqual(self.cells("ranks", 0), ["11", "10"])
        self.assertEqual(self.driver.find_element(By.CSS_SELECTOR, "#ranks output").text, "2 of 12")

    def shown(self, css):
        return self.driver.execute_script(
            "return [...document.querySelectorAll(arguments[0])].filter(one => one.checkVisibility())", css)

    def test_switches_and_domains(self):
        self.assertEqual(self.open(html_of(cli_test.JOBS.parent / "rules/nvls-failed/silent/input.log")), [])
        self.assertEqual({bar.text for bar in self.shown(".switch")}, {"NVLink switch; NVLS, 16 channels"})
        self.assertEqual(len(self.shown(".joined .chip")), 8)
        self.assertEqual(self.open(html_of(cli_test.JOBS / "mnnvl-2x4/input.log")), [])
        domain, = self.shown(".domain")
        self.assertTrue(domain.text.startswith("NVLink joins these hosts (MNNVL)"))
        self.assertEqual(len(domain.find_elements(By.CSS_SELECTOR, ".hosts > li")), 2)

    def test_graph(self):
        self.assertEqual(self.open(html_of(cli_test.JOBS / "split-2x4/input.log")), [])
        graph = "#communicator-0 "
        self.assertEqual([chip.text for chip in self.shown(graph + ".hosts .chip")], [str(rank) for rank in range(8)])
        self.assertEqual([chip.text for chip in self.shown(graph + ".strip .chip")][:8], list("03214765"))
        self.assertEqual(self.shown("#communicator-1 .chip"), [])
        self.driver.find_element(By.CSS_SELECTOR, "#communicator-1 summary").click()
        self.assertEqual(len(self.shown("#communicator-1 .hosts .chip")), 4)
        # A channel of the second tree alone leaves the first tree as a shadow.
        Select(self.driver.find_element(By.CSS_SELECTOR, graph + "select")).select_by_value("1")
        trees = self.driver.find_elements(By.CSS_SELECTOR, graph + ".strip")
        self.assertEqual([tree.get_attribute("data-channels") for tree in trees if "off" in tree.get_attribute("class")], ["0"])
        Select(self.driver.find_element(By.CSS_SELECTOR, graph + "select")).select_by_value("")
        tcp = self.driver.find_elements(By.CSS_SELECTOR, graph + "td.t7")
        self.assertEqual([cell.text for cell in tcp], ["T", "T"])
        tick = self.driver.find_element(By.CSS_SELECTOR, graph + ".legend input[value=t7]")
        self.driver.execute_script("arguments[0].scrollIntoView({block: 'center'})", tick)
        tick.click()
        self.assertTrue(all("off" in cell.get_attribute("class") for cell in tcp))
        self.driver.find_element(By.CSS_SELECTOR, graph + "input[type=search]").send_keys("worker-1")
        self.assertEqual({chip.text for chip in self.shown(graph + ".chip.lit")}, set("4567"))
        # By keyboard from rank to rank.
        first = self.driver.find_element(By.CSS_SELECTOR, graph + ".chip")
        first.send_keys(Keys.ARROW_RIGHT)
        self.assertIn("rank 1 (train-job-worker-0, GPU 1", self.driver.find_element(By.CSS_SELECTOR, graph + ".about").text)
        self.assertEqual(self.driver.switch_to.active_element.text, "1")

    def test_suspects_are_painted(self):
        self.assertEqual(self.open(html_of(cli_test.JOBS / "rank-killed/input.log")), [])
        self.assertEqual({chip.text for chip in self.shown(".chip.error")}, {"5!"})

    def test_sizes(self):
        """Pages stay small, and show the right numbers of ranks and rings, however many there are."""
        simulate = pathlib.Path(cli_test.BINARY).parent.parent / "tests/simulate_job"
        for hosts, channels in ((1, 2), (2, 2), (16, 16), (80, 8), (2048, 16)):
            with self.subTest(hosts):
                log = self.folder / "simulated.log"
                with log.open("wb") as file:
                    subprocess.run([simulate, str(hosts), str(channels)], stdout=file, check=True)
                text = html_of(log)
                self.assertLessEqual(len(text), 5 << 20)
                self.assertEqual(self.open(text), [])
                summary = self.driver.find_element(By.CSS_SELECTOR, "#communicator-0 summary").text
                self.assertIn(f"{hosts * 8} ranks on {hosts} node", summary)
                rings = self.driver.find_element(By.CSS_SELECTOR, "#communicator-0").text
                self.assertIn(f"\n{channels} rings", rings)
                self.driver.find_element(By.CSS_SELECTOR, "#ranks summary").click()
                self.assertEqual(len(self.driver.find_elements(By.CSS_SELECTOR, "#ranks tbody tr")), min(hosts * 8, 4096))
                places = ".hosts .chip" if hosts <= 8 else ".grid .cell"
                self.assertEqual(len(self.driver.find_elements(By.CSS_SELECTOR, "#communicator-0 " + places)),
                                 hosts * 8 if hosts <= 8 else hosts)
                self.driver.find_element(By.CSS_SELECTOR, "#communicator-0 input[type=search]").send_keys(f"worker-{hosts - 1}:" if hosts > 8 else f"rank {hosts * 8 - 1} ")
                self.assertGreaterEqual(len(self.driver.find_elements(By.CSS_SELECTOR, "#communicator-0 .lit")), 1)

    def test_a_finding_is_copied(self):
        self.assertEqual(self.open(html_of(self.broken)), [])
        button = self.driver.find_element(By.CSS_SELECTOR, "#NCA301-1 > button")
        text = self.driver.execute_script("""
            let taken = "";
            Object.defineProperty(navigator, "clipboard", {value: {writeText: text => { taken = text; return Promise.resolve(); }}});
            arguments[0].click();
            return taken;""", button)
        self.assertTrue(text.startswith("## ERROR NCA301 net-plugin-failed"), text[:80])
        self.assertIn("```text\n", text)
        self.assertEqual(self.driver.find_element(By.CSS_SELECTOR, "#NCA301-1 > button + output").text.strip(), "copied")

    def test_a_json_report_is_opened(self):
        self.assertEqual(self.open(html_of(cli_test.JOBS / "split-2x4/input.log")), [])
        dropped = self.folder / "other.json"
        dropped.write_bytes(run("-f", "json", cli_test.JOBS / "rank-killed/input.log").stdout)
        self.driver.find_element(By.CSS_SELECTOR, "input[type=file]").send_keys(str(dropped))
        WebDriverWait(self.driver, 10).until(lambda driver: "NCA606 process-died" in driver.find_element(By.TAG_NAME, "main").text)
        text = self.driver.find_element(By.TAG_NAME, "main").text
        self.assertIn("A process died without logging an error: rank 5", text)
        self.assertIn("Connection closed by localRank 1", text)
        self.assertNotIn("split-2x4", text)
        # Words of a report stay text, and what is none leaves the page as it is.
        hostile_report = json.loads(dropped.read_text())
        hostile_report["verdict"]["headline"] = "<img src=x onerror=alert(1)>\u202e"
        dropped.write_text(json.dumps(hostile_report))
        self.driver.find_element(By.CSS_SELECTOR, "input[type=file]").send_keys(str(dropped))
        WebDriverWait(self.driver, 10).until(lambda driver: "onerror" in driver.find_element(By.TAG_NAME, "h1").text)
        self.assertIn("<img src=x onerror=alert(1)>\\u202e", self.driver.find_element(By.TAG_NAME, "h1").text)
        self.assertEqual(self.driver.find_elements(By.TAG_NAME, "img"), [])
        dropped.write_text('{"schema": "other"}')
        self.driver.find_element(By.CSS_SELECTOR, "input[type=file]").send_keys(str(dropped))
        WebDriverWait(self.driver, 10).until(lambda driver: "is not shown" in driver.find_element(By.CSS_SELECTOR, ".opener").text)
        self.assertIn("onerror", self.driver.find_element(By.TAG_NAME, "h1").text)
        self.assertEqual(self.driver.get_log("browser"), [])

    def test_whole_without_scripts(self):
        self.assertEqual(self.open(html_of(self.broken), scripts=False), [])
        self.assertIn("NCA301 net-plugin-failed", self.driver.find_element(By.TAG_NAME, "body").text)
        self.assertEqual(self.driver.find_elements(By.CSS_SELECTOR, "th button"), [])

    def test_the_policy_holds(self):
        text = html_of(self.broken)
        self.assertEqual(self.open(text), [])
        for changed in (text.replace("style-src 'sha256-", "style-src 'sha256-x"), text.replace("</body>", "<script>1</script>"),
                        text.replace("</body>", "<img src=http://127.0.0.1:9/x></body>")):
            self.assertIn("Content Security Policy", "".join(self.open(changed)))

    def test_hostile_words_stay_text(self):
        for payload in hostile.PAYLOADS:
            with self.subTest(payload[:20]):
                self.assertEqual(self.open(html_of(hostile.write_log(self.folder, payload))), [])
                self.assertEqual(self.driver.find_elements(By.CSS_SELECTOR, "img, b, script + script, a[href^=http]"), [])


if __name__ == "__main__":
    cli_test.BINARY, cli_test.JOBS = sys.argv[1], pathlib.Path(sys.argv[2]) / "jobs"
    unittest.main(argv=[sys.argv[0], *sys.argv[3:]])
