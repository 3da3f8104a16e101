#!/usr/bin/env python3
"""Updates known_formats.tsv to a source tree of NCCL, RCCL or a plugin.

    update_formats.py --project nccl --tag v2.30.7-1 DIRECTORY

Reads the format strings of WARN, INFO and similar macros. A format that no row matches becomes a row with an empty
topic, so that a test fails until a person has chosen one. Also updates the releases of NCCL's rows and
testdata/formats/formats.tsv, with which formats_test.cc compares the rows.
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
SOURCES = {".cc", ".cpp", ".cxx", ".c", ".cu", ".h", ".hpp", ".cuh"}
# Macro: level, index of the argument that is the format, text that the macro prints before the format.
MACROS = {
    "WARN": ("WARN", 0, ""),
    "INFO": ("INFO", 1, ""),
    "INFO_LOC": ("INFO_LOC", 1, ""),
    "INFO_LOC_FN": ("INFO_LOC", 4, ""),
    "TRACE_CALL": ("CALL", 0, ""),
    "VERSION": ("VERSION", 0, ""),
    "NCCL_OFI_WARN": ("WARN", 0, "NET/OFI "),
    "NCCL_OFI_INFO": ("INFO", 1, "NET/OFI "),
}
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


def formats_of(directory):
    """(level, format, prefix) of every call of a logging macro below `directory`."""
    for path in sorted(directory.rglob("*")):
        if path.suffix not in SOURCES or not path.is_file():
            continue
        text = without_comments(path.read_text(errors="replace").replace("\\\n", ""))
        for call in CALL.finditer(text):
            level, position, prefix = MACROS[call[1]]
            given = arguments(text, call.end())
            text_of = format_of(given[position]) if len(given) > position else None
            if text_of:
                yield level, text_of, prefix



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


def note_versions(rows, exact, found, tag, newest):
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
        elif wording not in found and since and not until and release(tag) > newest:
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


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--project", default="nccl", help="nccl, rccl, aws-ofi-nccl, … as formats.tsv names it")
    parser.add_argument("--tag", required=True, help="of the sources: v2.30.7-1")
    parser.add_argument("directory", type=pathlib.Path, nargs="+")
    options = parser.parse_args()

    head, *lines = KNOWN.read_text().splitlines()
    rows = [line.split("\t") for line in lines]
    known = {row[0] for row in rows}
    members = members_of_events()
    readers = [(row[0], pattern_of(row[0]), [example_of(row[0])]) for row in rows]
    readers += [(wording, pattern_of(wording, members[event]), examples) for event, wording, examples in fact_rows()]
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
            rows.append([template, since, until, "warn" if level == "WARN" else "note", ""])
            known.add(template)
            exact.add(template)
            added.append(template)

    is_nccl = options.project == "nccl"
    closed = note_versions(rows, exact, found, options.tag, newest) if is_nccl else []
    rows.sort(key=lambda row: row[0])
    KNOWN.write_text("\n".join([head] + ["\t".join(row) for row in rows]) + "\n")
    new_formats = update_formats(options.project, options.tag, formats)

    print(f"{len(formats)} formats; {len(new_formats)} new in formats.tsv; {len(wordless)} without words of their own")
    for title, some in (("added, to be given a topic", added), ("no longer printed", closed)):
        print(f"{title}: {len(some)}", *some, sep="\n  ")
    return 0


if __name__ == "__main__":
    sys.exit(main())
