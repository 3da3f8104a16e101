"""What somebody writes who needs the facts of a log once: user_script.py LOG. benchmark.py measures it."""
import collections
import json
import re
import sys

LINE = re.compile(r"(\S+):(\d+):(\d+) \[(\d+)\].*?NCCL (INFO|WARN) (.*)")
INIT = re.compile(r"(\w+) comm (0x[0-9a-f]+) rank (\d+) nranks (\d+) cudaDev (\d+) .*busId (\w+) .*- Init (START|COMPLETE)")
CHANNEL = re.compile(r"Channel (\d+)/(\d+) : (\d+)\[(\w+)\] -> (\d+)\[(\w+)\] (?:\[(send|receive)\] )?via (\S+)")
RING = re.compile(r"Ring (\d+) : (-?\d+) -> (\d+) -> (-?\d+)")
TREE = re.compile(r"\[(\d+)\] (-?\d+)/(-?\d+)/(-?\d+)->(-?\d+)->(-?\d+)")
COLLECTIVE = re.compile(r"(\w+): opCount ([0-9a-f]+) .* count (\d+) datatype (\d+) .* comm (0x[0-9a-f]+)")
ENV = re.compile(r"(NCCL_\w+) set (?:by environment )?to (.*)")

ranks, env, warnings = {}, {}, []
rings, trees, transports, collectives = (collections.Counter() for _ in range(4))
with open(sys.argv[1], encoding="utf-8", errors="replace") as log:
    for line in log:
        if "NCCL " not in line:
            continue
        found = LINE.search(line)
        if not found:
            continue
        host, pid, _, device, level, message = found.groups()
        if level == "WARN":
            warnings.append((host, message))
        elif m := CHANNEL.match(message):
            transports[m[8]] += 1
        elif m := COLLECTIVE.match(message):
            collectives[m[1], m[5]] += 1
        elif m := RING.match(message):
            rings[int(m[1]), int(m[3])] = int(m[4])
        elif message.startswith("Trees"):
            for m in TREE.finditer(message):
                trees[int(m[1]), int(m[5])] = int(m[6])
        elif m := INIT.match(message):
            ranks[m[2], int(m[3])] = (host, pid, device, m[7])
        elif m := ENV.match(message):
            env[m[1]] = m[2]
json.dump({"ranks": len(ranks), "rings": len(rings), "trees": len(trees), "env": env, "warnings": warnings[:10],
           "transports": transports.most_common(10), "collectives": sum(collectives.values())}, sys.stdout)
