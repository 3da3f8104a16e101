// Rows of a communicator's life cycle: start, placement, completion, timings, end.

#include "messages/families.h"
#include "messages/hot_row.h"

namespace nccl_analyze {

namespace {

constexpr Row communicator_rows[] = {
    hot_row<
        CommInitStarted,
        "{([Rank {:int}] )}{({function:word} )}comm {comm} rank {rank} nranks {nranks} cudaDev {cuda_dev}{( nvmlDev "
        "{nvml_dev})} busId {bus_id} commId {comm_id} - Init START",
        0b110>(
        "2.18.3", "",
        "ncclCommInitRankConfig comm 0x562b2c1973d0 rank 0 nranks 4 cudaDev 0 nvmlDev 0 busId 36000 commId "
        "0xbc42413ad5ab3a45 - Init START\n[Rank 0] ncclCommInitRankConfig comm 0x562b2c1973d0 rank 0 nranks 4 cudaDev "
        "0 nvmlDev 0 busId 36000 commId 0xbc42413ad5ab3a45 - Init START\ncomm 0x562b2c1973d0 rank 0 nranks 4 cudaDev 0 "
        "nvmlDev 0 busId 36000 commId 0xbc42413ad5ab3a45 - Init START\ncomm 0x55e8d0a0 rank 0 nranks 8 cudaDev 0 busId "
        "c1000 commId 0x16ea9c1f90de6c2d - Init START"),
    hot_row<CommInitStarted,
            "{([Rank {:int}] )}{function:word} comm {comm} rank {rank} nranks {nranks} cudaDev {cuda_dev} nvmlDev "
            "{nvml_dev} busId {bus_id} parent {parent}{( {:splitCount|childCount} {split_count})} color {color} key "
            "{key}{( commId {comm_id} )}- Init START",
            0b010>(
        "2.21.5", "",
        "ncclCommSplit comm 0x562b2c1973d0 rank 0 nranks 4 cudaDev 0 nvmlDev 0 busId 36000 parent 0x562b2c1973d0 color "
        "7 key 0 commId 0xbc42413ad5ab3a45 - Init START\nncclCommSplit comm 0x562b2c1973d0 rank 0 nranks 4 cudaDev 0 "
        "nvmlDev 0 busId 36000 parent 0x562b2c1973d0 color 7 key 0- Init START\nncclCommSplit comm 0x562b2c1973d0 rank "
        "0 nranks 4 cudaDev 0 nvmlDev 0 busId 36000 parent 0x562b2c1973d0 splitCount 1 color 7 key 0- Init "
        "START\n[Rank 0] ncclCommSplit comm 0x562b2c1973d0 rank 0 nranks 4 cudaDev 0 nvmlDev 0 busId 36000 parent "
        "0x562b2c1973d0 childCount 1 color 7 key 0- Init START\nncclCommSplit comm 0x562b2c1973d0 rank 0 nranks 4 "
        "cudaDev 0 nvmlDev 0 busId 36000 parent 0x562b2c1973d0 childCount 1 color 7 key 0- Init START"),
    row<CommInitStarted>(
        "{function:word} comm {comm} rank {rank} nranks {nranks} cudaDev {cuda_dev} nvmlDev {nvml_dev} busId {bus_id} "
        "commId {comm_id} parent {parent} childCount {split_count} color {color} key {key} - Init START",
        "2.31.2", "",
        "ncclCommSplit comm 0x562b2c1973d0 rank 0 nranks 4 cudaDev 0 nvmlDev 0 busId 36000 commId 0xbc42413ad5ab3a45 "
        "parent 0x562b2c1973d0 childCount 1 color 7 key 0 - Init START"),
    hot_row<
        CommInitCompleted,
        "{({function:word} )}comm {comm} rank {rank} nranks {nranks} cudaDev {cuda_dev}{( nvmlDev {nvml_dev})} busId "
        "{bus_id} commId {comm_id}{( localSize {:int} used {:int} bytes)}{( on core {:int})} - Init COMPLETE",
        0b0011>(
        "2.16.2", "",
        "ncclCommInitRankConfig comm 0x562b2c1973d0 rank 0 nranks 4 cudaDev 0 nvmlDev 0 busId 36000 commId "
        "0xbc42413ad5ab3a45 - Init COMPLETE\ncomm 0x562b2c1973d0 rank 0 nranks 4 cudaDev 0 nvmlDev 0 busId 36000 "
        "commId 0xbc42413ad5ab3a45 - Init COMPLETE\ncomm 0x562b2c1973d0 rank 0 nranks 4 cudaDev 0 busId 36000 commId "
        "0xbc42413ad5ab3a45 - Init COMPLETE\ncomm 0x55e8d0a0 rank 0 nranks 8 cudaDev 0 busId c1000 commId "
        "0x16ea9c1f90de6c2d localSize 464 used 228345024 bytes - Init COMPLETE\ncomm 0x55e8d0a0 rank 0 nranks 8 "
        "cudaDev 0 busId c1000 commId 0x16ea9c1f90de6c2d localSize 464 used 228345024 bytes on core 12 - Init "
        "COMPLETE\nncclCommInitRank comm 0x55e8d0a0 rank 0 nranks 8 cudaDev 0 nvmlDev 0 busId c1000 commId "
        "0x16ea9c1f90de6c2d localSize 464 used 228345024 bytes on core 12 - Init COMPLETE"),
    hot_row<
        CommInitCompleted,
        "{function:word} comm {comm} rank {rank} nranks {nranks} cudaDev {cuda_dev} nvmlDev {nvml_dev} busId {bus_id} "
        "parent {parent}{( {:splitCount|childCount} {split_count})} color {color} key {key}{( commId {comm_id})}{( "
        "localSize {:int} used {:int} bytes on core {:int})} - Init COMPLETE",
        0b001>(
        "2.21.5", "",
        "ncclCommSplit comm 0x562b2c1973d0 rank 0 nranks 4 cudaDev 0 nvmlDev 0 busId 36000 parent 0x562b2c1973d0 color "
        "7 key 0 commId 0xbc42413ad5ab3a45 - Init COMPLETE\nncclCommSplit comm 0x562b2c1973d0 rank 0 nranks 4 cudaDev "
        "0 nvmlDev 0 busId 36000 parent 0x562b2c1973d0 color 7 key 0 - Init COMPLETE\nncclCommSplit comm "
        "0x562b2c1973d0 rank 0 nranks 4 cudaDev 0 nvmlDev 0 busId 36000 parent 0x562b2c1973d0 splitCount 1 color 7 key "
        "0 - Init COMPLETE\nncclCommSplit comm 0x562b2c1973d0 rank 0 nranks 4 cudaDev 0 nvmlDev 0 busId 36000 parent "
        "0x562b2c1973d0 childCount 1 color 7 key 0 - Init COMPLETE\nncclCommSplit comm 0x55e8d0a0 rank 0 nranks 8 "
        "cudaDev 0 nvmlDev 0 busId c1000 parent 0x55e8d000 color 1 key 0 commId 0x16ea9c1f90de6c2d localSize 464 used "
        "228345024 bytes on core 12 - Init COMPLETE"),
    row<CommInitCompleted>(
        "{function:word} comm {comm} rank {rank} nranks {nranks} cudaDev {cuda_dev} nvmlDev {nvml_dev} busId {bus_id} "
        "commId {comm_id} parent {parent} childCount {split_count} color {color} key {key} - Init COMPLETE",
        "2.31.2", "",
        "ncclCommSplit comm 0x562b2c1973d0 rank 0 nranks 4 cudaDev 0 nvmlDev 0 busId 36000 commId 0xbc42413ad5ab3a45 "
        "parent 0x562b2c1973d0 childCount 1 color 7 key 0 - Init COMPLETE"),
    row<CommInitCompleted>("comm {comm} rank {rank} nranks {nranks} cudaDev {cuda_dev}{( nvmlDev {nvml_dev})}{( busId "
                           "{bus_id})}{( localSize {:int})}{( used {:int} bytes)} - Init COMPLETE",
                           "2.4.2", "2.15.5",
                           "comm 0x562b2c1973d0 rank 0 nranks 4 cudaDev 0 busId 36000 - Init COMPLETE\ncomm "
                           "0x562b2c1973d0 rank 0 nranks 4 cudaDev 0 nvmlDev 0 - Init COMPLETE\ncomm 0x55e8d0a0 rank 0 "
                           "nranks 8 cudaDev 0 busId c1000 localSize 464 used 228345024 bytes - Init COMPLETE\ncomm "
                           "0x7f9e80000ef0 rank 1 nranks 2 cudaDev 0 busId c1000 used 27440 bytes - Init COMPLETE"),

    hot_row<CommPlaced,
            "comm {comm} rank {rank} nRanks {nranks} nNodes {nnodes} localRanks {local_ranks} localRank "
            "{local_rank} MNNVL {mnnvl}">(
        "2.20.3", "", "comm 0x562b2c1973d0 rank 0 nRanks 4 nNodes 4 localRanks 1 localRank 0 MNNVL 0"),
    row<CommInitCompleted>("comm {comm} rank {rank} nranks {nranks} - COMPLETE", "", "2.3.7",
                           "comm 0x7f5f26000070 rank 3 nranks 4 - COMPLETE"),
    row<CommPlaced>("comm {comm} rank {rank} nranks {nranks}", "", "2.3.7", "comm 0x7f5f26000070 rank 3 nranks 4"),
    row<CommDestroyed>(
        "comm {comm} rank {rank} nranks {nranks} cudaDev {cuda_dev} busId {bus_id}{( commId {:hex})} - Destroy "
        "COMPLETE",
        "2.12.7", "",
        "comm 0x562b2c1973d0 rank 0 nranks 4 cudaDev 0 busId 36000 - Destroy COMPLETE\ncomm 0x562b2c1973d0 rank 0 "
        "nranks 4 cudaDev 0 busId 36000 commId 0xbc42413ad5ab3a45 - Destroy COMPLETE"),
    row<CommAborted>(
        "comm {comm} rank {rank} nranks {nranks} cudaDev {cuda_dev} busId {bus_id}{( commId {:hex})} - Abort COMPLETE",
        "2.12.7", "",
        "comm 0x562b2c1973d0 rank 0 nranks 4 cudaDev 0 busId 36000 - Abort COMPLETE\ncomm 0x562b2c1973d0 rank 0 nranks "
        "4 cudaDev 0 busId 36000 commId 0xbc42413ad5ab3a45 - Abort COMPLETE"),
    hot_row<InitTimed,
            "Init timings{( - {function:word})}: rank {rank} nranks {nranks} total {total} (kernels {kernels}, {(alloc "
            "{alloc}, )}bootstrap {bootstrap}, allgathers {allgathers}, topo {topo}, graphs {graphs}, connections "
            "{connections}, rest {rest})",
            0b11>(
        "2.22.3", "",
        "Init timings - ncclCommSplit: rank 0 nranks 4 total 0.10 (kernels 0.01, alloc 0.01, bootstrap 0.01, "
        "allgathers 0.01, topo 0.01, graphs 0.01, connections 0.01, rest 0.01)\nInit timings: rank 0 nranks 4 total "
        "0.10 (kernels 0.01, bootstrap 0.01, allgathers 0.01, topo 0.01, graphs 0.01, connections 0.01, rest 0.01)"),

};

}  // namespace

const Family communicator_family{"communicator", communicator_rows};

}  // namespace nccl_analyze
