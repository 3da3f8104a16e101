"""Whether the first finding is the labelled cause: precision.py BINARY FOLDER

FOLDER/labels.jsonl has an object a line: `case`, a folder or file below FOLDER; `root`, the names of rules that may come
first (empty: nothing above info may be said); `may`, what else may be said. Written by hand from what was provoked, not
from what the program says. Prints a table, and fails where a case is not judged as its label says.
"""

import json
import pathlib
import subprocess
import sys


def logs_of(case):
    return sorted(str(path) for path in case.glob("*.log*")) if case.is_dir() else [str(case)]


def findings(binary, case):
    run = subprocess.run([binary, "--format", "json", "--fail-on", "never", *logs_of(case)], capture_output=True, check=True)
    return [f["name"] for f in json.loads(run.stdout)["findings"] if f["severity"] != "info"]


def main():
    binary, folder = sys.argv[1], pathlib.Path(sys.argv[2])
    labels = [json.loads(line) for line in (folder / "labels.jsonl").read_text().splitlines()]
    first = three = faults = silent = healthy = right = said = 0
    for label in labels:
        found = findings(binary, folder / label["case"])
        root, may = label["root"], label.get("may", [])
        if root:
            faults += 1
            first += bool(found) and found[0] in root
            three += any(name in root for name in found[:3])
            if not found or found[0] not in root:
                print(f"{label['case']}: {root} expected first, {found} said", file=sys.stderr)
        else:
            healthy += 1
            quiet = all(name in may for name in found)
            silent += quiet
            if not quiet:
                print(f"{label['case']}: nothing expected, {found} said", file=sys.stderr)
        wrong = [name for name in found if name not in root and name not in may]
        if wrong and root:
            print(f"{label['case']}: {wrong} said besides", file=sys.stderr)
        right += len(found) - len(wrong)
        said += len(found)
    rows = [
        ("root cause first", first, faults),
        ("root cause among the first three", three, faults),
        ("healthy and silent", silent, healthy),
        ("findings that are right (precision)", right, said),
    ]
    table = "| measure | share | cases |\n| --- | --- | --- |\n"
    table += "".join(f"| {name} | {good / max(all_, 1):.3f} | {good} of {all_} |\n" for name, good, all_ in rows)
    print(table, end="")
    if any(good != all_ for _, good, all_ in rows):
        sys.exit("a case is not judged as its label says")


main()
