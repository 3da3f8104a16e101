"""A simulated fleet: a summary for each host, merged as a tree, and the faults that the report must name.

fleet.py --binary NCCL_ANALYZE --simulator SIMULATE_FLEET [--hosts 12500] [--channels 32] [--fan-in 125] [--streamed]

Prints bytes, seconds of processor time and memory of each level, and fails if a fault is not named or if the tree does
not give the bytes of one merge of all summaries. The folder for 12,500 hosts takes 1 GB in $TMPDIR.

With --streamed the tree has a level more, and what was merged is removed, the summaries of each rack before those of
the next are made: `--hosts 125000` takes 13 GB, and half an hour of one core.
"""
import argparse
import hashlib
import os
import pathlib
import subprocess
import sys
import tempfile

HOST = "worker-{}"


def faults_of(hosts):
    """A host for each kind of fault, far from the others."""
    return {kind: hosts * share // 10 for kind, share in (("dead", 2), ("nic", 4), ("late", 6), ("version", 8))}


def simulate(simulator, hosts, channels, folder, what, **part):
    faults = faults_of(hosts)
    subprocess.run([simulator, str(hosts), str(channels), str(folder), what,
                    *(f"{kind}={host}" for kind, host in {**faults, **part}.items())], check=True)
    return faults


def unnamed(report, faults, hosts):
    """The faults that the text of a report does not name with their host."""
    signs = {"dead": "found no log of 1 of {hosts} hosts ({host})", "nic": "3 NICs on {host} and 4 NICs on",
             "late": "rank {rank} arrived late: others waited up to 9.8 s; it runs on {host}",
             "version": "NCCL 2.26.2 on ranks {rank}-"}
    words = " ".join(report.split())
    return [kind for kind, host in faults.items()
            if signs[kind].format(host=HOST.format(host), hosts=hosts, rank=host * 8) not in words]


def expected_hosts(hosts):
    return f"hosts={HOST.format(f'[0-{hosts - 1}]')}"


class Measured:
    """A run of the program with its processor seconds and its peak memory."""

    def __init__(self, *arguments):
        process = subprocess.Popen([str(argument) for argument in arguments], stderr=subprocess.PIPE)
        self.errors = process.stderr.read().decode()
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        process.stderr.close()
        self.status, self.seconds = process.returncode, usage.ru_utime + usage.ru_stime
        self.megabytes = usage.ru_maxrss * 1024 / 1e6


def megabytes(paths):
    return sum(path.stat().st_size for path in paths) / 1e6


def row(level, runs, inputs, outputs):
    seconds = sum(run.seconds for run in runs) / len(runs)
    print(f"{level:20s} {len(runs):5d} runs  {megabytes(inputs) / len(runs):8.2f} MB in "
          f"{megabytes(outputs) / len(runs):8.2f} MB out {seconds:7.2f} s "
          f"{max(run.megabytes for run in runs):6.0f} MB of memory", flush=True)


def remove(paths):
    for path in paths:
        path.unlink()


def checksum(binary, folder):
    """The checksum of what one merge of a folder writes, which is not stored."""
    with subprocess.Popen([binary, "merge", "-q", "--fail-on", "never", "-f", "summary", folder],
                          stdout=subprocess.PIPE) as process:
        return hashlib.file_digest(process.stdout, "sha256").hexdigest()


def report(binary, folder, summaries, hosts, level):
    """The text of the report on summaries, which names the nodes without one."""
    text = folder / "report.txt"
    row(level, [Measured(binary, "merge", "-q", "--expect", expected_hosts(hosts), "-o", text, *summaries)], summaries,
        [text])
    return text.read_text()


def measure_streamed(binary, simulator, hosts, channels, fan_in, folder):
    """As measure(), for a job whose summaries are too many to be kept: nodes, racks, rows of racks, root."""
    nodes, racks, rows = (folder / name for name in ("nodes", "racks", "rows"))
    for level in (nodes, racks, rows):
        level.mkdir()
    print(f"{hosts} hosts, {hosts * 8} ranks, {channels} channels; faults: {faults_of(hosts)}", flush=True)

    def merge(target, *paths):
        return Measured(binary, "merge", "-q", "--fail-on", "never", "-f", "summary", "-o", target, *paths)
    runs, count, size = [], 0, 0
    for first in range(0, hosts, fan_in):
        faults = simulate(simulator, hosts, channels, nodes, "summaries", first=first, end=min(first + fan_in, hosts))
        summaries = list(nodes.iterdir())
        count, size = count + len(summaries), size + megabytes(summaries)
        runs.append(merge(racks / f"{first:07}.sum", *summaries))
        remove(summaries)
    print(f"{count} summaries, {size:.0f} MB")
    parts = sorted(racks.iterdir())
    row("racks: of nodes", runs, parts, parts)
    groups = [parts[at:at + fan_in] for at in range(0, len(parts), fan_in)]
    targets = [rows / f"{number:03}.sum" for number in range(len(groups))]
    row("rows: of racks", [merge(target, *group) for target, group in zip(targets, groups)], parts, targets)
    root, at_once = folder / "root.sum", checksum(binary, racks)
    remove(parts)
    row("root: of rows", [merge(root, *targets)], targets, [root])
    with open(root, "rb") as whole:
        same = hashlib.file_digest(whole, "sha256").hexdigest() == at_once
    root.unlink()
    return same, unnamed(report(binary, folder, targets, hosts, "report on rows"), faults, hosts)


def measure(binary, simulator, hosts, channels, fan_in, folder):
    """Returns whether the tree gives the bytes of one merge, and the faults that the report does not name."""
    nodes, tree = folder / "nodes", folder / "tree"
    nodes.mkdir(), tree.mkdir()
    faults = simulate(simulator, hosts, channels, nodes, "summaries")
    summaries = sorted(nodes.iterdir())
    print(f"{hosts} hosts, {hosts * 8} ranks, {channels} channels; faults: {faults}")

    one = summaries[len(summaries) // 2]
    packed = len(subprocess.run(["zstd", "-c", one], capture_output=True, check=True).stdout)
    print(f"a summary: {one.stat().st_size} bytes, {packed} with zstd: {packed / 8 / 3:.0f} a rank and communicator")

    def merge(target, *paths):
        return Measured(binary, "merge", "-q", "--fail-on", "never", "-f", "summary", "-o", target, *paths)
    groups = [summaries[at:at + fan_in] for at in range(0, len(summaries), fan_in)]
    parts = [tree / f"{number:05}.sum" for number in range(len(groups))]
    row("merge of nodes", [merge(part, *group) for part, group in zip(parts, groups)], summaries, parts)
    root, flat = folder / "root.sum", folder / "flat.sum"
    row("merge of merges", [merge(root, tree)], parts, [root])
    row("merge of all nodes", [merge(flat, nodes)], summaries, [flat])
    same = subprocess.run(["cmp", root, flat], check=False).returncode == 0

    text = folder / "report.txt"
    row("report on all nodes", [Measured(binary, "merge", "-q", "-o", text, nodes)], summaries, [text])
    row("report on the merge", [Measured(binary, "merge", "-q", "-o", text, root)], [root], [text])
    return same, unnamed(report(binary, folder, [root], hosts, "report, nodes named"), faults, hosts)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for option, default in (("--hosts", 12500), ("--channels", 32), ("--fan-in", 125)):
        parser.add_argument(option, type=int, default=default)
    parser.add_argument("--streamed", action="store_true")
    parser.add_argument("--binary", required=True)
    parser.add_argument("--simulator", required=True)
    options = parser.parse_args()
    measured = measure_streamed if options.streamed else measure
    with tempfile.TemporaryDirectory() as folder:
        same, missing = measured(options.binary, options.simulator, options.hosts, options.channels, options.fan_in,
                                 pathlib.Path(folder))
    print("the tree gives the bytes of one merge" if same else "THE TREE DIFFERS FROM ONE MERGE")
    print("every fault is named" if not missing else f"NOT NAMED: {', '.join(missing)}")
    return 0 if same and not missing else 1


if __name__ == "__main__":
    sys.exit(main())
