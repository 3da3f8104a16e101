// Rows of the NICs and interfaces that NCCL finds, and of GPUDirect RDMA between them and the GPUs.

#include "messages/families.h"

namespace nccl_analyze {

namespace {

constexpr Row network_rows[] = {
    row<IbDevicesAbsent>("NET/IB : No device found.", "2.4.2", "", "NET/IB : No device found."),
    row<IbDevicesListed>("NET/IB : Using{devices}; OOB {interface:word}:{address}", "2.4.2", "",
                         "NET/IB : Using [0]mlx5_0:1/IB [1]mlx5_1:1/RoCE [RO]; OOB eth0:10.0.4.51<0>"),
    row<SocketInterfacesListed>("NET/Socket : Using {interfaces}", "2.4.2", "",
                                "NET/Socket : Using [0]eth0:10.0.4.51<0> [1]eth1:10.0.5.51<0>"),
    row<SocketInterfacesListed>("NET/FastSocket : Using {interfaces}", "", "",
                                "NET/FastSocket : Using [0]eth0:10.0.4.51<0> [1]eth1:10.0.5.51<0>"),
    row<NicGdrReported>("NET/{network} : GPU Direct RDMA {state:Enabled|Disabled} for HCA {device} '{nic}'", "2.13.4",
                        "", "NET/Socket : GPU Direct RDMA Disabled for HCA 0 'eth0'"),
    row<NicGdrReported>("NET/{network:IB} : GPU Direct RDMA {state:Disabled} for HCA {device} '{nic}' ({reason})",
                        "2.5.6", "2.12.12", "NET/IB : GPU Direct RDMA Disabled for HCA 0 'mlx5_0' (no module)"),
    row<NicGdrReported>(
        "NET/{network:IB} : GPU Direct RDMA {state:Disabled} for GPU {:word} / HCA {device} '{nic}' ({reason})",
        "2.4.2", "2.4.8",
        "NET/IB : GPU Direct RDMA Disabled for GPU 0[0] / HCA 0 'mlx5_0' (no module or not supported by GPU)"),
    row<NicGdrReported>("NET/{network:IB} : GPU Direct RDMA ({reason}) {state:enabled} for HCA {device} '{nic:word}",
                        "", "", "NET/IB : GPU Direct RDMA (nvidia-peermem) enabled for HCA 0 'mlx5_0"),
    row<NicGdrReported>("GDRDMA {state:not enabled}. {reason}", "", "",
                        "GDRDMA not enabled. Could not find memory_peers directory or peer_memory symbol"),
    row<GdrDecided>("NET/{:text} : GPU Direct RDMA {state:Disabled} for GPU {gpu:word} / HCA {nic:word} (distance "
                    "{distance} >= {limit})",
                    "2.4.2", "2.5.7", "NET/IB : GPU Direct RDMA Disabled for GPU 1b000 / HCA 0 (distance 4 >= 3)"),
    row<GdrDecided>("NET/{:text} : GPU Direct RDMA {state:Enabled} for GPU {gpu:word} / HCA {nic:word} (distance "
                    "{distance} < {limit}), read {read}",
                    "2.4.2", "2.5.7",
                    "NET/IB : GPU Direct RDMA Enabled for GPU 1b000 / HCA 0 (distance 1 < 3), read 1"),
    row<GdrDecided>(
        "GPU Direct RDMA {state:Disabled} for GPU {gpu:word} / HCA {nic:word} (distance {distance} > {limit})", "2.6.4",
        "2.28.9", "GPU Direct RDMA Disabled for GPU 1b000 / HCA 1 (distance 7 > 4)"),
    row<GdrDecided>("GPU Direct RDMA {state:Enabled} for GPU {gpu:word} / HCA {nic:word} (distance {distance} <= "
                    "{limit}), read {read}{( mode {mode:word})}",
                    "2.6.4", "2.28.9",
                    "GPU Direct RDMA Enabled for GPU 1b000 / HCA 0 (distance 4 <= 4), read 1\nGPU Direct RDMA Enabled "
                    "for GPU 0 / HCA 0 (distance 4 <= 4), read 1 mode Default"),
    row<GdrDecided>("GPU Direct RDMA {state:Disabled} for {gpu} - {nic:word} (distance {distance} > {limit})", "2.29.2",
                    "2.29.7", "GPU Direct RDMA Disabled for GPU/0-1b000 (0) - NET/0-1 (distance 7 > 4)"),
    row<GdrDecided>("GPU Direct RDMA {state:Enabled} for {gpu} - {nic:word} (distance {distance} <= {limit}, read "
                    "{read}, mode {mode:word})",
                    "2.29.2", "2.29.7",
                    "GPU Direct RDMA Enabled for GPU/0-1b000 (0) - NET/0-0 (distance 4 <= 4, read 1, mode Default)"),
    row<GdrDecided>("GPU Direct RDMA {state:Disabled} for {gpu:text}", "2.29.2", "2.29.7",
                    "GPU Direct RDMA Disabled for GPU/0-1b000"),
    row<GdrDecided>("GPU Direct RDMA {state:Enabled} for {gpu:text}", "2.29.2", "2.29.7",
                    "GPU Direct RDMA Enabled for GPU/0-1b000"),
    row<NicReported>(
        "NET/IB: [{index}] {device:word}:{:word}:{port}/{link:word} provider={provider} speed={speed} context={:hex} "
        "pciPath={:text} ar={:int}{( oooRqSize={:int})}",
        "2.27.3", "",
        "NET/IB: [0] mlx5_0:uverbs0:1/IB provider=Mlx5 speed=400000 context=0x7f1e "
        "pciPath=/sys/devices/pci0000:15/0000:15:01.0/0000:18:00.0 ar=1\nNET/IB: [0] mlx5_0:uverbs0:1/IB provider=Mlx5 "
        "speed=400000 context=0x7f1e pciPath=/sys/devices/pci0000:15/0000:15:01.0/0000:18:00.0 ar=1 oooRqSize=0"),
    row<VirtualNicMade>("NET/IB : Made virtual device [{index}] name={device:word} speed={speed} ndevs={ports}{( "
                        "rail={rail} plane={plane})}",
                        "2.24.3", "",
                        "NET/IB : Made virtual device [8] name=mlx5_0+mlx5_1 speed=800000 ndevs=2\nNET/IB : Made "
                        "virtual device [8] name=mlx5_0+mlx5_1 speed=800000 ndevs=2 rail=0 plane=1"),
    row<NicCountsMismatched>(
        "Detected mixed local {:Net|CollNet} device counts across ranks (min {min}, max {max}). {:text}", "2.30.3", "",
        "Detected mixed local Net device counts across ranks (min 1, max 2). Set NCCL_IGNORE_NET_MISMATCH=1 to "
        "continue."),
};

}  // namespace

const Family network_family{"network", network_rows};

}  // namespace nccl_analyze
