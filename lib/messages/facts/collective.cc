// Rows of collective calls (subsystem COLL) and of the algorithms that NCCL chooses for them (TUNING).

#include "messages/families.h"
#include "messages/hot_row.h"

namespace nccl_analyze {

namespace {

constexpr Row collective_rows[] = {
    hot_row<CollectiveCalled,
            "{operation:word}: opCount {op_count} sendbuff {:hex} recvbuff {:hex}{( acc {:hex})} count {count} "
            "datatype {datatype} op "
            "{op} root {root} comm {comm} [nranks={nranks}] stream {:hex}{( task {:int} globalrank {:int})}">(
        "2.4.2", "",
        "AllReduce: opCount 1f sendbuff 0x7fb6e0200000 recvbuff 0x7fb6e0200000 count 1048576 datatype 7 op 0 root 0 "
        "comm 0x7ff6fab89010 [nranks=4] stream 0x55e4e200f4d0\nAllReduce: opCount 1f sendbuff 0x7fb6e0200000 recvbuff "
        "0x7fb6e0200000 count 1048576 datatype 7 op 0 root 0 comm 0x7ff6fab89010 [nranks=4] stream 0x55e4e200f4d0 task "
        "0 globalrank 3\nAllReduce: opCount 1f sendbuff 0x7fb6e0200000 recvbuff 0x7fb6e0200000 acc (nil) count 1048576 "
        "datatype 7 op 0 root 0 comm 0x7ff6fab89010 [nranks=4] stream 0x55e4e200f4d0 task 0 globalrank 3"),
    hot_row<AlgorithmChosen,
            "{operation:word}: {bytes} Bytes -> Algo {algorithm:word} proto {protocol:word} "
            "channel{{Lo..Hi}={{{:int}..{:int}}{( cgaClusterSize {:int})}">(
        "2.24.3", "",
        "AllReduce: 4194304 Bytes -> Algo RING proto LL128 channel{Lo..Hi}={0..23}\nAllReduce: 4194304 Bytes -> Algo "
        "RING proto LL128 channel{Lo..Hi}={0..23} cgaClusterSize 4"),
    row<AlgorithmChosen>(
        "{operation:word} [Symmetric]: {bytes} Bytes -> Kernel {algorithm:word} nchannels {:int} nthreads {:int}{( "
        "nWorks {:int})}",
        "2.27.3", "",
        "AllReduce [Symmetric]: 4096 Bytes -> Kernel AllReduce_RSxLD_AGxST nchannels 8 nthreads 512\nAllReduce "
        "[Symmetric]: 4096 Bytes -> Kernel AllReduce_RSxLD_AGxST nchannels 8 nthreads 512 nWorks 1"),
    row<AlgorithmChosen>("{operation:word} [Copy Engine]: {bytes} Bytes -> {algorithm}", "2.29.2", "",
                         "AllGather [Copy Engine]: 4096 Bytes -> cudaMemcpyBatchAsync"),
    row<AlgorithmChosen>("{operation:word} [Hierarchical CE]: {bytes} Bytes -> {algorithm}", "2.30.7", "",
                         "AllGather [Hierarchical CE]: 4096 Bytes -> RMA proxy + CE"),
    row<AlgorithmChosen>(
        "{({operation:word}: )}{bytes} Bytes -> Algo {algorithm:word} proto {protocol:word} time {:real}", "2.20.3",
        "2.23.4",
        "AllReduce: 4194304 Bytes -> Algo 1 proto 2 time 133.500000\n4194304 Bytes -> Algo 1 proto 2 time 133.500000"),
};

}  // namespace

const Family collective_family{"collective", collective_rows};

}  // namespace nccl_analyze
