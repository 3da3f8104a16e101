// Which transport carries a channel between two ranks.

#include "messages/families.h"
#include "messages/hot_row.h"

namespace nccl_analyze {

namespace {

// RCCL ends each of these lines with ` comm 0x… nRanks NN`.
constexpr Row rows[] = {
    hot_row<ChannelConnected,
            "Channel {channel}/{connection} : {from}[{from_dev:word}] -> {to}[{to_dev:word}] via "
            "{transport:P2P/CUMEM|P2P/IPC|P2P/MNNVL|P2P/direct pointer|P2P/common device}{read?/read}"
            "{copy_engine?/CE}">("2.14.3", "", "Channel 00/0 : 3[3] -> 4[0] via P2P/CUMEM/read"),
    row<ChannelConnected>("Channel {channel}/{connection} : {from}[{from_dev:word}] -> {to}[{to_dev:word}] via "
                          "{transport:P2P/CUMEM|P2P/IPC|P2P/MNNVL|P2P/direct pointer|P2P/common device}{read?/read}"
                          "{copy_engine?/CE} comm {comm} nRanks {nranks}",
                          "", "", "Channel 00/0 : 16[17000] -> 18[21000] via P2P/IPC comm 0x5609976f9470 nRanks 32"),
    row<ChannelConnected>("Channel {channel} : {from}[{from_dev:word}] -> {to}[{to_dev:word}] via "
                          "{transport:P2P/CUMEM|P2P/IPC|P2P/MNNVL|P2P/direct pointer|P2P/common device}{read?/read}"
                          "{copy_engine?/CE}",
                          "2.7.3", "2.13.4", "Channel 00 : 3[1b000] -> 4[1c000] via P2P/IPC"),
    row<ChannelConnected>("Ring {channel} : {from}[{from_dev:word}] -> {to}[{to_dev:word}] via "
                          "{transport:P2P/CUMEM|P2P/IPC|P2P/MNNVL|P2P/direct pointer|P2P/common device}",
                          "2.4.2", "2.6.4", "Ring 00 : 3[1b000] -> 4[1c000] via P2P/IPC"),
    row<ChannelConnected>("Ring {channel} : {from} -> {to} via {transport:P2P/common device}", "2.4.2", "2.4.8",
                          "Ring 00 : 3 -> 4 via P2P/common device"),
    row<ChannelConnected>("Channel {channel}/{connection} : {from}[{from_dev:word}] -> {to}[{to_dev:word}] via "
                          "{transport:P2P/indirect}/{proxy_rank}[{:word}]{read?/read}",
                          "2.14.3", "", "Channel 00/1 : 3[3] -> 4[0] via P2P/indirect/1[1]/read"),
    row<ChannelConnected>("Channel {channel}/{connection} : {from}[{from_dev:word}] -> {to}[{to_dev:word}] via "
                          "{transport:P2P/indirect}/{proxy_rank}[{:word}]{read?/read} comm {comm} nRanks {nranks}",
                          "", "",
                          "Channel 00/1 : 3[c1000] -> 4[c6000] via P2P/indirect/1[1a000] comm 0x55d0 nRanks 08"),
    row<ChannelConnected>("Channel {channel} : {from}[{from_dev:word}] -> {to}[{to_dev:word}] via "
                          "{transport:P2P/indirect}/{proxy_rank}[{:word}]{read?/read}",
                          "2.8.3", "2.13.4", "Channel 00 : 3[1b000] -> 4[1c000] via P2P/indirect/1[1a000]"),
    hot_row<ChannelConnected,
            "Channel {channel} : {from}[{from_dev:word}] -> {to}[{to_dev:word}] via "
            "{transport:SHM}/{:word}/{:word}">("2.13.4", "2.30.4", "Channel 00 : 3[3] -> 2[2] via SHM/direct/direct"),
    row<ChannelConnected>("Channel {channel} : {from}[{from_dev:word}] -> {to}[{to_dev:word}] via "
                          "{transport:SHM}/{:word}/{:word} comm {comm} nRanks {nranks}",
                          "", "", "Channel 00 : 3[c1000] -> 2[c6000] via SHM/direct/direct comm 0x55d0 nRanks 08"),
    row<ChannelConnected>(
        "Channel {channel} : {from}[{from_dev:word}] -> {to}[{to_dev:word}] via {transport:SHM}/direct", "2.30.7", "",
        "Channel 00 : 3[3] -> 2[2] via SHM/direct"),
    row<ChannelConnected>("Channel {channel} : {from}[{from_dev:word}] -> {to}[{to_dev:word}] via {transport:direct "
                          "shared memory}",
                          "2.7.3", "2.12.12", "Channel 00 : 3[1b000] -> 2[1c000] via direct shared memory"),
    row<ChannelConnected>("Ring {channel} : {from}[{from_dev:word}] -> {to}[{to_dev:word}] via {transport:direct "
                          "shared memory}",
                          "2.4.2", "2.6.4", "Ring 00 : 11[0] -> 12[0] via direct shared memory"),
    hot_row<ChannelConnected,
            "Channel {channel}/{connection} : {from}[{from_dev:word}] -> {to}[{to_dev:word}] "
            "[{direction:send|receive}] via {transport:NET}/{network}/{device}{proxy_rank?(#)}"
            "{gdrdma?/GDRDMA}{:(PCI)|}{shared?/Shared}">(
        "2.12.7", "", "Channel 00/0 : 0[0] -> 1[0] [send] via NET/Libfabric/0(3)/GDRDMA/Shared"),
    row<ChannelConnected>("Channel {channel}/{connection} : {from}[{from_dev:word}] -> {to}[{to_dev:word}] "
                          "[{direction:send|receive}] via {transport:NET}/{network}/{device}{proxy_rank?(#)}"
                          "{gdrdma?/GDRDMA}{:(PCI)|}{shared?/Shared} comm {comm} nRanks {nranks}",
                          "", "",
                          "Channel 00/0 : 0[c1000] -> 8[c1000] [send] via NET/IB/0(3)/GDRDMA comm 0x55d0 nRanks 16"),
    row<ChannelConnected>("Channel {channel} : {from}[{from_dev:word}] -> {to}[{to_dev:word}] "
                          "[{direction:send|receive}] via {transport:NET}/{network}/{device}{gdrdma?/GDRDMA}"
                          "{shared?/Shared}",
                          "2.7.3", "2.11.4", "Channel 00 : 0[1b000] -> 1[1c000] [receive] via NET/IB/0/GDRDMA"),
    row<ChannelConnected>("Ring {channel} : {from}[{from_dev:word}] -> {to}[{to_dev:word}] "
                          "[{direction:send|receive}] via {transport:NET}/{network}/{device}{gdrdma?/GDRDMA}",
                          "2.5.6", "2.6.4", "Ring 00 : 7[1b000] -> 8[1c000] [receive] via NET/IB/0"),
    row<ChannelConnected>("Ring {channel} : {from} -> {to} [{direction:send|receive}] via {transport:NET}/{network}/"
                          "{device}{gdrdma?/GDRDMA}",
                          "2.4.2", "2.4.8", "Ring 00 : 7 -> 8 [receive] via NET/AWS Libfabric/0"),
    row<ChannelConnected>("CollNet {channel}/{connection} : {from} [{direction:send|receive}] via "
                          "{transport:COLLNET}/{network}/{device}{gdrdma?/GDRDMA}{:(PCI)|}",
                          "2.14.3", "", "CollNet 00/1 : 0 [send] via COLLNET/SHARP/0/GDRDMA"),
    row<ChannelConnected>("CollNet {channel}/{connection} : {from} [{direction:send|receive}] via "
                          "{transport:COLLNET}/{network}/{device}{gdrdma?/GDRDMA}{:(PCI)|} comm {comm} nRanks {nranks}",
                          "", "", "CollNet 00/1 : 0 [send] via COLLNET/SHARP/0/GDRDMA comm 0x55d0 nRanks 16"),
    row<ChannelConnected>("CollNet {channel} : {from} [{direction:send|receive}] via "
                          "{transport:COLLNET}/{network}/{device}{gdrdma?/GDRDMA}",
                          "2.9.6", "2.13.4", "CollNet 00 : 0 [send] via COLLNET/SHARP/0/GDRDMA"),
    row<ChannelConnected>("Coll {channel} : {from} [{direction:send|receive}] via "
                          "{transport:COLLNET}/{network}/{device}{gdrdma?/GDRDMA}",
                          "2.6.4", "2.8.4", "Coll 00 : 0 [receive] via COLLNET/SHARP/0/GDRDMA"),
};

}  // namespace

const Family transport_family{"transport", rows};

}  // namespace nccl_analyze
