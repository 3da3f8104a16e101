// Rows of the facts that lib/evidence takes from the output of other tools. No program prints these wordings: the
// readers in lib/evidence compose them, so that a fact from a table or from JSON becomes a message in a line. Events,
// summaries and quotes then need no special case for it.

#include "messages/families.h"

namespace nccl_analyze {

namespace {

constexpr Row rows[] = {
    row<BenchmarkStarted>("nccl-tests: {operation:word} began", "", "", "nccl-tests: all_reduce_perf began"),
    row<BenchmarkRankListed>("nccl-tests: rank {rank} is pid {pid} on {host:word} with device {device} "
                             "[{bus_id:word}] {gpu}",
                             "", "",
                             "nccl-tests: rank 0 is pid 4711 on worker-0 with device 0 [0000:19:00] NVIDIA H100"),
    row<BenchmarkMeasured>("nccl-tests: {size} B ({count} x {type:word} {redop:word}) "
                           "{place:in-place|out-of-place} in {time} us, algbw {algbw} GB/s, busbw {busbw} GB/s, wrong "
                           "{wrong}{(, p99 {p99} us, cv {cv} %)}",
                           "", "",
                           "nccl-tests: 8388608 B (2097152 x float sum) in-place in 210.50 us, algbw 39.85 GB/s, busbw "
                           "69.74 GB/s, wrong 0\n"
                           "nccl-tests: 8388608 B (2097152 x float sum) out-of-place in 210.50 us, algbw 39.85 GB/s, "
                           "busbw 69.74 GB/s, wrong -1, p99 240.00 us, cv 3.50 %"),
    row<BenchmarkEnded>("nccl-tests: ended with {out_of_bounds} wrong values, average busbw {busbw} GB/s", "", "",
                        "nccl-tests: ended with 0 wrong values, average busbw 62.10 GB/s"),
    row<PodManifestStarted>("manifest: pod of a {kind:word} began", "", "", "manifest: pod of a PyTorchJob began"),
    row<PodManifestValue>("manifest: {part:pod|container|volume} {index} has {key:word} {value}", "", "",
                          "manifest: pod 0 has name worker-0\n"
                          "manifest: container 0 has vpc.amazonaws.com/efa 4\n"
                          "manifest: volume 1 has limit 68719476736"),
    row<PodManifestEnded>("manifest: ended{complete?, read in full}", "", "", "manifest: ended, read in full"),
};

}  // namespace

const Family evidence_family{"other tools", rows};

}  // namespace nccl_analyze
