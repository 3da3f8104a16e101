// Tests expectations of hosts: NICs, GPUDirect RDMA, NVLink.

#include "catch.h"
#include "expect/judged_job.h"

namespace nccl_analyze::test {

TEST_CASE("expectations: NICs are judged as far as the log shows them, and are unknown beyond") {
  Model model = job(2, 8);
  CHECK(status_of(model, "nics=4") == unknown);
  for (Host& host : model.hosts)
    for (int i = 0; i < 4; ++i) {
      HostNic& nic = host.nics.emplace_back();
      nic.network = "IB";
      nic.index = i;
    }
  // Connections show only the NICs in use, so the host may have more.
  CHECK(status_of(model, "nics>=4") == pass);
  CHECK(status_of(model, "nics=8") == unknown);
  CHECK(status_of(model, "nics=2") == fail);
  CHECK(status_of(model, "nics<=2") == fail);
  for (Process& process : model.processes) process.ib_devices = "[0]mlx5_0:1/IB";
  CHECK(status_of(model, "nics=4") == pass);
  CHECK(status_of(model, "nics=8|32") == fail);
  CHECK(status_of(model, "nics-used=4") == unknown);
  for (Rank& rank : model.communicators[0].ranks) rank.nics = rank.rank < 8 ? 0xF : 0x7;
  const Check used = check_of(model, "nics-used=4");
  CHECK(used.status == fail);
  CHECK(used.detail == "3 NICs on 1 of 2 hosts (node-1); 4 NICs on 1 of 2 hosts");
  CHECK(check_of(model, "nics-used").detail == "3 of 4 NICs on 1 of 2 hosts (node-1); 4 of 4 NICs on 1 of 2 hosts");
  CHECK(status_of(model, "nics-used>=3") == pass);
  model.communicators[0].ranks[9].connected = 0;  // The rank may not have connected yet.
  CHECK(status_of(model, "nics-used=4") == unknown);
  CHECK(status_of(model, "nics-used") == unknown);
  CHECK(status_of(model, "nic-speed>=400") == unknown);
  for (Host& host : model.hosts)
    for (HostNic& nic : host.nics) nic.speed = 400000;
  CHECK(status_of(model, "nic-speed>=400") == pass);
  model.hosts[1].nics[2].speed = 100000;
  CHECK(check_of(model, "nic-speed>=400").detail ==
        "100 to 400 Gbit/s on 1 of 2 hosts (node-1); 400 Gbit/s on 1 of 2 hosts");
}

TEST_CASE(
    "expectations: GPUDirect RDMA and NVLink fail where one host lacks them, and are unknown where no line shows "
    "them") {
  Model model = job(2, 2);
  CHECK(status_of(model, "gdr") == unknown);
  for (Host& host : model.hosts) host.network_ends = host.gdr_ends = 8;
  CHECK(status_of(model, "gdr") == pass);
  model.hosts[1].gdr_ends = 7;
  CHECK(status_of(model, "gdr") == fail);
  CHECK(status_of(model, "nvlink") == unknown);
  model.hosts[0].nvlink = model.hosts[1].nvlink = Nvlink::switched;
  CHECK(status_of(model, "nvlink") == pass);
  model.communicators[0].transports = {"SHM"};
  ConnectionGroup shm;
  shm.from = 2;
  shm.to = 3;
  shm.channels = 1;
  for (Rank& rank : model.communicators[0].ranks) rank.node = rank.rank / 2;
  model.communicators[0].nodes.resize(2);
  model.communicators[0].connections = ConnectionList({shm});
  CHECK(check_of(model, "nvlink").detail ==
        "NVLink over NVSwitch, SHM between its GPUs on 1 of 2 hosts (node-1); NVLink over NVSwitch on 1 of 2 hosts");
  model.communicators[0].nodes[1].inferred = true;  // Then it is not known which ranks share the node.
  CHECK(status_of(model, "nvlink") == pass);
  model.hosts[0].nvlink = Nvlink::none;
  CHECK(status_of(model, "nvlink") == fail);
}

TEST_CASE("expectations: /read proves NVLink unless NCCL_P2P_READ_ENABLE asked for it") {
  Model model = job(1, 2);
  model.communicators[0].transports = {"P2P/CUMEM"};
  ConnectionGroup read;
  read.from = 0;
  read.to = 1;
  read.channels = 1;
  read.read = true;
  model.communicators[0].connections = ConnectionList({read});
  CHECK(status_of(model, "nvlink") == pass);
  model.processes[1].env["NCCL_P2P_READ_ENABLE"].value = "1";
  CHECK(status_of(model, "nvlink") == unknown);
}

TEST_CASE("expectations: NVLS and channels are unknown until they are counted, and fail where a count is too low") {
  Model model = job(1, 8);
  CHECK(status_of(model, "nvls") == unknown);
  model.communicators[0].nvls_channels = 16;
  CHECK(status_of(model, "nvls") == pass);
  CHECK(status_of(model, "nvlink") == pass);
  model.processes[0].version = "2.20.5";  // This version also prints channels that it does not use.
  CHECK(status_of(model, "nvls") == unknown);
  model.processes[0].version = "2.21.5";
  model.communicators[0].nvls_channels = 0;
  CHECK(status_of(model, "nvls") == fail);
  CHECK(status_of(model, "channels>=16") == unknown);
  model.communicators[0].channel_counts = {{16, line(1)}};
  CHECK(status_of(model, "channels>=16") == pass);
  model.communicators[0].channel_counts = {{2, line(1)}, {16, line(2)}};
  CHECK(status_of(model, "channels>=16") == fail);
}

}  // namespace nccl_analyze::test
