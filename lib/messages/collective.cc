// Collective calls (COLL) and the algorithms chosen for them (TUNING).

#include "messages/families.h"

namespace nccl_analyze {

namespace {

constexpr Row rows[] = {
    row<CollectiveCalled>("{operation:word}: opCount {op_count} sendbuff {:hex} recvbuff {:hex} count {count} datatype "
                          "{datatype} op {op} root {root} comm {comm} [nranks={nranks}] stream {:hex}",
                          "2.4.2", "",
                          "AllReduce: opCount 1f sendbuff 0x7fb6e0200000 recvbuff 0x7fb6e0200000 count 1048576 "
                          "datatype 7 op 0 root 0 comm 0x7ff6fab89010 [nranks=4] stream 0x55e4e200f4d0"),
    row<AlgorithmChosen>("{operation:word}: {bytes} Bytes -> Algo {algorithm:word} proto {protocol:word} "
                         "channel{{Lo..Hi}={{{:int}..{:int}}",
                         "2.24.3", "", "AllReduce: 4194304 Bytes -> Algo RING proto LL128 channel{Lo..Hi}={0..23}"),
    row<AlgorithmChosen>("{operation:word} [Symmetric]: {bytes} Bytes -> Kernel {algorithm:word} nchannels {:int} "
                         "nthreads {:int}",
                         "2.27.3", "2.27.7",
                         "AllReduce [Symmetric]: 4096 Bytes -> Kernel AllReduce_RSxLD_AGxST nchannels 8 nthreads 512"),
    // rank 0's table of latencies (us) and bandwidths (GB/s)
    row<Noted>("{:blank}Algorithm {:blank}|{:text}", "2.18.1", "",
               "  Algorithm   |                            Tree                  |"),
    row<Noted>("{:blank}Protocol {:blank}|{:text}", "2.18.1", "", "  Protocol    |             LL |          LL128 |"),
    row<Noted>("{:blank}Max NThreads |{:text}", "2.18.1", "", " Max NThreads |            512 |            640 |"),
    row<Noted>("{:blank}{:AllReduce|AllGather|ReduceScatter|Broadcast|Reduce} |{:text}", "2.18.1", "",
               "    Broadcast |     6.6/   2.4 |    14.0/   6.9 |"),
    row<Noted>("{:AllReduce|AllGather|ReduceScatter|Broadcast|Reduce}: {:int} Bytes -> Algo {:int} proto {:int} time "
               "{:real}",
               "2.23.4", "2.23.4", "AllReduce: 4194304 Bytes -> Algo 1 proto 2 time 133.5"),
};

}  // namespace

const Family collective_family{"collective", rows};

}  // namespace nccl_analyze
