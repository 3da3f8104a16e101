"""A simulated fleet: a summary for each host, merged as a tree, and the faults that the report must name.

fleet.py --binary NCCL_ANALYZE --simulator SIMULATE_FLEET [--hosts 12500] [--channels 32] [--fan-in 125]

Prints bytes, seconds of processor time and memory of each level, and fails if a fault is not named or if the tree does
not give the bytes of one merge of all summaries. The folder for 12,500 hosts takes 1 GB in $TMPDIR.
"""
import argparse
import os
import pathlib
import subprocess
import sys
import tempfile

HOST = "worker-{}"


def faults_of(hosts):
    """A host for each kind of fault, far from the others."""
    return {kind: hosts * share // 10 for kind, share in (("dead", 2), ("nic", 4), ("late", 6), ("version", 8))}


def simulate(simulator, hosts, channels, folder, what):
    faults = faults_of(hosts)
    subprocess.run([simulator, str(hosts), str(channels), str(folder), what,
                    *(f"{kind}={host}" for kind, host in faults.items())], check=True)
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
    print(f"{level:24s} {len(runs):6d} runs  {megabytes(inputs) / len(runs):9.2f} MB in  {megabytes(outputs) / len(runs):9.2f} MB out"
          f"  {sum(run.seconds for run in runs) / len(runs):7.2f} s  {max(run.megabytes for run in runs):6.0f} MB of memory")


def measure(binary, simulator, hosts, channels, fan_in, folder):
    nodes, tree = folder / "nodes", folder / "tree"
    nodes.mkdir(), tree.mkdir()
    faults = simulate(simulator, hosts, channels, nodes, "summaries")
    summaries = sorted(nodes.iterdir())
    print(f"{hosts} hosts, {hosts * 8} ranks, {channels} channels; faults: {faults}")

    one = summaries[len(summaries) // 2]
    packed = len(subprocess.run(["zstd", "-c", one], capture_output=True, check=True).stdout)
    print(f"a summary: {one.stat().st_size} bytes, {packed} with zstd: {packed / 8 / 3:.0f} a rank and communicator")

    groups = [summaries[at:at + fan_in] for at in range(0, len(summaries), fan_in)]
    parts = [tree / f"{number:05}.sum" for number in range(len(groups))]
    runs = [Measured(binary, "merge", "-q", "-f", "summary", "-o", part, *group) for part, group in zip(parts, groups)]
    row("merge of nodes", runs, summaries, parts)
    root = folder / "root.sum"
    row("merge of merges", [Measured(binary, "merge", "-q", "-f", "summary", "-o", root, tree)], parts, [root])
    flat = folder / "flat.sum"
    row("merge of all nodes", [Measured(binary, "merge", "-q", "-f", "summary", "-o", flat, nodes)], summaries, [flat])
    same = subprocess.run(["cmp", root, flat], check=False).returncode == 0

    text = folder / "report.txt"
    row("report on all nodes", [Measured(binary, "merge", "-q", "-o", text, nodes)], summaries, [text])
    row("report on the merge", [Measured(binary, "merge", "-q", "-o", text, root)], [root], [text])
    Measured(binary, "merge", "-q", "--expect", expected_hosts(hosts), "-o", text, root)
    return same, unnamed(text.read_text(), faults, hosts)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for option, default in (("--hosts", 12500), ("--channels", 32), ("--fan-in", 125)):
        parser.add_argument(option, type=int, default=default)
    parser.add_argument("--binary", required=True)
    parser.add_argument("--simulator", required=True)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        same, missing = measure(options.binary, options.simulator, options.hosts, options.channels, options.fan_in,
                                pathlib.Path(folder))
    print("the tree gives the bytes of one merge" if same else "THE TREE DIFFERS FROM ONE MERGE")
    print("every fault is named" if not missing else f"NOT NAMED: {', '.join(missing)}")
    return 0 if same and not missing else 1


if __name__ == "__main__":
    sys.exit(main())
