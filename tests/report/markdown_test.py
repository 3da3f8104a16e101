"""The Markdown report, rendered as a forge does it."""
import html.parser

import markdown_it

import hostile
from program import TESTDATA, Case, report, run

OURS = {"h1", "h2", "p", "ul", "ol", "li", "pre", "code", "strong", "em", "table", "thead", "tbody", "tr", "th", "td",
        "details", "summary", "br"}


class Rendered(html.parser.HTMLParser):
    """The tags of a page, and its text without what stands in `code`, where no forge looks for links."""

    def __init__(self, text):
        super().__init__()
        self.tags, self.texts, self.headings, self.open, self.code = [], [], [], [], []
        forge = markdown_it.MarkdownIt("gfm-like")
        forge.linkify.set({"fuzzy_link": False})  # names such as libnccl.so: no forge links them
        self.feed(forge.render(text))
        self.close()

    def handle_starttag(self, tag, attributes):
        self.tags.append((tag, dict(attributes)))
        if tag != "br":
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag, f"</{tag}> closes another element"

    def handle_data(self, data):
        if "code" in self.open:
            self.code.append(data)
            return
        self.texts.append(data)
        if self.open and self.open[-1] in ("h1", "h2"):
            self.headings.append(data)


class Documents(Case):
    def render(self, *arguments, data=None):
        done = run("-f", "markdown", "--fail-on", "never", *arguments, data=data)
        self.assertEqual(done.returncode, 0, done.stderr)
        return Rendered(done.stdout.decode())

    def test_every_case(self):
        for log in sorted(TESTDATA.glob("*/**/input.log")):
            with self.subTest(log):
                page, found = self.render(log), report(log, "--fail-on", "never")
                self.assertLessEqual({tag for tag, _ in page.tags}, OURS)
                self.assertEqual(page.open, [])
                headings = " ".join(page.headings)
                self.assertIn(found["verdict"]["status"].upper(), headings)
                text = " ".join(page.texts)
                for finding in found["findings"]:
                    title = f"{finding['rule']} {finding['name']}"
                    self.assertIn(title, text if finding["severity"] == "info" else headings)

    def test_proof_and_fix(self):
        page = self.render(self.broken)
        self.assertIn("NET/OFI No eligible providers were found", "".join(page.code))
        self.assertIn("Fix", page.texts)
        self.assertEqual([tag for tag, _ in page.tags].count("h1"), 1)

    def test_hostile_words_stay_text(self):
        for payload in hostile.PAYLOADS:
            with self.subTest(payload[:20]):
                page = self.render(hostile.write_log(self.folder, payload))
                self.assertLessEqual({tag for tag, _ in page.tags}, OURS)
                self.assertEqual([a for tag, a in page.tags if a and tag != "code" and set(a) != {"style"}
                                  and set(a) != {"start"}], [])
                self.assertEqual(page.open, [])
                for text in page.texts:  # parts between tags and comments, where a forge looks for more
                    self.assertNotRegex(text, r"(?<!\w)@\w|#\d|https?://\w|www\.\w|:100:|:rocket:")
                self.assertIn(payload[:8].replace("\u202e", "\\u202e").split("`")[0][:3], "".join(page.texts + page.code))
