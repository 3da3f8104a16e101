// Rows of the transports that connect two ranks: P2P, SHM, NET, COLLNET; and of the buffers registered for them.

#include "messages/families.h"
#include "messages/hot_row.h"

namespace nccl_analyze {

namespace {

// RCCL appends ` comm 0x… nRanks NN` to each of these messages.
constexpr Row transport_rows[] = {
    hot_row<ChannelConnected,
            "Channel {channel}{(/{connection})} : {from}[{from_dev:word}] -> {to}[{to_dev:word}] via "
            "{transport:P2P/CUMEM|P2P/IPC|P2P/MNNVL|P2P/direct pointer|P2P/common "
            "device}{read?/read}{copy_engine?/CE}{( comm {comm} nRanks {nranks})}",
            1>("2.7.3", "",
               "Channel 00/0 : 3[3] -> 4[0] via P2P/CUMEM/read\nChannel 00/0 : 16[17000] -> 18[21000] via P2P/IPC comm "
               "0x5609976f9470 nRanks 32\nChannel 00 : 3[1b000] -> 4[1c000] via P2P/IPC"),
    row<ChannelConnected>("Ring {channel} : {from}{([{from_dev:word}])} -> {to}{([{to_dev:word}])} via "
                          "{transport:P2P/CUMEM|P2P/IPC|P2P/MNNVL|P2P/direct pointer|P2P/common device}",
                          "2.4.2", "2.6.4",
                          "Ring 00 : 3[1b000] -> 4[1c000] via P2P/IPC\nRing 00 : 3 -> 4 via P2P/common device"),
    row<ChannelConnected>(
        "Channel {channel}{(/{connection})} : {from}[{from_dev:word}] -> {to}[{to_dev:word}] via "
        "{transport:P2P/indirect}/{proxy_rank}[{:word}]{read?/read}{( comm {comm} nRanks {nranks})}",
        "2.8.3", "",
        "Channel 00/1 : 3[3] -> 4[0] via P2P/indirect/1[1]/read\nChannel 00/1 : 3[c1000] -> 4[c6000] via "
        "P2P/indirect/1[1a000] comm 0x55d0 nRanks 08\nChannel 00 : 3[1b000] -> 4[1c000] via P2P/indirect/1[1a000]"),
    hot_row<ChannelConnected,
            "Channel {channel} : {from}[{from_dev:word}] -> {to}[{to_dev:word}] via "
            "{transport:SHM}/{:word}{(/{:word})}{( comm {comm} nRanks {nranks})}",
            1>("2.13.4", "",
               "Channel 00 : 3[3] -> 2[2] via SHM/direct/direct\nChannel 00 : 3[c1000] -> 2[c6000] via "
               "SHM/direct/direct comm 0x55d0 nRanks 08\nChannel 00 : 3[3] -> 2[2] via SHM/direct"),
    row<ChannelConnected>("{:Channel|Ring} {channel} : {from}[{from_dev:word}] -> {to}[{to_dev:word}] via "
                          "{transport:direct shared memory}",
                          "2.4.2", "2.12.12",
                          "Channel 00 : 3[1b000] -> 2[1c000] via direct shared memory\nRing 00 : 11[0] -> 12[0] via "
                          "direct shared memory"),
    hot_row<ChannelConnected,
            "Channel {channel}{(/{connection})} : {from}[{from_dev:word}] -> {to}[{to_dev:word}] "
            "[{direction:send|receive}] via "
            "{transport:NET}/{network}/{device}{proxy_rank?(#)}{gdrdma?/GDRDMA}{:(PCI)|}{shared?/Shared}{( comm {comm} "
            "nRanks {nranks})}",
            1>("2.7.3", "",
               "Channel 00/0 : 0[0] -> 1[0] [send] via NET/Libfabric/0(3)/GDRDMA/Shared\nChannel 00/0 : 0[c1000] -> "
               "8[c1000] [send] via NET/IB/0(3)/GDRDMA comm 0x55d0 nRanks 16\nChannel 00 : 0[1b000] -> 1[1c000] "
               "[receive] via NET/IB/0/GDRDMA"),
    row<ChannelConnected>(
        "Ring {channel} : {from}{([{from_dev:word}])} -> {to}{([{to_dev:word}])} [{direction:send|receive}] via "
        "{transport:NET}/{network}/{device}{gdrdma?/GDRDMA}",
        "2.4.2", "2.6.4",
        "Ring 00 : 7[1b000] -> 8[1c000] [receive] via NET/IB/0\nRing 00 : 7 -> 8 [receive] via NET/AWS Libfabric/0"),
    row<ChannelConnected>(
        "{:CollNet|Coll} {channel}{(/{connection})} : {from} [{direction:send|receive}] via "
        "{transport:COLLNET}/{network}/{device}{gdrdma?/GDRDMA}{:(PCI)|}{( comm {comm} nRanks {nranks})}",
        "2.6.4", "",
        "CollNet 00/1 : 0 [send] via COLLNET/SHARP/0/GDRDMA\nCollNet 00/1 : 0 [send] via COLLNET/SHARP/0/GDRDMA comm "
        "0x55d0 nRanks 16\nCollNet 00 : 0 [send] via COLLNET/SHARP/0/GDRDMA\nColl 00 : 0 [receive] via "
        "COLLNET/SHARP/0/GDRDMA"),

    // Buffers of the user that NCCL registers (subsystem REG). Lines about attempts and about other steps are notes.
    row<BufferRegistered>(
        "rank {:int} {:successfully registered|reuse registered|successfully local-registered|reuse local-registered} "
        "{({way:NVLS} )}sendbuff {:hex}, recvbuff {:hex}, sendbuff size {:int}, recvbuff size {:int}, reg sendbuff "
        "{:hex}, reg recvbuff {:hex}",
        "2.19.1", "",
        "rank 0 successfully registered NVLS sendbuff 0x7f5a60000000, recvbuff 0x7f5a62000000, sendbuff size 4096, "
        "recvbuff size 4096, reg sendbuff 0x4a0000000, reg recvbuff 0x4a0200000\nrank 0 reuse local-registered "
        "sendbuff "
        "0x7f5a60000000, recvbuff 0x7f5a62000000, sendbuff size 4096, recvbuff size 4096, reg sendbuff 0x4a0000000, "
        "reg "
        "recvbuff 0x4a0200000"),
    row<BufferRegistered>(
        "rank {:int} successfully graph-registered sendbuff {:hex}, recvbuff {:hex}, sendbuff size {:int} (register "
        "size {:int}, sendGran {:int}), recvbuff size {:int} (register size {:int}, recvGran {:int}), reg sendbuff "
        "{:hex}, reg recvbuff {:hex}",
        "2.19.1", "2.23.4",
        "rank 0 successfully graph-registered sendbuff 0x7f5a60000000, recvbuff 0x7f5a62000000, sendbuff size 4096 "
        "(register size 2097152, sendGran 2097152), recvbuff size 4096 (register size 2097152, recvGran 2097152), reg "
        "sendbuff 0x4a0000000, reg recvbuff 0x4a0200000"),
    row<BufferRegistered>(
        "rank {:int} successfully registered {way:collNet} sendbuff {:hex} (handle {:hex}), sendbuff size {:int}, "
        "recvbuff {:hex} (handle {:hex}), recvbuff size {:int}",
        "2.21.5", "2.23.4",
        "rank 0 successfully registered collNet sendbuff 0x7f5a60000000 (handle 0x55d0c0), sendbuff size 4096, "
        "recvbuff "
        "0x7f5a62000000 (handle 0x55d0d0), recvbuff size 4096"),
    row<BufferRegistered>(
        "rank {:int} - {way:COLLNET|NET} {:register|reuse register} userbuff {:hex} (handle {:hex}), buffSize "
        "{:int}{(, "
        "type {:text})}",
        "2.24.3", "",
        "rank 0 - NET register userbuff 0x7f5a60000000 (handle 0x55d0c0), buffSize 4096\nrank 0 - COLLNET register "
        "userbuff 0x7f5a60000000 (handle 0x55d0c0), buffSize 4096, type Send"),
    row<BufferRegistered>(
        "rank {:int} - {way:IPC} {:registered|register|graph register|local register} buffer {:hex} size {:int} "
        "(baseAddr {:hex} {:size|totalSize} {:int}{( numSegments {:int})}) to peer {:int} regAddr {:hex} offsetOut "
        "{:int}",
        "2.23.4", "",
        "rank 0 - IPC register buffer 0x7f5a60000000 size 4096 (baseAddr 0x7f5a60000000 size 2097152) to peer 1 "
        "regAddr "
        "0x7f5a70000000 offsetOut 0\nrank 0 - IPC register buffer 0x7f5a60000000 size 4096 (baseAddr 0x7f5a60000000 "
        "totalSize 2097152 numSegments 1) to peer 1 regAddr 0x7f5a70000000 offsetOut 0"),
    row<BufferRegistered>(
        "rank {:int} - {way:COLLNET} {refusal:failed to} register userbuff {:hex}, buffSize {:int}, "
        "type {:text}, GDR {gdr}",
        "2.26.2", "", "rank 0 - COLLNET failed to register userbuff 0x7f5a60000000, buffSize 4096, type Send, GDR 0"),
    row<BufferRegistered>(
        "rank {:int} {refusal:failed to} {way:NET} register userbuff {:hex} buffSize {:int} GDR flag {gdr}", "2.24.3",
        "", "rank 0 failed to NET register userbuff 0x7f5a60000000 buffSize 4096 GDR flag 0"),
    row<BufferRegistered>(
        "rank {:int} {refusal:failed to} {way:NVLS} register sendbuff {:hex} sendbuffSize {:int} recvbuff {:hex} "
        "recvbuffSize {:int}",
        "2.24.3", "",
        "rank 0 failed to NVLS register sendbuff 0x7f5a60000000 sendbuffSize 4096 recvbuff 0x7f5a62000000 recvbuffSize "
        "4096"),
    row<BufferRegistered>(
        "rank {:int} {refusal:failed to} {way:IPC} register userbuff {:hex} buffSize {:int} nPeers {:int} isLegacyIpc "
        "{:int} type {:text}",
        "2.26.2", "",
        "rank 0 failed to IPC register userbuff 0x7f5a60000000 buffSize 4096 nPeers 7 isLegacyIpc 0 type Send"),
};

}  // namespace

const Family transport_family{"transport", transport_rows};

}  // namespace nccl_analyze
