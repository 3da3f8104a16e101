// NCCL's own networks: InfiniBand/RoCE and sockets.

#include "messages/families.h"

namespace nccl_analyze {

namespace {

constexpr Row rows[] = {
    row<IbDevicesAbsent>("NET/IB : No device found.", "2.4.2", "", "NET/IB : No device found."),
    row<IbDevicesListed>("NET/IB : Using{devices}; OOB {interface:word}:{address}", "2.4.2", "",
                         "NET/IB : Using [0]mlx5_0:1/IB [1]mlx5_1:1/RoCE [RO]; OOB eth0:10.0.4.51<0>"),
    row<SocketInterfacesListed>("NET/Socket : Using {interfaces}", "2.4.2", "",
                                "NET/Socket : Using [0]eth0:10.0.4.51<0> [1]eth1:10.0.5.51<0>"),
    row<NicGdrReported>("NET/{network} : GPU Direct RDMA {state:Enabled|Disabled} for HCA {device} '{nic}'", "2.13.4",
                        "", "NET/Socket : GPU Direct RDMA Disabled for HCA 0 'eth0'"),
};

}  // namespace

const Family network_family{"network", rows};

}  // namespace nccl_analyze
