"""The HTML report as a parser and a browser read it: html_test.py BINARY TESTDATA [GROUP ...]."""
import base64
import hashlib
import html.parser
import json
import pathlib
import shutil
import sys
import unittest

try:
    from selenium import webdriver
    from selenium.webdriver.chrome.service import Service
    from selenium.webdriver.common.by import By
    from selenium.webdriver.common.keys import Keys
except ImportError:
    webdriver = None

import cli_test
import hostile
from cli_report_test import job
from cli_test import Case, report, run

VOID = {"meta", "br"}
OURS = {"html", "head", "meta", "title", "style", "script", "body", "main", "nav", "section", "h1", "h2", "h3", "p", "ul", "ol", "li",
        "a", "pre", "code", "strong", "em", "span", "details", "summary", "table", "thead", "tbody", "tr", "th", "td",
        "footer", "br"}
ATTRIBUTES = {"lang", "charset", "http-equiv", "content", "name", "class", "id", "href", "scope", "aria-label", "start"}


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
        self.assertIn("NCA606", ranks[at:])
        self.assertEqual(ranks[at:].count("complete"), 8)
        settings = self.page(self.broken).texts
        self.assertIn("NCCL_SOCKET_IFNAME", settings[settings.index("variable"):])

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
