// Rows of the facts that lib/evidence takes from the output of other tools. No program prints these wordings: the
// readers in lib/evidence compose them, so that a fact from a table or from JSON becomes a message in a line. Events,
// summaries and quotes then need no special case for it.

#include "messages/families.h"

namespace nccl_analyze {

namespace {

constexpr Row evidence_rows[] = {
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
    // Statuses and events of pods. The host is the name of the pod.
    row<ProcessEnded>(
        "kubernetes: container {program:word} of pod {host:word} ended: {why:word}, exit code {code}{:text}", "", "",
        "kubernetes: container trainer of pod llama-worker-6 ended: OOMKilled, exit code 137, at "
        "2026-01-31T10:05:00Z"),
    row<ProcessEnded>("kubernetes: pod {host:word} failed: {why:word}: {:text}", "", "",
                      "kubernetes: pod llama-worker-6 failed: Evicted: The node was low on resource: memory."),
    row<ProcessEnded>("kubernetes: pod {host:word} has not started: {why:word}: {:text}", "", "",
                      "kubernetes: pod llama-worker-6 has not started: FailedScheduling: 0/5 nodes are available"),
    // The report of `ncclras -f json`.
    row<RasReported>("RAS report of NCCL {version:word} at {time}", "", "",
                     "RAS report of NCCL 2.28.9+cuda13.0 at 2026-01-31 10:00:00"),
    row<RasCommunicatorReported>(
        "RAS: communicator {comm_id} of {nranks} ranks, reported {reported}, missing {missing}", "", "",
        "RAS: communicator 0xbc42413ad5ab3a45 of 16 ranks, reported 15, missing 1"),
    row<RasRanksLaunched>("RAS: {ranks} ranks have launched {launched} {operation:word}", "", "",
                          "RAS: 14 ranks have launched 640 AllReduce"),
    row<RasRankLaunched>("RAS: rank {rank} (pid {pid} on {host:word}, device {device}) has launched {launched} "
                         "{operation:word}",
                         "", "", "RAS: rank 12 (pid 4711 on 10.0.4.52, device 4) has launched 639 AllReduce"),
    row<RasRankFailed>("RAS: rank {rank} (pid {pid} on {host:word}, device {device}) of communicator {comm_id} has the "
                       "asynchronous error {error}: {words}",
                       "", "",
                       "RAS: rank 12 (pid 4711 on 10.0.4.52, device 4) of communicator 0xbc42413ad5ab3a45 has the "
                       "asynchronous error 6: remote process exited or there was a network error"),
    row<RasRankLost>("RAS: rank {rank} (pid {pid} on {host:word}, device {device}) is lost: "
                     "{state:dead|unresponsive}",
                     "", "", "RAS: rank 12 (pid 4711 on 10.0.4.52, device 4) is lost: dead"),
    // A dump of PyTorch's flight recorder.
    row<FlightRecorded>(
        "flight recorder: process group {group:word} {description:word}{(, rank {global_rank})}, members "
        "{members:word}: enqueued {enqueued}, completed {completed}{(, {state:scheduled|started} "
        "{operation:word} number {sequence} of {elements_in} to {elements_out} elements, timeout "
        "{timeout} ms)}",
        "", "",
        "flight recorder: process group 0 default_pg, rank 3, members 0-7: enqueued 412, completed "
        "410, started ALLREDUCE number 411 of 1048576 to 1048576 elements, timeout 600000 ms\n"
        "flight recorder: process group 0 default_pg, members 0-7: enqueued 412, completed 410, "
        "scheduled ALLREDUCE number 411 of 1048576 to 1048576 elements, timeout 600000 ms\n"
        "flight recorder: process group 0 default_pg, rank 7, members 0-7: enqueued 410, completed "
        "410\n"
        "flight recorder: process group 0 default_pg, members 0-7: enqueued 410, completed 410"),
    // Lines of the NCCL Inspector.
    row<CollectivesInspected>("Inspector: rank {rank} of {nranks} of communicator {comm_id} named {comm_name:word} "
                              "(pid {pid} on {host:word}): {completed} x {operation:word}, the last one number {last}, "
                              "busbw up to {busbw} GB/s",
                              "", "",
                              "Inspector: rank 3 of 8 of communicator 0xbc42413ad5ab3a45 named default_pg:0 (pid 4711 "
                              "on worker-0): 640 x AllReduce, the last one number 639, busbw up to 187.50 GB/s"),
    row<MachineDescribed>("machine: {tool:word} began{( on {host:word})}", "", "",
                          "machine: ibstat began\nmachine: lspci began on worker-0"),
    row<MachineEnded>("machine: {tool:word} ended", "", "", "machine: topology-xml ended"),
    row<MachineCpuListed>("machine: NUMA node {numa} of host {host_hash}: {cpu}", "", "",
                          "machine: NUMA node 0 of host 0x9f1c3a5b7d2e4f60: x86_64 GenuineIntel"),
    row<MachineGpuListed>(
        "machine: GPU {index} {bus_id}, rank {rank}, NUMA node {numa}, x{width} at {speed} GT/s, below "
        "{switches:word}",
        "", "", "machine: GPU 0 0x19000, rank 0, NUMA node 0, x16 at 32.00 GT/s, below 0x15000/0x17000"),
    row<MachineNicListed>(
        "machine: {label:word} is {device:word} port {port}, {bus_id}, GUID {guid}, {rate} Mbit/s, NUMA "
        "node {numa}, x{width} at {speed} GT/s, below {switches:word}",
        "", "",
        "machine: NIC0 is mlx5_0 port 1, 0x1a000, GUID 0xe09f0300ebcea2b8, 400000 Mbit/s, NUMA node 0, "
        "x16 at 32.00 GT/s, below 0x15000/0x16000"),
    row<MachinePathsListed>("machine: paths of GPU {gpu} on NUMA node {numa}: {paths}", "", "",
                            "machine: paths of GPU 0 on NUMA node 0: GPU1=NV18 NIC0=PXB NIC1=SYS"),
    row<MachineNvlinkListed>("machine: NVLink from {from} to {to:word}: {links} links", "", "",
                             "machine: NVLink from 0x19000 to switch: 18 links"),
    row<MachineLinkListed>(
        "machine: PCIe link of {kind:GPU|NIC} {bus_id}: x{width} of x{max_width}, {speed} of "
        "{max_speed} GT/s, {device}",
        "", "", "machine: PCIe link of GPU 0x19000: x8 of x16, 32.00 of 32.00 GT/s, NVIDIA Corporation GH100"),
    row<MachineAcsListed>("machine: PCIe bridge {bus_id} over buses {first_bus} to {last_bus} has ACS {acs}", "", "",
                          "machine: PCIe bridge 0x15000 over buses 0x16 to 0x1d has ACS SrcValid+ TransBlk- ReqRedir+"),
    row<MachinePortListed>("machine: port {port} of {device:word} is {state:word}, {physical:word}, {rate} Gbit/s, "
                           "{link:word}, interface {interface:word}, GUID {guid}",
                           "", "",
                           "machine: port 1 of mlx5_0 is Active, LinkUp, 400.00 Gbit/s, InfiniBand, interface unknown, "
                           "GUID 0xb8ceeb000300e09f"),
    row<MachineGraphListed>("machine: graph {id} of pattern {pattern}: {nchannels} channels of {speed_intra} and "
                            "{speed_inter} GB/s over {type_intra:word} and {type_inter:word}",
                            "", "",
                            "machine: graph 0 of pattern 4: 8 channels of 30.00 and 24.00 GB/s over NVL and PXN"),
    row<MachineChannelListed>("machine: channel {channel} of graph {graph}: {path}", "", "",
                              "machine: channel 0 of graph 0: NET/0 rank/0 rank/1 NET/0"),
};

}  // namespace

const Family evidence_family{"other tools", evidence_rows};

}  // namespace nccl_analyze
