"""Logs of small jobs: initialisation and collectives of each rank."""

HOSTS = ("gpu-a1", "gpu-a2")


def rank_lines(rank, ranks=4, calls=0, name=None, init=True, pid=700, comm_id="0x5be11f0c2d9a7e01", first_call=0):
    """One rank of a job on two hosts with 2.27.3: its initialisation and the collectives that it calls."""
    pid, comm = pid + rank, f"0x55d0c1a0{rank:02x}00"
    who = f"{HOSTS[rank * 2 // ranks]}:{pid}"
    device = rank % (ranks // 2)
    lines = []

    def say(tid, text):
        lines.append(f"{who}:{tid} [{device}] NCCL INFO {text}")
    if init:
        say(pid, "NCCL version 2.27.3+cuda12.9")
        if name:
            say(pid, f"Comm config Comm name set to {name}")
        say(pid + 50, "Using network Socket")
        head = (f"ncclCommInitRankConfig comm {comm} rank {rank} nranks {ranks} cudaDev {device} nvmlDev {device + 4} "
                f"busId {(device + 1) * 0x1000:x} commId {comm_id} - Init ")
        say(pid + 50, head + "START")
        say(pid + 50, head + "COMPLETE")
    for number in range(first_call, first_call + calls):
        say(pid, f"AllReduce: opCount {number:x} sendbuff 0x7fb6e0200000 recvbuff 0x7fb6e0200000 count 1048576 "
                 f"datatype 7 op 0 root 0 comm {comm} [nranks={ranks}] stream 0x55e4e200f4d0")
    return lines


def job(calls, pods=False, **options):
    """`calls`: how many collectives each rank calls."""
    text = []
    for rank, count in enumerate(calls):
        prefix = f"[pod/train-worker-{rank}/trainer] " if pods else ""
        text += [prefix + line for line in rank_lines(rank, len(calls), count, **options)]
    return ("\n".join(text) + "\n").encode()
