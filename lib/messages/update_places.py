#!/usr/bin/env python3
"""Updates release_places.tsv to the tags of a clone of NCCL or RCCL.

    update_places.py CLONE                                       every release tag of NCCL
    update_places.py --project rccl CLONE                        every release tag of RCCL
    update_places.py --release 2.31.2 --revision REVISION [--under FOLDER] CLONE
                                                                 a release that another repository holds, in a folder

A place is a file and line of a macro that prints them: WARN and the macros made of it, and those of the error trace
(`file.cc:123 -> 2`). They move with almost every release, so that the places in a log tell which release printed it.

Rows of other releases stay. Columns of a `release` row: project, name of the tag, version that the library prints.
Columns of the others: project, file below `src`, W for warnings or T for traces, releases (`2.27.3-2.27.7` are all in
between), lines. Lines are written as the distance from the line before, in digits of base 32, the highest first: a
letter of A to Z or a to f is the last digit, and the rest are digits that others follow.
"""

import argparse
import bisect
import collections
import pathlib
import re
import subprocess

PLACES = pathlib.Path(__file__).resolve().parent / "release_places.tsv"
SOURCES = (".cc", ".cpp", ".cu", ".c", ".h", ".hpp", ".cuh")
TAGS = {"NCCL": re.compile(r"v(2\.\d+\.\d+)-\d+$"), "RCCL": re.compile(r"rocm-(\d+\.\d+\.\d+)$")}
WARNING, TRACE = "W", "T"
# They take a line but do not print it, or print nothing that the program reads.
SILENT = {"INFO", "TRACE", "TRACE_CALL", "TRACE_LOC", "VERSION"}
DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+-"

NO_CODE = re.compile(r'//[^\n]*|/\*.*?\*/|"(?:[^"\\\n]|\\.)*"|\'(?:[^\'\\\n]|\\.)+\'', re.S)
DIRECTIVE = re.compile(r"^[ \t]*#(?:[^\n]*\\\n)*[^\n]*", re.M)
DEFINITION = re.compile(r"[ \t]*#[ \t]*define[ \t]+(\w+)(.*)", re.S)


class Clone:
    def __init__(self, path):
        self.path = path
        self.blobs = {}

    def git(self, *arguments):
        return subprocess.run(["git", "-C", self.path, *arguments], check=True, capture_output=True).stdout.decode(
            errors="replace")

    def source(self, blob):
        """The code of a file without its directives, and the words of its macros. Releases share most files."""
        if blob not in self.blobs:
            self.blobs[blob] = split(self.git("cat-file", "blob", blob))
        return self.blobs[blob]

    def sources(self, revision, folder):
        """(file below `src`, blob) of every source."""
        for line in self.git("ls-tree", "-r", revision, "--", folder + "src").splitlines():
            (_, kind, blob), path = line.split("\t")[0].split(), line.split("\t")[1]
            if kind == "blob" and path.endswith(SOURCES):
                yield path[len(folder + "src/"):], blob

    def version(self, revision, folder):
        text = self.git("show", f"{revision}:{folder}makefiles/version.mk")
        return ".".join(re.search(rf"NCCL_{part}\s*:?=\s*(\d+)", text)[1] for part in ("MAJOR", "MINOR", "PATCH"))



def split(text):
    """The text with comments, strings and directives blanked, line by line, and (macro, words of its body)."""
    def blank(found):
        return re.sub(r"[^\n]", " ", found[0])

    macros = []

    def directive(found):
        definition = DEFINITION.match(found[0])
        if definition:
            macros.append((definition[1], set(re.findall(r"\w+", definition[2]))))
        return blank(found)

    return DIRECTIVE.sub(directive, NO_CODE.sub(blank, text)), macros


def printing(macros):
    """Kinds of place of the macros that print file and line, themselves or by another macro."""
    words, kinds = collections.defaultdict(set), collections.defaultdict(set)
    for name, body in macros:
        if name not in SILENT:
            words[name] |= body
    for name, body in words.items():
        logs = any(word == "fprintf" or word.startswith("ncclDebugLog") for word in body)
        if "__LINE__" in body and (name == "WARN" or "NCCL_LOG_WARN" in body):
            kinds[name] = {WARNING}
        elif {"__LINE__", "__FILE__"} <= body and not logs:
            kinds[name] = {TRACE}
    known = -1
    while known != sum(map(len, kinds.values())):
        known = sum(map(len, kinds.values()))
        for name, body in words.items():
            for word in body & set(kinds):
                kinds[name] = kinds[name] | kinds[word]
    return {name: kind for name, kind in kinds.items() if kind}


def closing(text, at):
    """The position of the parenthesis that closes the one at `at`."""
    depth = 0
    for found in re.compile(r"[()]").finditer(text, at):
        depth += 1 if found[0] == "(" else -1
        if depth == 0:
            return found.start()
    return at


def places_in(text, kinds, use):
    """Kind to the lines of its places. Compilers differ in whether a call is in its first or in its last line."""
    starts = [found.end() for found in re.finditer("\n", text)]
    lines = collections.defaultdict(set)
    for found in use.finditer(text):
        end = found.start() if found[1] == "__LINE__" else closing(text, text.index("(", found.end()))
        for kind in kinds.get(found[1], {TRACE}):
            lines[kind] |= {bisect.bisect_right(starts, at) + 1 for at in (found.start(), end)}
    return lines


def places_of(clone, revision, folder):
    """(file, kind) to lines, of a release."""
    files = list(clone.sources(revision, folder))
    kinds = printing(macro for _, blob in files for macro in clone.source(blob)[1])
    use = re.compile(r"(?<!\w)((?:" + "|".join(sorted(kinds)) + r")(?=\s*\()|__LINE__\b)")
    return {(file, kind): tuple(sorted(lines)) for file, blob in files
            for kind, lines in places_in(clone.source(blob)[0], kinds, use).items()}



def encoded(lines):
    text, last = "", 0
    for line in lines:
        gap, last = line - last, line
        digits = DIGITS[gap % 32]
        while gap >= 32:
            gap //= 32
            digits = DIGITS[32 + gap % 32] + digits
        text += digits
    return text


def order(name):
    return tuple(map(int, name.split(".")))


def spans(names, all_names):
    """`2.27.3-2.27.7,2.28.9`: runs of neighbours in `all_names`."""
    runs = []
    for at in sorted(map(all_names.index, names)):
        if runs and runs[-1][1] == at - 1:
            runs[-1][1] = at
        else:
            runs.append([at, at])
    return ",".join(all_names[first] if first == last else f"{all_names[first]}-{all_names[last]}"
                    for first, last in runs)


def members(cell, all_names):
    for run in cell.split(","):
        first, last = (run.split("-") * 2)[:2]
        yield from all_names[all_names.index(first) : all_names.index(last) + 1]


def read(path):
    """(project, name) to version, and (project, file, kind, lines) to names of releases."""
    versions, rows = {}, collections.defaultdict(set)
    names = collections.defaultdict(list)
    for row in (line.split("\t") for line in path.read_text().splitlines()):
        if row[0] == "release":
            versions[row[1], row[2]] = row[3]
            names[row[1]].append(row[2])
        else:
            rows[row[0], row[1], row[2], row[4]] |= set(members(row[3], names[row[0]]))
    return versions, rows


def write(path, versions, rows):
    releases = sorted(versions, key=lambda one: (one[0], order(one[1])))
    text = "".join(f"release\t{project}\t{name}\t{versions[project, name]}\n" for project, name in releases)
    lines = []
    for (project, file, kind, places), members_of_row in rows.items():
        names = [name for one, name in releases if one == project]
        first = min(map(order, members_of_row), default=None)
        if first:
            cells = "\t".join((project, file, kind, spans(members_of_row, names), places))
            lines.append(((project, file, kind, first), cells))
    path.write_text(text + "".join(cells + "\n" for _, cells in sorted(lines)))


def revisions(options, clone):
    """(name of the release, revision) to read. The last of several tags of a release counts."""
    if options.release:
        return [(options.release, options.revision)]
    found = [(TAGS[options.project].match(tag), tag) for tag in clone.git("tag", "--sort=v:refname").split()]
    return sorted({match[1]: tag for match, tag in found if match}.items())


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--project", type=str.upper, default="NCCL", choices=sorted(TAGS))
    parser.add_argument("--release", help="name of a release without a tag")
    parser.add_argument("--revision", default="HEAD", help="where it is")
    parser.add_argument("--under", default="", help="folder of the revision that holds the release's tree")
    parser.add_argument("clone")
    options = parser.parse_args()
    folder = options.under.rstrip("/") + "/" if options.under else ""
    clone = Clone(options.clone)
    versions, rows = read(PLACES) if PLACES.exists() else ({}, collections.defaultdict(set))
    for name, revision in revisions(options, clone):
        for (project, *_), releases in rows.items():
            if project == options.project:
                releases.discard(name)
        versions[options.project, name] = clone.version(revision, folder)
        for (file, kind), lines in places_of(clone, revision, folder).items():
            rows[options.project, file, kind, encoded(lines)].add(name)
    write(PLACES, versions, rows)
    print(f"{len(versions)} releases, {PLACES.stat().st_size} bytes")


if __name__ == "__main__":
    main()
