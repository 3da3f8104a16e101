#!/usr/bin/env python3
"""Whether versions that are inferred from places in NCCL's source are true.

inferred_versions.py --binary NCCL_ANALYZE [--list] FOLDER ...

Reads every log below the folders twice: as it is, and without the lines that name a version. For each process of the
second reading, an inferred version is right if the first reading shows the same minor release, of the process or else
of a process of its log. Fails if one is wrong. Logs that show no version either way are counted by themselves.
"""
import argparse
import collections
import gzip
import json
import os
import pathlib
import re
import subprocess
import sys

VERSION = re.compile(rb"(NCCL|RCCL)[ _]version", re.I)
ENDINGS = (".log", ".log.gz", ".txt", ".out")


def processes(binary, log):
    command = [binary, "-f", "json", "--fail-on", "never", "-"]
    done = subprocess.run(command, input=log, capture_output=True, check=False)
    return json.loads(done.stdout)["processes"] if done.returncode == 0 and done.stdout else []


def minor(version):
    return ".".join(version.split(".")[:2])


def judge(one, shown):
    """Whether the version inferred for a process is that of the processes that the whole log shows."""
    own = {minor(other["version"]) for other in shown
           if other["version"] and (other["host"], other["pid"]) == (one["host"], one["pid"])}
    true = own or {minor(other["version"]) for other in shown if other["version"]}
    return "right" if minor(one["version_inferred"]["versions"][0]) in true else "wrong"


def measure(binary, path):
    """(whether the log shows a version, verdict) and a text, for its processes together."""
    data = path.read_bytes()
    data = gzip.decompress(data) if path.suffix == ".gz" else data
    shown = processes(binary, data)
    has_version = any(one["version"] for one in shown)
    lines = data.splitlines(keepends=True)
    hidden = processes(binary, b"".join(line for line in lines if not VERSION.search(line))) if has_version else shown
    if any(one["version"] for one in hidden):
        return None, ""
    inferred = [one for one in hidden if "version_inferred" in one]
    verdicts = {judge(one, shown) if has_version else "inferred" for one in inferred} or {"silent"}
    found = sorted({" ".join(one["version_inferred"]["versions"]) for one in inferred})
    return (has_version, "wrong" if "wrong" in verdicts else verdicts.pop()), ", ".join(found)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--binary", required=True)
    parser.add_argument("--list", action="store_true", help="print each log for which a version is inferred")
    parser.add_argument("folders", nargs="+")
    options = parser.parse_args()
    counts = collections.Counter()
    for folder in options.folders:
        for root, _, names in sorted(os.walk(folder)):
            for path in (pathlib.Path(root) / name for name in sorted(names) if name.endswith(ENDINGS)):
                verdict, versions = measure(options.binary, path)
                if verdict:
                    counts[verdict] += 1
                if verdict and (verdict[1] == "wrong" or (options.list and versions)):
                    print("with" if verdict[0] else "without", "version:", verdict[1], versions, path)
    for has_version, words in ((True, ("right", "silent", "wrong")), (False, ("inferred", "silent"))):
        print("logs with a version:" if has_version else "logs without:",
              ", ".join(f"{counts[has_version, word]} {word}" for word in words))
    return 1 if counts[True, "wrong"] or not counts[True, "right"] else 0


if __name__ == "__main__":
    sys.exit(main())
