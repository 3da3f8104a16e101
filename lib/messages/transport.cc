// Which transport carries a channel between two ranks.

#include "messages/families.h"

namespace nccl_analyze {

namespace {

constexpr Row rows[] = {
    row<ChannelConnected>("Channel {channel}/{connection} : {from}[{from_dev:word}] -> {to}[{to_dev:word}] via "
                          "{transport:P2P/CUMEM|P2P/IPC|P2P/MNNVL|P2P/direct pointer}{read?/read}{copy_engine?/CE}",
                          "2.14.3", "", "Channel 00/0 : 3[3] -> 4[0] via P2P/CUMEM/read"),
    row<ChannelConnected>("Channel {channel} : {from}[{from_dev:word}] -> {to}[{to_dev:word}] via "
                          "{transport:P2P/CUMEM|P2P/IPC|P2P/MNNVL|P2P/direct pointer|P2P/common device}{read?/read}"
                          "{copy_engine?/CE}",
                          "2.7.3", "2.14.3", "Channel 00 : 3[1b000] -> 4[1c000] via P2P/IPC"),
    row<ChannelConnected>("Channel {channel}/{connection} : {from}[{from_dev:word}] -> {to}[{to_dev:word}] via "
                          "{transport:P2P/indirect}/{proxy_rank}[{:word}]{read?/read}",
                          "2.14.3", "", "Channel 00/1 : 3[3] -> 4[0] via P2P/indirect/1[1]/read"),
    row<ChannelConnected>("Channel {channel} : {from}[{from_dev:word}] -> {to}[{to_dev:word}] via "
                          "{transport:SHM}/{:word}/{:word}",
                          "2.13.4", "2.30.4", "Channel 00 : 3[3] -> 2[2] via SHM/direct/direct"),
    row<ChannelConnected>(
        "Channel {channel} : {from}[{from_dev:word}] -> {to}[{to_dev:word}] via {transport:SHM}/direct", "2.30.7", "",
        "Channel 00 : 3[3] -> 2[2] via SHM/direct"),
    row<ChannelConnected>("Channel {channel} : {from}[{from_dev:word}] -> {to}[{to_dev:word}] via {transport:direct "
                          "shared memory}",
                          "2.7.3", "2.12.12", "Channel 00 : 3[1b000] -> 2[1c000] via direct shared memory"),
    row<ChannelConnected>("Channel {channel}/{connection} : {from}[{from_dev:word}] -> {to}[{to_dev:word}] "
                          "[{direction:send|receive}] via {transport:NET}/{network}/{device}{proxy_rank?(#)}"
                          "{gdrdma?/GDRDMA}{:(PCI)|}{shared?/Shared}",
                          "2.12.7", "", "Channel 00/0 : 0[0] -> 1[0] [send] via NET/Libfabric/0(3)/GDRDMA/Shared"),
    row<ChannelConnected>("Channel {channel} : {from}[{from_dev:word}] -> {to}[{to_dev:word}] "
                          "[{direction:send|receive}] via {transport:NET}/{network}/{device}{gdrdma?/GDRDMA}"
                          "{shared?/Shared}",
                          "2.7.3", "2.11.4", "Channel 00 : 0[1b000] -> 1[1c000] [receive] via NET/IB/0/GDRDMA"),
    row<ChannelConnected>("CollNet {channel}/{connection} : {from} [{direction:send|receive}] via "
                          "{transport:COLLNET}/{network}/{device}{gdrdma?/GDRDMA}{:(PCI)|}",
                          "2.9.6", "", "CollNet 00/1 : 0 [send] via COLLNET/SHARP/0/GDRDMA"),
};

}  // namespace

const Family transport_family{"transport", rows};

}  // namespace nccl_analyze
