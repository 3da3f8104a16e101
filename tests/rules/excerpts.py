"""Whether the finding of a whole log is found in excerpts of it: excerpts.py BINARY FOLDER

Of each case of FOLDER whose first finding is a warning or an error, takes the lines that the finding quotes as its proof,
with lines around them as a post has them, and asks again. What proves a fault in the whole log proves it in the excerpt;
what compares ranks may be silent where one of them is cut away, or say no more than the symptom that the whole finding
quotes; another fault is wrong. Fails when fewer than LEAST of
100 excerpts of a kind give the same finding first, or more than MOST another.
"""

import json
import pathlib
import random
import re
import subprocess
import sys

PREFIX = re.compile(rb"^[A-Za-z][\w.-]*:\d+:\d+ \[\d+\] ?")
SEED = 16  # The cuts are drawn anew when it changes.


def around(lines, proof, before, behind):
    keep = sorted({i for at in proof for i in range(max(0, at - before), min(len(lines), at + behind + 1))})
    return [lines[i] for i in keep]


def wrapped(lines, width):
    return [line[i : i + width] for line in lines for i in range(0, max(1, len(line)), width)]


# These rules compare ranks or lines, infer from what is absent, or read a table that is nothing without its header: an
# excerpt may lack what they need, and they are silent.
COMPARING = {
    "bad-interface", "bandwidth-below-path", "bandwidth-drop", "channels-differ", "collective-mismatch", "env-differs", "init-incomplete", "late-rank", "mnnvl-failed",
    "network-differs", "nic-count-differs", "nvlink-unused", "process-died", "ranks-not-started", "ring-broken",
    "straggler", "topology-contradicts", "topology-overridden", "version-mismatch", "world-split", "wrong-results",
}  # fmt: skip

# Of 100 excerpts of a kind: how many must give the same finding, or none where they may, and how many may give another.
LEAST, MOST = 97, 1.25
KINDS = {
    "proof alone": lambda lines, proof, rng: around(lines, proof, 0, 0),
    "lines around": lambda lines, proof, rng: around(lines, proof, rng.randrange(31), rng.randrange(31)),
    "tail": lambda lines, proof, rng: lines[max(0, min(proof) - rng.randrange(31)) :],
    "no prefixes": lambda lines, proof, rng: [PREFIX.sub(b"", line) for line in around(lines, proof, 8, 8)],
    "quoted": lambda lines, proof, rng: [b"> " + line for line in around(lines, proof, 8, 8)],
    "wrapped": lambda lines, proof, rng: wrapped(around(lines, proof, 8, 8), rng.randrange(90, 121)),
}


def findings(binary, data):
    run = subprocess.run([binary, "-f", "json", "--fail-on", "never", "-"], input=data, capture_output=True, check=True)
    return [finding for finding in json.loads(run.stdout)["findings"] if finding["severity"] != "info"]


def words(finding, lines):
    """What stands behind the prefixes of the lines that it and what follows from it quote."""
    quoted = [at["line"] - 1 for one in [finding, *finding["consequences"]] for at in one["evidence"]]
    return {PREFIX.sub(b"", lines[i]).strip() for i in quoted if i < len(lines)}


def is_same(got, excerpt, whole, lines):
    """Whether the excerpt says what the whole log says, or as much of it as can be said."""
    if not got:
        return whole["name"] in COMPARING
    symptom = whole["name"] in COMPARING and words(got[0], excerpt) <= words(whole, lines)
    return got[0]["rule"] == whole["rule"] or symptom


def main():
    binary, folder = sys.argv[1], pathlib.Path(sys.argv[2])
    same, another, tried = ({kind: 0 for kind in KINDS} for _ in range(3))
    for log in sorted(folder.rglob("*.log")):
        rng = random.Random(f"{SEED} {log.relative_to(folder)}")
        data = log.read_bytes()
        found, lines = findings(binary, data), data.split(b"\n")
        proof = [at["line"] - 1 for at in found[0]["evidence"] if at["line"] <= len(lines)] if found else []
        for kind, cut in KINDS.items():
            excerpt = b"\n".join(cut(lines, proof, rng)) + b"\n" if proof else b""
            if not proof:
                continue
            got = findings(binary, excerpt)
            tried[kind] += 1
            if is_same(got, excerpt.split(b"\n"), found[0], lines):
                same[kind] += 1
                continue
            another[kind] += bool(got)
            print(f"{kind}: {log.relative_to(folder)}: {found[0]['name']}, now {got[0]['name'] if got else 'silent'}")
    bad = []
    for kind in KINDS:
        shares = 100 * same[kind] / tried[kind], 100 * another[kind] / tried[kind]
        print(f"{kind:14} same {shares[0]:5.1f} % (at least {LEAST}), another {shares[1]:4.1f} % (at most {MOST}), of {tried[kind]}")
        if shares[0] < LEAST or shares[1] > MOST:
            bad.append(kind)
    if bad:
        sys.exit("findings are lost in excerpts: " + ", ".join(bad))


main()
