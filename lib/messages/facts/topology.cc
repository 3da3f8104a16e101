// Rows of NCCL's topology detection and graph search (subsystem GRAPH).

#include "messages/families.h"
#include "messages/hot_row.h"

namespace nccl_analyze {

namespace {

constexpr Row topology_rows[] = {
    row<SystemPrinted>("=== System : maxBw {max_bw} totalBw {total_bw} ===", "2.14.3", "",
                       "=== System : maxBw 240.0 totalBw 240.0 ==="),
    row<SystemPrinted>("=== System : maxWidth {max_bw}{( totalWidth {total_bw})}{( maxSpeed {:int})} ===", "2.5.6",
                       "2.13.4",
                       "=== System : maxWidth 240.0 totalWidth 240.0 ===\n=== System : maxWidth 21.0 ===\n=== System : "
                       "maxWidth 21 maxSpeed 12 ==="),
    row<TopologyNodePrinted>(
        "{indent:blank}+ {link:LOC|NVL|C2C|PCI|SYS|QPI|NET}[{bandwidth}] - "
        "{type:GPU|PCI|NVS|CPU|NIC|NET|GIN|RMA|DEV|CXB}/{({system}-)}{id}{( ({detail}))}",
        "2.5.6", "",
        "              + PCI[24.0] - GPU/0-101c0 (8)\n                            + NVL[240.0] - NVS/0-0\n             "
        " + PCI[24.0] - GPU/101C0 (0)\n                            + NVL[240.0] - NVS/0"),
    row<TopologyNodePrinted>("{type:GPU|PCI|NVS|CPU|NIC|NET|GIN|RMA|DEV|CXB}/{({system}-)}{id} ({detail})", "2.5.6", "",
                             "CPU/0-0 (1/2/-1)\nCPU/0 (1/1/2)"),
    row<PathsPrinted>("{type:GPU|PCI|NVS|CPU|NIC|NET|GIN|RMA|DEV|CXB}/{({system}-)}{id} :{paths}", "2.5.6", "",
                      "GPU/0-30000 :GPU/0-30000 (0/5000.0/LOC) CPU/0-0 (1/24.0/PHB) NET/0-0 (3/1.2/PHB)\nGPU/101C0 "
                      ":GPU/101C0 (0/5000.000000/LOC) CPU/0 (2/24.000000/PHB)"),
    row<AffinityChosen>(
        "ncclTopoGetCpuAffinity: Affinity for GPU {gpu} is {cpus}. (GPU affinity = {gpu_cpus} ; CPU "
        "affinity = {process_cpus}).",
        "2.28.3", "", "ncclTopoGetCpuAffinity: Affinity for GPU 3 is 0-1. (GPU affinity = 0-63 ; CPU affinity = 0-1)."),
    // Printed with NCCL_IGNORE_CPU_AFFINITY=1. The message then lacks the affinity of the process.
    row<AffinityChosen>("ncclTopoGetCpuAffinity: Affinity for GPU {gpu} is {cpus}. (GPU affinity = {gpu_cpus:word}).",
                        "2.28.3", "", "ncclTopoGetCpuAffinity: Affinity for GPU 3 is 0-63. (GPU affinity = 0-63)."),
    row<AffinityChosen>("Setting affinity for GPU {gpu} to {cpus}", "2.4.2", "2.27.7",
                        "Setting affinity for GPU 0 to ffff,00000000"),
    row<GraphSearched>(
        "Pattern {pattern}, crossNic {cross_nic}, nChannels {nchannels}, {:bw|speed} {bw_intra}/{bw_inter}, type "
        "{type_intra:word}/{type_inter:word}, sameChannels {same_channels}",
        "2.6.4", "",
        "Pattern 4, crossNic 0, nChannels 12, bw 30.000000/30.000000, type NVL/PIX, sameChannels 1\nPattern 4, "
        "crossNic 0, nChannels 12, speed 21.000000/21.000000, type NVL/PIX, sameChannels 1"),
    row<GraphSearched>("Pattern {pattern}, crossNic {cross_nic}, nChannels {nchannels}, speed {bw_intra}/{bw_inter}, "
                       "nvlink {:int}, type {type_intra:word}, sameChannels {same_channels}",
                       "2.5.6", "2.5.7",
                       "Pattern 4, crossNic 0, nChannels 6, speed 21/21, nvlink 1, type 1, sameChannels 1"),
    hot_row<GraphChannelPrinted, "{channel} :{path}">("2.5.6", "", " 0 : NET/0-0 GPU/8 GPU/15 NET/0-0"),
};

}  // namespace

const Family topology_family{"topology", topology_rows};

}  // namespace nccl_analyze
