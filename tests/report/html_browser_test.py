"""The HTML report in a browser: sorting, filters, graphs, keyboard, and no request to anywhere."""
import json
import pathlib
import shutil
import subprocess
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

import hostile
from html_page import html_of
from job_log import job
from program import BINARY, JOBS, TESTDATA, Case, run


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
        self.assertEqual(self.open(html_of(TESTDATA / "rules/nvls-failed/silent/input.log")), [])
        self.assertEqual({bar.text for bar in self.shown(".switch")}, {"NVLink switch; NVLS, 16 channels"})
        self.assertEqual(len(self.shown(".joined .chip")), 8)
        self.assertEqual(self.open(html_of(JOBS / "mnnvl-2x4/input.log")), [])
        domain, = self.shown(".domain")
        self.assertTrue(domain.text.startswith("NVLink joins these hosts (MNNVL)"))
        self.assertEqual(len(domain.find_elements(By.CSS_SELECTOR, ".hosts > li")), 2)

    def test_graph(self):
        self.assertEqual(self.open(html_of(JOBS / "split-2x4/input.log")), [])
        graph = "#communicator-0 "
        self.assertEqual([chip.text for chip in self.shown(graph + ".hosts .chip")], [str(rank) for rank in range(8)])
        self.assertEqual([chip.text for chip in self.shown(graph + ".strip .chip")][:8], list("03214765"))
        self.assertEqual(self.shown("#communicator-1 .chip"), [])
        self.driver.find_element(By.CSS_SELECTOR, "#communicator-1 summary").click()
        self.assertEqual(len(self.shown("#communicator-1 .hosts .chip")), 4)
        # A channel of the second tree alone leaves the first tree as a shadow.
        Select(self.driver.find_element(By.CSS_SELECTOR, graph + "select")).select_by_value("1")
        trees = self.driver.find_elements(By.CSS_SELECTOR, graph + ".tree[data-channels]")
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
        self.assertEqual(self.open(html_of(JOBS / "rank-killed/input.log")), [])
        self.assertEqual({chip.text for chip in self.shown(".chip.error")}, {"5!"})

    @staticmethod
    def simulated(hosts, channels):
        """The log of a job on the hosts `worker-0`, `worker-1` and so on, of eight ranks each."""
        simulate = pathlib.Path(BINARY).parent.parent / "tests/simulate_job"
        return subprocess.run([simulate, str(hosts), str(channels)], stdout=subprocess.PIPE, check=True).stdout

    def test_cells_are_labelled_by_the_names_of_hosts(self):
        """Also if the log of one host is missing: the number is that of the name."""
        log = b"".join(line for line in self.simulated(16, 2).splitlines(True) if not line.startswith(b"worker-5:"))
        self.assertEqual(self.open(html_of(data=log)), [])
        numbers = [str(host) for host in range(16) if host != 5]
        graph = "#communicator-0 "
        self.assertEqual([cell.text for cell in self.shown(graph + ".grid .cell")], numbers)
        self.assertEqual([head.text for head in self.shown(graph + ".matrix thead th")], numbers)
        self.assertEqual([head.text for head in self.shown(graph + ".matrix tbody th")], ["worker-" + one for one in numbers])
        self.assertIn("1 host of which no line is in this input", self.driver.find_element(By.CSS_SELECTOR, graph).text)

    def test_trees_are_drawn_as_trees(self):
        self.assertEqual(self.open(html_of(data=self.simulated(16, 2))), [])
        first = "#communicator-0 .scroll:has(> .tree) > .tree > li"
        self.assertTrue(self.shown(first)[0].text.startswith("worker-0 ranks 0-7\n"), self.shown(first)[0].text)
        trees = self.shown("#communicator-0 .tree[data-channels]")
        self.assertEqual(len(self.shown("#communicator-0 .tree li")), 16 * len(trees))

    def test_nothing_leaves_its_card(self):
        pages = [html_of(data=self.simulated(16, 2)), html_of(JOBS / "mnnvl-2x4/input.log"),
                 html_of(JOBS / "rank-killed/input.log"), html_of(TESTDATA / "rules/bandwidth-drop/fires/input.log")]
        self.addCleanup(self.driver.execute_cdp_cmd, "Emulation.clearDeviceMetricsOverride", {})
        for width in (390, 820, 1280):
            self.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride",
                                        {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": False})
            for number, text in enumerate(pages):
                with self.subTest(width=width, page=number):
                    self.assertEqual(self.open(text), [])
                    wide = self.driver.execute_script(
                        "for (const one of document.querySelectorAll('details')) one.open = true;"
                        "return [...document.querySelectorAll('body, section')].filter("
                        "one => one.scrollWidth > one.clientWidth + 1).map(one => one.innerText.slice(0, 80))")
                    self.assertEqual(wide, [])

    def test_large_jobs_stay_small_pages_with_all_ranks_and_rings(self):
        """Pages stay small, and show the right numbers of ranks and rings, however many there are."""
        for hosts, channels in ((1, 2), (2, 2), (16, 16), (80, 8), (2048, 16)):
            with self.subTest(hosts):
                log = self.folder / "simulated.log"
                log.write_bytes(self.simulated(hosts, channels))
                text = html_of(log)
                self.assertLessEqual(len(text), 5 << 20)
                self.assertEqual("<figure>" in text, hosts <= 8)
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

    def test_a_command_is_copied(self):
        self.assertEqual(self.open(html_of(JOBS / "rank-killed" / "input.log")), [])
        commands = self.driver.find_elements(By.CSS_SELECTOR, "pre.command, pre > code")
        buttons = self.driver.find_elements(By.CSS_SELECTOR, "button.copy")
        self.assertEqual(len(buttons), len(commands))
        self.assertEqual(buttons[-1].get_attribute("aria-label"), "Copy " + commands[-1].text)
        buttons[-1].click()
        WebDriverWait(self.driver, 10).until(lambda _: buttons[-1].text == "Copied")  # the clipboard takes its time

    def test_a_json_report_is_opened(self):
        self.assertEqual(self.open(html_of(JOBS / "split-2x4/input.log")), [])
        dropped = self.folder / "other.json"
        dropped.write_bytes(run("-f", "json", JOBS / "rank-killed/input.log").stdout)
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
