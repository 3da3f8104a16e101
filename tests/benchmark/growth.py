"""How the work grows with the input: twice the units of a log should take about twice the instructions.

growth.py --binary NCCL_ANALYZE [--units N] [--kind NAME ...] [--seconds] [--check]

Each kind is a log of N, 2N (and with --seconds 4N) hostile or unlucky units: communicators that never complete,
processes that start over and over, settings that differ everywhere. Instructions as callgrind counts them, less what
start-up takes; with --seconds CPU time, for larger N. With --check it fails above 2.15 for twice the input: where 7.5 %
of the work grow with the square, which a few hundred units hardly show and ten thousand feel. Without valgrind it exits
with status 77.
"""
import argparse
import pathlib
import resource
import shutil
import subprocess
import sys
import tempfile

import instructions

MOST = 2.15  # for twice the input


def head(host, pid=100, device=0, tid=None):
    return f"{host}:{pid}:{pid if tid is None else tid} [{device}] NCCL INFO "


def start(comm, rank, nranks, ident, device=0):
    return (f"ncclCommInitRankConfig comm 0x{comm:x} rank {rank} nranks {nranks} cudaDev {device} nvmlDev {device} "
            f"busId {0x1b000 + device * 0x1000:x} commId 0x{ident:x} - Init START\n")


def complete(comm, rank, nranks, ident, device=0):
    return start(comm, rank, nranks, ident, device).replace("START", "COMPLETE")


def split(comm, rank, nranks, parent, color):
    return (f"ncclCommSplit comm 0x{comm:x} rank {rank} nranks {nranks} cudaDev 0 nvmlDev 0 busId 1b000 "
            f"parent 0x{parent:x} splitCount 1 color {color} key {rank} - Init START\n")


def environment(host, network="Socket", version="2.27.3"):
    return "".join(head(host) + text + "\n" for text in
                   ("Bootstrap: Using eth0:10.0.0.1<0>", "cudaDriverVersion 12080", f"NCCL version {version}+cuda12.4",
                    f"Using network {network}"))


def two_ranks(number, line):
    """`line` of both ranks of a communicator on two hosts of its own."""
    return "".join(head(f"h{number}-{rank}") + line(rank) for rank in (0, 1))


def ring_disagrees(n):
    for i in range(n):
        yield two_ranks(i, lambda rank: start(0x1000 + i, rank, 2, i + 1))
        yield two_ranks(i, lambda rank: f"Ring 00 : {rank} -> {rank} -> {rank}\n")
        yield two_ranks(i, lambda rank: complete(0x1000 + i, rank, 2, i + 1))


def ring_list_alone(n):
    for i in range(n):
        yield head(f"h{i}") + "Channel 00/02 :    0   1\n"


def calls_differ(n):
    for i in range(n):
        yield two_ranks(i, lambda rank: start(0x1000 + i, rank, 2, i + 1))
        yield two_ranks(i, lambda rank: complete(0x1000 + i, rank, 2, i + 1))
        yield two_ranks(i, lambda rank: f"AllReduce: opCount 0 sendbuff 0x7f0000000000 recvbuff 0x7f0000000000 count "
                                        f"{1000 + rank} datatype 7 op 0 root 0 comm 0x{0x1000 + i:x} [nranks=2] "
                                        f"stream 0x1\n")


def never_completed(n):
    for i in range(n):
        yield two_ranks(i, lambda rank: start(0x1000 + i, rank, 2, i + 1))


def split_never_completed(n):
    for rank in (0, 1):
        yield head(f"w{rank}") + start(0x500, rank, 2, 99) + head(f"w{rank}") + complete(0x500, rank, 2, 99)
    for i in range(n):
        yield "".join(head(f"w{rank}") + split(0x1000 + i, rank, 2, 0x500, i) for rank in (0, 1))


def left_open(n):
    """Of each communicator one rank of four is not destroyed."""
    for i in range(n):
        for step in (start, complete):
            yield "".join(head(f"h{i}-{rank}") + step(0x1000 + i, rank, 4, i + 1) for rank in range(4))
        yield "".join(head(f"h{i}-{rank}") + f"comm 0x{0x1000 + i:x} rank {rank} nranks 4 cudaDev 0 busId 1b000 - "
                      "Destroy COMPLETE\n" for rank in range(3))


def half_out_of_memory(n):
    for i in range(n):
        yield two_ranks(i, lambda rank: start(0x1000 + i, rank, 2, i + 1))
        if i % 2 == 0:
            yield head(f"h{i}-0").replace("INFO", "WARN") + "Cuda failure 2 'out of memory'\n"


def old_log(n):
    for i in range(n):
        yield head(f"h{i}") + f"comm 0x{0x1000 + i:x} rank 0 nranks 8 cudaDev 0 nvmlDev 0 - Init START\n"


def one_setting(n):
    for i in range(n):
        yield head(f"h{i}") + f"NCCL_SOCKET_IFNAME set by environment to eth{i}\n"
        yield head(f"h{i}") + start(0x1000 + i, i, n, 7) + head(f"h{i}") + complete(0x1000 + i, i, n, 7)


def many_versions(n):
    for i in range(n):
        yield environment(f"h{i}", version=f"2.{i % 30}.{i % 9}")


def starts_over(n):
    for i in range(2 * n):
        yield head("w0") + start(0x1000 + i, 0, 2, i + 1)


def made_and_destroyed(n):
    for i in range(2 * n):
        yield head("w0") + start(0x1000 + i, 0, 1, i + 1) + head("w0") + complete(0x1000 + i, 0, 1, i + 1)
        yield head("w0") + f"comm 0x{0x1000 + i:x} rank 0 nranks 1 cudaDev 0 busId 1b000 - Destroy COMPLETE\n"


def lives_with_connections(n):
    """One process: communicators that are connected, some of which are destroyed."""
    for i in range(n):
        yield head("w0") + start(0x1000 + i, 0, 2, i + 1)
        yield head("w0") + "Channel 00/0 : 0[0] -> 1[1] via SHM/direct/direct\n"
        yield head("w0") + complete(0x1000 + i, 0, 2, i + 1)
        if i % 2:
            yield head("w0") + f"comm 0x{0x1000 + i:x} rank 0 nranks 2 cudaDev 0 busId 1b000 - Destroy COMPLETE\n"


def lazily_connected(n):
    """One process: communicators that connect when they are used, with lines that do not name them."""
    for i in range(n):
        yield head("w0") + start(0x1000 + i, 0, 2, i + 1) + head("w0") + complete(0x1000 + i, 0, 2, i + 1)
        yield head("w0") + f"Channel 00/0 : 0[0] -> 1[1] via {('SHM/direct/direct', 'P2P/IPC')[i % 2]}\n"
        yield head("w0") + "Connected all rings\n"


def connections_before_names(n):
    """What is connected is printed before the line that names its communicator (NCCL 2.4 to 2.11)."""
    for i in range(n):
        yield head("w0") + "Channel 00/0 : 0[0] -> 1[1] via SHM/direct/direct\n"
        yield head("w0") + "Connected all rings\n"
        yield head("w0") + f"comm 0x{0x1000 + i:x} rank 0 nranks 2 cudaDev 0 busId 1b000 - Init COMPLETE\n"


def warnings_of_many_lives(n):
    for i in range(n):
        yield head("w0") + start(0x1000 + i, 0, 1, i + 1) + head("w0") + complete(0x1000 + i, 0, 1, i + 1)
        yield head("w0").replace("INFO", "WARN") + f"Cuda failure {i % 700} 'no reason at all'\n"


def connections(n):
    for rank in range(2):
        yield head(f"h{rank}") + start(0x1000, rank, 2, 7)
    for i in range(n):
        yield head(f"h{i % 2}") + f"Channel {i % 64:02}/{i // 64} : {i % 2}[0] -> {1 - i % 2}[0] [send] via NET/IB/{i % 8}\n"


def nameless_ranks(n):
    """Lines without Init: ranks of one host whose communicators nobody names."""
    for i in range(n):
        yield head("w0", pid=100 + i, device=i % 8) + f"Channel 00/0 : {i}[{i % 8}] -> {i + 1}[{(i + 1) % 8}] via P2P/IPC\n"
        yield head("w0", pid=100 + i, device=i % 8) + f"Ring 00 : {i - 1} -> {i} -> {i + 1}\n"


def one_rank_of_eight(n):
    for i in range(n):
        yield head(f"h{i}") + start(0x1000 + i, 0, 8, i + 1)


def versions_and_ranks(n):
    for i in range(n):
        yield environment(f"h{i}", version=f"2.{20 + i % 8}.3")
        yield head(f"h{i}") + start(0x1000 + i, i % 64, 64, i // 64 + 1)


def pids_of_one_host(n):
    for i in range(n):
        yield head("w0", pid=100 + i) + "Using network Socket\n"


def completed(n):
    for i in range(n):
        yield two_ranks(i, lambda rank: start(0x1000 + i, rank, 2, i + 1))
        yield two_ranks(i, lambda rank: complete(0x1000 + i, rank, 2, i + 1))


def one_communicator(n):
    for i in range(n):
        yield head(f"h{i}") + start(0x1000, i, n, 7)
        yield head(f"h{i}") + f"Channel 00/0 : {i}[0] -> {(i + 1) % n}[0] [send] via NET/IB/0/GDRDMA\n"
        yield head(f"h{i}") + complete(0x1000, i, n, 7)


def one_communicator_stuck(n):
    for i in range(n - 1):
        yield environment(f"h{i}")
        yield head(f"h{i}") + start(0x1000, i, n, 7)


def failing_job(n):
    """Every rank prints the echo of one failure and its quotes."""
    for i in range(n):
        yield environment(f"h{i}", network="IB")
        yield head(f"h{i}") + start(0x1000, i, n, 7) + head(f"h{i}") + complete(0x1000, i, n, 7)
    for i in range(n):
        host = head(f"h{i}")
        yield host.replace("INFO", "WARN") + (f"NET/IB: Got completion from peer 10.0.{i % 250}.2<4791> with status=12 "
                                               "opcode=0 len=0 vendor err 129 (Recv)\n")
        yield host + "transport/net_ib.cc:2100 -> 6\n" + host + "transport/net.cc:1262 -> 6\n"
        yield (f"RuntimeError: NCCL error in: ProcessGroupNCCL.cpp:1{i % 1000:03}, remote process exited or there was a "
               "network error\n")


def all_complain(n):
    """Ranks of one communicator; each finds that its neighbour's address has closed the connection."""
    def address(i):
        return f"10.{i >> 16}.{i >> 8 & 255}.{i & 255}"
    for i in range(n):
        yield head(f"h{i}") + f"Bootstrap: Using eth0:{address(i)}<0>\n"
        yield head(f"h{i}") + start(0x1000, i, n, 7) + head(f"h{i}") + complete(0x1000, i, n, 7)
    for i in range(n):
        yield (head(f"h{i}").replace("INFO", "WARN") +
               f"socketProgress: Connection closed by remote peer {address((i + 1) % n)}<{40000 + i % 1000}>\n")


def nics(n):
    for i in range(n):
        yield environment(f"h{i}", network="IB")
        yield head(f"h{i}") + "NET/IB : Using " + " ".join(f"[{k}]mlx5_{k}:1/IB" for k in range(8)) + " [RO]; OOB eth0:10.0.0.1<0>\n"


def documents(n):
    """A log with as many documents of other tools, whole and torn."""
    for i in range(n):
        yield head(f"h{i}") + "Using network IB\n"
        yield f"root@h{i}:~# ibstat\nCA 'mlx5_0'\n\tNumber of ports: 1\n\tPort 1:\n\t\tState: Down\n\t\tRate: 400\n"
        yield '{\n  "apiVersion": "v1",\n  "kind": "Pod",\n' + ('}\n' if i % 2 else "")
        yield f"apiVersion: v1\nkind: Pod\nmetadata:\n  name: h{i}\nspec:\n  containers:\n  - name: main\n"


def files_with_versions(n):
    for i in range(n):
        yield environment(f"h{i}", version=f"2.{20 + i % 8}.3")


def files_of_ranks(n):
    for i in range(n):
        yield environment(f"h{i}") + head(f"h{i}") + start(0x1000, i, n, 7) + head(f"h{i}") + complete(0x1000, i, n, 7)


def files_that_fail(n):
    """Of each rank a file with a warning and the exception that ends it."""
    for i in range(n):
        yield (environment(f"h{i}") + head(f"h{i}") + start(0x1000, i, n, 7) +
               head(f"h{i}").replace("INFO", "WARN") + "Cuda failure 2 'out of memory'\n" +
               "Traceback (most recent call last):\nRuntimeError: NCCL error in: ProcessGroupNCCL.cpp:1234, "
               "unhandled cuda error\n")


def files_with_machines(n):
    for i in range(n):
        yield environment(f"h{i}", network="IB") + f"CA 'mlx5_{i % 8}'\n\tPort 1:\n\t\tState: Down\n\t\tRate: 400\n"


# Kinds whose units are files of a folder.
FILES = [files_with_versions, files_of_ranks, files_that_fail, files_with_machines]

KINDS = FILES + [
    documents, ring_disagrees, ring_list_alone, calls_differ, never_completed, split_never_completed, left_open,
    half_out_of_memory, old_log, one_setting, many_versions, starts_over, made_and_destroyed, lives_with_connections,
    lazily_connected, connections_before_names, warnings_of_many_lives, connections, nameless_ranks, one_rank_of_eight,
    versions_and_ranks, pids_of_one_host, completed, one_communicator, one_communicator_stuck, failing_job, all_complain,
    nics]


def write(kind, size, folder):
    """The path of an input of this kind: a log, or a folder."""
    path = pathlib.Path(folder) / f"{kind.__name__}-{size}"
    if kind not in FILES:
        path.write_text("".join(kind(size)), encoding="ascii")
        return path
    path.mkdir()
    for number, text in enumerate(kind(size)):
        (path / f"{number:06}.log").write_text(text, encoding="ascii")
    return path


def seconds(binary, log):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([binary, "-f", "json", "--fail-on", "never", log], stdout=subprocess.DEVNULL,
                   stderr=subprocess.DEVNULL, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main():
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--binary", required=True)
    options.add_argument("--units", type=int, default=1500)
    options.add_argument("--kind", action="append", choices=[kind.__name__ for kind in KINDS])
    options.add_argument("--seconds", action="store_true")
    options.add_argument("--check", action="store_true")
    chosen = options.parse_args()
    if not chosen.seconds and not shutil.which("valgrind"):
        print("skipped: valgrind is not installed")
        return instructions.SKIPPED
    measure = seconds if chosen.seconds else instructions.count
    sizes = [chosen.units, 2 * chosen.units] + ([4 * chosen.units] if chosen.seconds else [])
    above = []
    with tempfile.TemporaryDirectory() as folder:
        start_up = measure(chosen.binary, "/dev/null")
        for kind in KINDS:
            if chosen.kind and kind.__name__ not in chosen.kind:
                continue
            found = []
            for size in sizes:
                found.append(measure(chosen.binary, write(kind, size, folder)) - start_up)
            ratios = [b / a for a, b in zip(found, found[1:])]
            shown = "  ".join(f"{one:8.2f} s" if chosen.seconds else f"{one / 1e6:8.1f} M" for one in found)
            print(f"{kind.__name__:24} {shown}  " + "  ".join(f"x {ratio:.2f}" for ratio in ratios), flush=True)
            if max(ratios) > MOST:
                above.append(kind.__name__)
    if chosen.check and above:
        print(f"more than {MOST} times the work for twice the input: " + ", ".join(above), file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
