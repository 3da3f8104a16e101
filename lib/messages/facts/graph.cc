// Rows of rings, trees and channels.

#include "messages/families.h"
#include "messages/hot_row.h"

namespace nccl_analyze {

namespace {

constexpr Row graph_rows[] = {
    row<RingListed>("Channel {channel}{(/{channels})} :{ranks}", "2.4.2", "",
                    "Channel 00/02 :    0   1   2   3\nChannel 00 :    0   1   2   3"),
    hot_row<RingLinked, "Ring {channel} : {prev} -> {rank} -> {next}{( comm {comm} nRanks {:int} busId {:hex})}">(
        "2.10.3", "", "Ring 00 : 3 -> 0 -> 1\nRing 0 : 7 -> 0 -> 1 comm 0x55e8d0a0 nRanks 08 busId c1000"),
    hot_row<TreesBuilt, "Trees {trees}{( comm {comm} nRanks {nranks} busId {:hex})}">(
        "2.4.2", "",
        "Trees [0] 2/-1/-1->0->-1 [1] -1/-1/-1->0->1\nTrees [0] 1/-1/-1->0->-1 [1] 1/-1/-1->0->-1 comm 0x55e8d0a0 "
        "nRanks 08 busId c1000"),
    row<NvlsTreesLinked>("NVLS Trees : {down0}/{down1}{(/{down2})}->{rank}->{up} "
                         "{second_down0}/{second_down1}{(/{second_down2})}->{:int}->{second_up}",
                         "2.18.1", "",
                         "NVLS Trees : 8/-1/-1->0->-1 -1/-1/-1->0->8\nNVLS Trees : 8/-1->0->-1 -1/-1->0->8"),
    row<RingListed>("Ring {channel} :{ranks}", "", "2.3.7", "Ring 00 :    0   1   2   3"),
    row<TreeLinked>("Tree {channel} : {up} -> {rank} -> {down0}/{down1}/{down2}", "2.8.3", "",
                    "Tree 0 : -1 -> 0 -> 2/-1/-1"),
    row<RingsConnected>(
        "Connected all rings{(, use ring PXN {pxn} GDR {gdr})}{( comm {comm} nRanks {:int} busId {:hex})}", "2.8.3", "",
        "Connected all rings, use ring PXN 0 GDR 1\nConnected all rings\nConnected all rings comm 0x55e8d0a0 nRanks 08 "
        "busId c1000"),
    row<AlgorithmConnected>("Connected {algorithm:all trees|binomial trees|NVLS tree|collnet + chain}{( comm {:hex} "
                            "nRanks {:int} busId {:hex})}",
                            "2.8.3", "",
                            "Connected all trees\nConnected all trees comm 0x7f6400000ef0 nRanks 02 busId c1000"),
    row<AlgorithmConnected>("rank {:int} Connected {algorithm:CollNet}", "2.9.6", "", "rank 0 Connected CollNet"),
    row<CollnetChainsBuilt>("{connected?Connected }Collnet Chains {chains}", "2.14.3", "",
                            "Connected Collnet Chains  [0] 1->0->4 [1] 1->0->4"),
    row<ChannelsCounted>("{coll} coll channels, {({collnet} collnet channels, )}{({nvls} nvls channels, )}{p2p} p2p "
                         "channels, {p2p_per_peer} p2p channels per peer",
                         "2.7.3", "",
                         "24 coll channels, 24 collnet channels, 16 nvls channels, 32 p2p channels, 32 p2p channels "
                         "per peer\n24 coll channels, 16 nvls channels, 32 p2p channels, 32 p2p channels per peer\n24 "
                         "coll channels, 32 p2p channels, 32 p2p channels per peer"),
    row<NvlsHeadListed>("NVLS Head {head}:{ranks}", "2.17.1", "", "NVLS Head  0:  0  8"),
    row<P2pChecked>("Check P2P Type {:isAllDirectP2p|intraNodeP2pSupport} {all_direct} directMode {direct_mode}{( "
                    "isAllCudaP2p {:int})}",
                    "2.24.3", "",
                    "Check P2P Type isAllDirectP2p 1 directMode 0\nCheck P2P Type intraNodeP2pSupport 1 directMode "
                    "0\nCheck P2P Type isAllDirectP2p 1 directMode 0 isAllCudaP2p 1"),
    row<NvlsReported>(
        "NVLS multicast support is {state:available|not available} on dev {device}{( (NVLS_NCHANNELS {channels}))}",
        "2.17.1", "",
        "NVLS multicast support is available on dev 2 (NVLS_NCHANNELS 16)\nNVLS multicast support is not available on "
        "dev 2"),
    row<GraphBroken>("Error : ring {ring} does not contain rank {:int}", "2.4.2", "",
                     "Error : ring 3 does not contain rank 5"),
    row<GraphBroken>("Error : ring {ring} does not loop back to start ({:int} != {:int})", "2.4.2", "",
                     "Error : ring 3 does not loop back to start (2 != 0)"),
    row<GraphBroken>("Internal error : tree already has {:int} children ({:int} {:int} {:int})", "2.8.3", "",
                     "Internal error : tree already has 3 children (4 5 6)"),
    row<GraphBroken>("Internal error : tree already has more than one child ({:int} {:int} {:int})", "2.5.6", "2.7.8",
                     "Internal error : tree already has more than one child (4 5 6)"),
    row<NvlsSetUp>("NVLS comm {comm} headRank {head} nHeads {heads}{( nvlsRanks {:int})} buffSize {:int}{( memSize "
                   "{:int})} nvlsPerRankSize {:int} nvlsTotalSize {:int}",
                   "2.18.1", "",
                   "NVLS comm 0x55e8d0a0 headRank 3 nHeads 8 nvlsRanks 9 buffSize 1048576 nvlsPerRankSize 100663296 "
                   "nvlsTotalSize 805306368\nNVLS comm 0x55e8d0a0 headRank 3 nHeads 8 buffSize 1048576 nvlsPerRankSize "
                   "100663296 nvlsTotalSize 805306368\nNVLS comm 0x55e8d0a0 headRank 3 nHeads 8 buffSize 1048576 "
                   "memSize 2097152 nvlsPerRankSize 100663296 nvlsTotalSize 805306368"),

};

}  // namespace

const Family graph_family{"graph", graph_rows};

}  // namespace nccl_analyze
