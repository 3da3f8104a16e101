"""The HTML report as a parser and a browser read it: html_test.py BINARY TESTDATA [GROUP ...]."""
import base64
import hashlib
import html.parser
import pathlib
import re
import shutil
import subprocess
import sys
import unittest

import cli_test
import hostile
from cli_test import Case, report, run

VOID = {"meta", "br"}
OURS = {"html", "head", "meta", "title", "style", "body", "main", "nav", "section", "h1", "h2", "h3", "p", "ul", "ol", "li",
        "a", "pre", "code", "strong", "em", "span", "details", "summary", "table", "thead", "tbody", "tr", "th", "td",
        "footer", "br"}
ATTRIBUTES = {"lang", "charset", "http-equiv", "content", "name", "class", "id", "href", "scope", "aria-label", "start"}


class Page(html.parser.HTMLParser):
    def __init__(self, text):
        super().__init__()
        self.tags, self.open, self.texts, self.style, self.policy = [], [], [], "", ""
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
        if self.open and self.open[-1] == "style":
            self.style += data
        else:
            self.texts.append(data)

    def ids(self):
        return [attributes["id"] for _, attributes in self.tags if "id" in attributes]


class Documents(Case):
    def page(self, *arguments, data=None):
        done = run("-f", "html", "--fail-on", "never", *arguments, data=data)
        self.assertEqual(done.returncode, 0, done.stderr)
        page = Page(done.stdout.decode())
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
        digest = base64.b64encode(hashlib.sha256(page.style.encode()).digest()).decode()
        self.assertEqual(page.policy, f"default-src 'none'; style-src 'sha256-{digest}'; base-uri 'none'; "
                                      "form-action 'none'")

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

    def browse(self, text):
        """What the browser's console says of a page, and its elements."""
        page = self.folder / "report.html"
        page.write_text(text)
        done = subprocess.run([shutil.which("chromium"), "--headless", "--no-sandbox", "--disable-gpu",
                               "--enable-logging=stderr", f"--user-data-dir={self.folder}/profile", "--dump-dom",
                               page.as_uri()], capture_output=True, text=True, timeout=120, check=True)
        return re.findall(r"CONSOLE.*", done.stderr), done.stdout

    @unittest.skipUnless(shutil.which("chromium"), "no browser")
    def test_browser_takes_the_style(self):
        text = run("-f", "html", self.broken).stdout.decode()
        console, elements = self.browse(text)
        self.assertEqual(console, [])
        self.assertIn("NCA301 net-plugin-failed", elements)
        self.assertIn("Content Security Policy", "".join(self.browse(text.replace("sha256-", "sha256-x"))[0]))


if __name__ == "__main__":
    cli_test.BINARY, cli_test.JOBS = sys.argv[1], pathlib.Path(sys.argv[2]) / "jobs"
    unittest.main(argv=[sys.argv[0], *sys.argv[3:]])
