#!/usr/bin/env python3
"""Updates known_formats.tsv to a source tree of NCCL, RCCL or a plugin.

    update_formats.py --project nccl --tag v2.31.2-1 DIRECTORY

DIRECTORY is the whole tree. Reads the format strings of WARN, INFO and similar macros. A format that no row matches
becomes a row with an empty topic, so that a test fails until a person has chosen one; if it looks like a row that
carries facts, the output says so, because such a format is a new form of a known message and not a note. The topic of a
note tells whether its macro names NCCL_INIT alone (`init`) or not (`none`). Also updates the releases of NCCL's rows
and testdata/formats/formats.tsv, with which formats_test.cc compares the rows.
"""

import argparse
import itertools
import pathlib
import re
import sys

HERE = pathlib.Path(__file__).resolve().parent
KNOWN = HERE / "known_formats.tsv"
FORMATS = HERE.parent.parent / "testdata/formats/formats.tsv"
EVENTS = HERE.parent.parent / "include/nccl_analyze/events"
# What each tree of NCCL and RCCL has, and what NCCL has in addition since a release. Their formats are missed in a part.
TREE = ["src", "Makefile"]
TREE_SINCE = {(2, 29, 0): ["plugins", "contrib"]}
# Folders whose programs are no part of the library, or print with a marker of their own (MSCCL++).
OTHER_PROGRAMS = {"test", "tests", "tools", "ext-src"}
SOURCES = {".cc", ".cpp", ".cxx", ".c", ".cu", ".h", ".hpp", ".cuh"}
# Macro: level, index of the argument that is the format, text that the macro prints before the format.
MACROS = {
    "WARN": ("WARN", 0, ""),
    "ATTN": ("ATTN", 0, ""),
    "ERR": ("ERROR", 1, ""),
    "ERROR": ("ERROR", 0, ""),
    "INFO": ("INFO", 1, ""),
    "INFO_LOC": ("INFO_LOC", 1, ""),
    "INFO_LOC_FN": ("INFO_LOC", 4, ""),
    "TRACE_CALL": ("CALL", 0, ""),
    "VERSION": ("VERSION", 0, ""),
    "NCCL_OFI_WARN": ("WARN", 0, "NET/OFI "),
    "NCCL_OFI_INFO": ("INFO", 1, "NET/OFI "),
    "DIAG_PRINT": ("DIAG", 0, ""),
    "rasDiagnosticsReport": ("DIAG", 2, ""),
    "CLOGF": ("CLOGF", 1, ""),
    "CLOGF_SUBSYS": ("CLOGF", 2, ""),
}
# The tag of a diagnostic is an argument of its own.
TAGS = {"RAS_DIAG_TAG_OK": "[OK]   ", "RAS_DIAG_TAG_INFO": "[INFO] "}
DIAG_MARKER = "NCCL DIAG "
# The level of CLOGF is its first argument, and its format has the conversions of C++'s format.
CLOGF_LEVELS = {"ERR": "ERROR", "WARN": "WARN", "INFO": "INFO"}
BRACES = re.compile(r"\{[^{}]*\}")
WARNING_LEVELS = {"WARN", "ERROR", "ATTN"}
CALL = re.compile(r"(?<![\w.>])(" + "|".join(MACROS) + r")\s*\(")
TOKEN = re.compile(r'"((?:[^"\\]|\\.)*)"|([A-Za-z_]\w*)|(\S)')
CONVERSION = re.compile(r"(0x)?%([-+ #0]*)(?:\d+|\*)?(?:\.(?:\d+|\*))?(?:hh|h|ll|l|z|j|t)?([diuxXfgeEpscm%])")
INTEGERS = {"PRI" + kind + size: "%" + width + kind
            for kind in "dux" for size, width in (("8", ""), ("16", ""), ("32", ""), ("64", "l"), ("PTR", "l"))}
HOLE = re.compile(r"\{\{|\{([^}]*)\}")
PART = re.compile(r"(?P<open>\{\()|(?P<close>\)\})|\{\{|\{(?P<hole>[^}]*)\}")



def without_comments(text):
    pattern = re.compile(r'"(?:[^"\\\n]|\\.)*"|\'(?:[^\'\\\n]|\\.)*\'|//[^\n]*|/\*.*?\*/', re.S)
    return pattern.sub(lambda found: " " if found[0].startswith("/") else found[0], text)


def arguments(text, at):
    """The arguments of a call; `at` is the position after its opening parenthesis."""
    found, start, depth = [], at, 0
    while at < len(text):
        char = text[at]
        if char == '"' or (char == "'" and not text[at - 1].isalnum()):
            end = at + 1
            while end < len(text) and text[end] != char:
                end += 2 if text[end] == "\\" else 1
            at = end
        elif char in "([{":
            depth += 1
        elif char in ")]}":
            if depth == 0:
                return found + [text[start:at]]
            depth -= 1
        elif char == "," and depth == 0:
            found.append(text[start:at])
            start = at + 1
        at += 1
    return []


def format_of(argument):
    """The string literal that `argument` is, with `{name}` for each macro name in it; None if it is no literal."""
    text, has_words = "", False
    for literal, name, other in TOKEN.findall(argument):
        if name:
            # The literal before `PRIu64` ends with the percent sign.
            text = text[:-1] + INTEGERS[name] if name in INTEGERS and text.endswith("%") else text + "{" + name + "}"
        elif other == "#":
            continue
        elif other:
            return None
        else:
            text, has_words = text + literal, True
    return text if has_words else None


def files_of(directory):
    return [path for path in sorted(directory.rglob("*")) if path.suffix in SOURCES and path.is_file()
            and not OTHER_PROGRAMS & set(path.relative_to(directory).parts)]


def text_of_file(path):
    return path.read_text(errors="replace")


def formats_of(directory):
    """(level, format, prefix) of every call of a logging macro below `directory`."""
    for path in files_of(directory):
        text = without_comments(text_of_file(path).replace("\\\n", ""))
        for call in CALL.finditer(text):
            level, position, prefix = MACROS[call[1]]
            given = arguments(text, call.end())
            text_of = format_of(given[position]) if len(given) > position else None
            if text_of:
                yield as_printed(level, text_of, prefix, [argument.strip() for argument in given])


def as_printed(level, text, prefix, given):
    """The level, the format and the prefix of a call, for macros that choose them by an argument."""
    if level == "CLOGF":
        return CLOGF_LEVELS.get(given[0], "TRACE"), BRACES.sub("%s", text), prefix
    if level != "DIAG":
        return level, text, prefix
    if text.startswith(DIAG_MARKER):
        return level, text[len(DIAG_MARKER) :], prefix
    return level, TAGS.get(given[1], "%s") + text, prefix



def first_line(text):
    """The first line that a format prints, without trailing blanks. Records of NCCL are lines."""
    text = re.split(r"\\n", text)[0]
    return re.sub(r"\\(.)", r"\1", text).rstrip()


def pieces(text):
    """The literals of a format as strings and its conversions as tuples of one: the kind of hole that matches it."""
    found, at = [], 0
    for match in re.finditer(CONVERSION.pattern + r"|\{\w+\}", text):
        found.append(text[at : match.start()])
        at = match.end()
        kind = match[3]
        if kind is None:
            found.append(("word",))
        elif kind == "%":
            found[-1] += "%"
        elif kind in "diu":
            found.extend(([match[1]] if match[1] else []) + [("int",)])
        elif kind in "xXp":
            found.append(("hex",))
        elif kind in "fgeE":
            found.append(("real",))
        else:
            found.extend(([match[1]] if match[1] else []) + [("text",)])
    return [piece for piece in found + [text[at:]] if piece]


def template_of(text):
    template, after_text = "", False
    for piece in pieces(text):
        if isinstance(piece, str):
            template, after_text = template + piece.replace("{", "{{"), False
        elif not after_text:  # free text ends only at a literal, so it includes an adjacent hole
            template, after_text = template + "{:" + piece[0] + "}", piece[0] in ("text", "word")
    return template


def letters(text):
    return sum(char.isalpha() for piece in pieces(text) if isinstance(piece, str) for char in piece)


def samples_of(text):
    values = {"int": "3", "hex": "0x1f", "real": "1.5", "word": "ibv_query_gid"}
    for first in ("eth0", "", "send to", "NET"):
        for others in ("eth0", ""):
            fillers = itertools.chain([first], itertools.repeat(others))
            yield "".join(piece if isinstance(piece, str) else values.get(piece[0]) or next(fillers)
                          for piece in pieces(text)).rstrip()


PATTERNS = {"int": r" *-?\d+", "hex": r"(?:(?:0x)?[0-9a-fA-F]+|\(nil\))", "real": r" *-?\d+(?:\.\d*)?",
            "word": r"[^ ]*", "text": r".*", "blank": r" *", "ranks": r"[\d ]+(?:\.\.\.)?", "trees": r"[][\d/>|. -]+"}


def pattern_of(wording, members=None):
    """A row's wording as a regular expression; `members` maps the members of its event to kinds of holes."""
    pattern, at, inside = "", 0, False
    for found in PART.finditer(wording):
        pattern += re.escape(wording[at : found.start()])
        at = found.end()
        if found["open"] or (found["close"] and inside):
            inside = bool(found["open"])
            pattern += "(?:" if inside else ")?"
            continue
        if found["hole"] is None:
            pattern += re.escape(found["close"] or "{")
            continue
        name, kind = (re.split("[:?]", found["hole"], maxsplit=1) + [""])[:2]
        if "?" in found["hole"]:
            pattern += "(?:" + re.escape(kind).replace(re.escape("#"), r"-?\d+") + ")?"
        elif kind in PATTERNS:
            pattern += PATTERNS[kind]
        elif kind:
            pattern += "(?:" + "|".join(map(re.escape, kind.split("|"))) + ")"
        else:
            pattern += PATTERNS[(members or {}).get(name, "text")]
    return re.compile(pattern + re.escape(wording[at:]), re.S)


def example_of(wording):
    """A message that a row with this wording matches, with the first word of each choice."""
    values = {"int": "3", "hex": "0x7f1e", "real": "1.5", "blank": " "}

    def fill(hole):
        if hole[1] is None:
            return "{"
        kind = (re.split("[:?]", hole[1], maxsplit=1) + [""])[1]
        if "?" in hole[1]:
            return kind.replace("#", "3")
        return values.get(kind, "eth0" if kind in PATTERNS or not kind else kind.split("|")[0])

    return HOLE.sub(fill, wording)


def members_of_events():
    """For each event a map of its members to kinds of holes."""
    kinds = {"int": "int", "std::int64_t": "int", "bool": "int", "double": "real", "Hex": "hex", "RankList": "ranks",
             "TreeList": "trees"}
    declaration = re.compile(r"^ +([\w:]+) ([a-z_0-9]+(?: = [^,;]+|\{[^}]*\})?(?:, [^;()]+)?);", re.M)
    headers = "".join(header.read_text() for header in sorted(EVENTS.glob("*.h")))
    events = {}
    for name, base, body in re.findall(r"^struct (\w+)(?: : (\w+))? \{\n(.*?)^\};", headers, re.M | re.S):
        events[name] = dict(events.get(base, {}))
        for kind, members in declaration.findall(body):
            for member in members.split(", "):
                events[name][re.match(r"\w+", member)[0]] = kinds.get(kind, "text")
    return events


def fact_rows():
    """(event, wording, examples) of the rows in facts/."""
    literal = r'"((?:[^"\\]|\\.)*)"'
    string = r'((?:"(?:[^"\\]|\\.)*"\s*)+)'
    row = re.compile(rf"\b(?:hot_)?row<(\w+)(?:>\(|,)\s*{string}(?:,|(?:,\s*\d+)?>\()\s*{string},\s*{string},\s*{string}")
    for path in sorted(HERE.glob("facts/*.cc")):
        for found in row.finditer(path.read_text()):
            wording, examples = ("".join(re.findall(literal, found[cell])) for cell in (2, 5))
            unescaped = [re.sub(r"\\(.)", r"\1", text) for text in [wording, *examples.split("\\n")]]
            yield found[1], unescaped[0], unescaped[1:]



def release(text):
    numbers = [int(number) for number in re.findall(r"\d+", text)]
    return tuple((numbers + [0, 0, 0])[:3])


def dotted(tag):
    return ".".join(map(str, release(tag)))


def versions_of_new(options, newest):
    """First and last release of a new format of this tag. The table keeps releases of NCCL only."""
    if options.project != "nccl":
        return "", ""
    return dotted(options.tag), "" if release(options.tag) >= newest else dotted(options.tag)


def is_in(sources, wording):
    """Whether the longest literal of a wording is in the sources: NCCL composes some lines of several calls."""
    literals = [text for text in HOLE.sub("\0", wording).split("\0") if len(text.strip()) > 7]
    return any(text.strip() in sources for text in sorted(literals, key=len)[-1:]) or letters(wording) < 3


def note_versions(rows, exact, found, tag, newest, sources):
    """Widens the range of releases of rows whose wording is in `exact`; ends the range where the newest release lacks it.

    Returns the wordings of the closed rows.
    """
    closed = []
    for row in rows:
        wording, since, until = row[:3]
        if wording in exact:
            if since and release(since) > release(tag):
                row[1] = dotted(tag)
            if until and release(until) < release(tag):
                row[2] = "" if release(tag) >= newest else dotted(tag)
        elif wording not in found and since and not until and release(tag) > newest and not is_in(sources, wording):
            row[2] = ".".join(map(str, newest))
            closed.append(wording)
    return closed


def update_formats(project, tag, formats):
    """Widens the first and last tag of each format in testdata/formats/formats.tsv; returns the formats it adds."""
    head, *lines = FORMATS.read_text().splitlines()
    rows = [line.split("\t") for line in lines]
    by_format = {tuple(row[:3]): row for row in rows}
    added = []
    for level, text in sorted(formats):
        row = by_format.get((project, level, text))
        if row is None:
            row = by_format[project, level, text] = [project, level, text, tag, tag]
            rows.append(row)
            added.append(text)
        row[3] = min(row[3], tag, key=release)
        row[4] = max(row[4], tag, key=release)
    FORMATS.write_text("\n".join([head] + ["\t".join(row) for row in rows]) + "\n")
    return added


def names_in(wording):
    """The names that stand before the values of a wording, in lower case: comm, rank, busid."""
    return {name.lower() for name in re.findall(r"([A-Za-z_]{3,})[ :=]*(?:0x)?\{(?![{(])", wording)}


def head_of(wording):
    """The literal at the beginning of a wording, empty if it is too short to tell messages apart."""
    head = re.split(r"\{", wording, maxsplit=1)[0]
    return head if letters(head) >= 12 else ""


def row_like(template, facts):
    """The wording of `facts` that has the words, the head or most of the names of a new format; None if there is none."""
    names, head, example = names_in(template), head_of(template), example_of(template)

    def likeness(wording):
        theirs = names_in(wording)
        # the same words with values of other types, or with more at the end
        same_words = letters(HOLE.sub("", wording)) >= 12 and re.match(pattern_of(wording).pattern, example, re.S)
        common = len(names & theirs)
        alike = common >= 3 and 3 * common >= 2 * min(len(names), len(theirs))
        return (common / len(names | theirs) if alike else 0) + (head != "" and head == head_of(wording)) + bool(same_words)

    best = max(facts, key=likeness, default=None)
    return best if best is not None and likeness(best) > 0 else None


def missing_of(options):
    """Why the directories are not a whole tree; empty if they are."""
    if options.project not in ("nccl", "rccl"):
        return ""
    wanted = list(TREE)
    for since, parts in TREE_SINCE.items():
        if options.project == "nccl" and release(options.tag) >= since:
            wanted += parts
    lacking = [part for part in wanted if not any((directory / part).exists() for directory in options.directory)]
    return f"{', '.join(map(str, options.directory))} is not the whole tree: no {', '.join(lacking)}" if lacking else ""


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--project", default="nccl", help="nccl, rccl, aws-ofi-nccl, … as formats.tsv names it")
    parser.add_argument("--tag", required=True, help="of the sources: v2.30.7-1")
    parser.add_argument("directory", type=pathlib.Path, nargs="+")
    options = parser.parse_args()
    if missing := missing_of(options):
        parser.error(missing)

    head, *lines = KNOWN.read_text().splitlines()
    rows = [line.split("\t") for line in lines]
    known = {row[0] for row in rows}
    members = members_of_events()
    readers = [(row[0], pattern_of(row[0]), [example_of(row[0])]) for row in rows]
    facts = list(fact_rows())
    readers += [(wording, pattern_of(wording, members[event]), examples) for event, wording, examples in facts]
    ends = [row[4] for line in FORMATS.read_text().splitlines()[1:] if (row := line.split("\t"))[0] == "nccl"]
    newest = max(map(release, ends))

    formats, exact, found, added, wordless = set(), set(), set(), [], []
    calls = [(level, text, prefix) for directory in options.directory for level, text, prefix in formats_of(directory)]
    for level, text, prefix in sorted(set(calls)):
        line = prefix + first_line(text)
        if letters(line) < 3:  # an item of a list, or `%s` for a text that another function formats
            wordless.append(line)
            continue
        formats.add((level, text))
        template = template_of(line)
        if template in known:
            exact.add(template)
            continue
        printed = re.compile(pattern_of(template).pattern + " *", re.S)
        samples = set(samples_of(line))
        reading = [wording for wording, pattern, examples in readers
                   if any(map(pattern.fullmatch, samples)) or any(map(printed.fullmatch, examples))]
        found.update(reading)
        if not reading:
            since, until = versions_of_new(options, newest)
            rows.append([template, since, until, "warn" if level in WARNING_LEVELS else "note", ""])
            known.add(template)
            exact.add(template)
            added.append(template)

    is_nccl = options.project == "nccl"
    sources = "".join(map(text_of_file, itertools.chain.from_iterable(map(files_of, options.directory))))
    closed = note_versions(rows, exact, found, options.tag, newest, sources) if is_nccl else []
    rows.sort(key=lambda row: row[0])
    KNOWN.write_text("\n".join([head] + ["\t".join(row) for row in rows]) + "\n")
    new_formats = update_formats(options.project, options.tag, formats)

    print(f"{len(formats)} formats; {len(new_formats)} new in formats.tsv; {len(wordless)} without words of their own")
    for title, some in (("added, to be given a topic", added), ("no longer printed", closed)):
        print(f"{title}: {len(some)}", *some, sep="\n  ")
    like = [(template, row) for template in added if (row := row_like(template, [wording for _, wording, _ in facts]))]
    print(f"looks like a row that carries facts, so it may be a new form of the same message: {len(like)}")
    for template, row in like:
        print(f"  {template}\n    like {row}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
