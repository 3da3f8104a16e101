"""A page of the HTML report as a parser reads it."""
import html.parser

from program import run

VOID = {"meta", "br", "input"}
OURS = {"html", "head", "meta", "title", "style", "script", "body", "main", "nav", "section", "h1", "h2", "h3", "p", "ul", "ol", "li",
        "a", "pre", "code", "strong", "em", "span", "details", "summary", "table", "thead", "tbody", "tr", "th", "td",
        "footer", "br", "b", "div", "svg", "rect", "text", "line", "path", "figure", "label",
        "input", "g", "polygon", "polyline"}
ATTRIBUTES = {"lang", "charset", "http-equiv", "content", "name", "class", "id", "href", "scope", "aria-label", "start", "open", "hidden",
              "tabindex", "role", "title", "viewbox", "x", "y", "x1", "x2", "y1", "y2", "width", "height", "d", "data-rank", "data-channels", "data-way", "type"}
# Those of pictures that Graphviz draws.
ATTRIBUTES |= {"xmlns", "xmlns:xlink", "transform", "points", "fill", "stroke", "stroke-width", "stroke-dasharray", "text-anchor",
               "font-family", "font-size", "font-weight"}


class Page(html.parser.HTMLParser):
    def __init__(self, text):
        super().__init__()
        self.tags, self.open, self.texts, self.policy = [], [], [], ""
        self.files = {"style": [], "script": []}
        self.feed(text)
        self.close()

    def handle_starttag(self, tag, attributes):
        self.tags.append((tag, dict(attributes)))
        if dict(attributes).get("http-equiv") == "Content-Security-Policy":
            assert len(self.tags) == 3, "the policy comes before all that it rules"
            self.policy = dict(attributes)["content"]
        if tag in self.files:
            self.files[tag].append("")
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag, f"</{tag}> closes another element"

    def handle_data(self, data):
        if self.open and self.open[-1] in self.files:
            self.files[self.open[-1]][-1] += data
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
