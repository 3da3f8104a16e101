"""No option is accepted and ignored: in each mode, each option of the help is refused or changes what the program does.

A new option fails here until it has a value that shows its effect."""
import concurrent.futures
import json
import os
import re
import tempfile
import pathlib
import unittest

import program
from program import JOBS, run

LOG = JOBS / "efa-fallback/input.log"  # one error, a warning and notes; two communicators
SPLIT = JOBS / "split-2x4/input.log"   # healthy; several hosts and communicators
KILLED = JOBS / "rank-killed/input.log"  # one of four hosts failed
FORMATS = ("text", "markdown", "html", "json", "events", "trace", "junit", "sarif", "github", "prometheus", "otlp", "dot",
           "svg", "summary")
# A page names the command that made it, which has to be the same whatever the option.
MODES = {**{f"--format {name}": ("--format", name, "--made-by", "me") for name in FORMATS}, "--unrecognized": ("--unrecognized",),
         "ranks": ("ranks",), "before ranks": (), "before redact": ()}
# A value that changes the answer, and the log where it does.
EFFECTS = {
    "--fail-on": (["never"], LOG),
    "--select": (["NCA7"], LOG),
    "--ignore": (["NCA301,NCA302"], LOG),
    "--expect": (["ranks=3"], SPLIT),
    "--expect-ranks": (["3"], SPLIT),
    "--profile": (["dgx-h100"], SPLIT),
    "--rules": (["{site}"], SPLIT),
    "--baseline": ([str(LOG)], SPLIT),
    "--brief": ([], LOG),
    "--host": (["worker-0"], KILLED),
    "--comm": (["#2"], SPLIT),
    "--rings": ([], SPLIT),
    "--trees": ([], SPLIT),
    "--machine": ([], SPLIT),
    "--job": (["4711"], LOG),
    "--step": (["5"], LOG),
    "--node": (["worker-7"], LOG),
    "--lines-before": (["100"], LOG),
    "--output": (["{out}"], LOG),
    "--save": (["{copy}"], None),  # keeps standard input
    "--unrecognized": ([], LOG),
}
# What both runs have where a report is judged: without it, some formats do not show a warning.
COMPANIONS = {"--baseline": ("--fail-on", "warning")}
# What has no answer of its own to change.
ELSEWHERE = {
    "--format": "it is the mode",
    "--color": "a preference for terminals, as aliases set it: color_test.cc",
    "--quiet": "about standard error: logging_test.cc",
    "--verbose": "about standard error and details: report_test.py",
    "--help": "words_test.py", "--version": "words_test.py",
    "--follow": "it waits for more: live_test.py",
    "--stall": "goes with --follow: live_test.py", "--until": "goes with --follow: live_test.py",
    "--on-finding": "goes with --follow: live_test.py", "--news": "goes with --follow: live_test.py",
}


def options_of_help():
    return sorted(set(re.findall(r"^  (?:-\w, |    )(--[a-z-]+)", run("--help").stdout.decode(), re.MULTILINE)))


def answer(mode, option, log, folder):
    """What a user gets: exit status, output, and the files that were written."""
    words = [*MODES[mode], *option, *mode.split("before ")[1:]]
    places = {"site": folder / "site.json", "out": folder / "out", "copy": folder / "copy"}
    places["site"].write_text(json.dumps({"rules": [{
        "id": "ACME1", "name": "socket", "message": "NET/Socket", "severity": "error", "title": "TCP", "explanation": "Slow.",
        "fix": "1. Repair it."}]}))
    words = [word.format(**places) for word in words]
    done = run(*words, *([log] if log else []), data=b"" if log else LOG.read_bytes())
    files = {path.name: path.read_bytes() for path in folder.rglob("*") if path.is_file() and path != places["site"]}
    return done.returncode, done.stdout, files, done.stderr


def fault_of(mode, option):
    """Why an option has no business in a mode, or None."""
    value, log = EFFECTS[option]
    companion = COMPANIONS.get(option, ()) if "--format" in mode else ()
    if option in MODES[mode]:
        return None
    with tempfile.TemporaryDirectory() as one, tempfile.TemporaryDirectory() as other:
        plain = answer(mode, companion, log, pathlib.Path(one))
        status, *rest, error = answer(mode, [*companion, option, *value], log, pathlib.Path(other))
        if status == 2:
            is_named = option.encode() in error
            return None if is_named and any(words in error for words in (b" go ", b" goes ", b"to merge", b"has no option")) else error.decode()
        return f"{mode} {option} is accepted and changes nothing" if (status, *rest) == plain[:-1] else None


class Effects(unittest.TestCase):
    maxDiff = None

    def test_every_option_is_refused_or_has_an_effect(self):
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            pairs = [(mode, option) for mode in MODES for option in EFFECTS]
            faults = [fault for fault in pool.map(lambda pair: fault_of(*pair), pairs) if fault]
        self.assertEqual("\n".join(faults), "")

    def test_every_option_of_the_help_is_known_here(self):
        self.assertEqual(options_of_help(), sorted({*EFFECTS, *ELSEWHERE}))

    def test_every_option_stands_in_the_manual(self):
        manual = run("__man").stdout.decode().replace("\\-", "-")
        self.assertEqual([option for option in options_of_help() if option not in manual], [])


if __name__ == "__main__":
    unittest.main()
