// Tests the GPUs and NICs of hosts, from topology dumps and connections.

#include <string>
#include <vector>

#include "catch.h"
#include "model/placed_job.h"

namespace nccl_analyze::test {
namespace {

const std::vector<std::string> dump = {
    "=== System : maxBw 48.0 totalBw 264.0 ===",
    "CPU/0-0 (1/2/-1)",
    "+ PCI[48.0] - PCI/0-f000 (1000c03010de16c1)",
    "              + PCI[48.0] - GPU/0-1000 (0)",
    "                            + NVL[264.0] - GPU/0-2000",
    "              + PCI[48.0] - NIC/0-3000",
    "                            + NET[50.0] - NET/0-0 (0/5c2573f3ff/1/50.000000)",
    "+ SYS[16.0] - CPU/0-1",
    "CPU/0-1 (1/2/-1)",
    "+ PCI[24.0] - GPU/0-2000 (1)",
    "              + NVL[264.0] - GPU/0-1000",
    "+ SYS[16.0] - CPU/0-0",
    "==========================================",
    "GPU/0-1000 :GPU/0-1000 (0/5000.0/LOC) GPU/0-2000 (1/264.0/NVL) CPU/0-0 (2/48.0/PHB) NET/0-0 (3/48.0/PIX) ",
    "GPU/0-2000 :GPU/0-1000 (1/264.0/NVL) GPU/0-2000 (0/5000.0/LOC) CPU/0-0 (2/16.0/SYS) NET/0-0 (5/16.0/SYS) "};

const std::string ib = "NET/IB : Using [0]mlx5_0:1/IB [1]mlx5_1:1/IB [RO]; OOB eth0:10.0.4.51<0>";

/// Returns the log of a job of two hosts. Both ranks of host a print the dump, and their lines are interleaved.
std::string job_with_dump(const std::string& more = "") {
  std::string lines;
  for (const int rank : {0, 1}) lines += rank_line("a", rank, ib) + rank_line("a", rank, "Using network IB");
  for (const std::string& one : dump) lines += rank_line("a", 0, one) + rank_line("a", 1, one);
  return placed_job({{"a", 0, 4, 2, 2, 0}, {"a", 1, 4, 2, 2, 1}}, lines + more);
}

}  // namespace

TEST_CASE("GPU topology: a topology dump tells CPUs, PCI switches, NVLink and NICs") {
  const Model model = placed_model(job_with_dump());
  REQUIRE(model.hosts.size() == 1);
  const Host& host = model.hosts[0];
  CHECK(host.name == "a");
  CHECK(host.cpus == 2);
  CHECK(host.cpu == "x86 AMD");
  CHECK(host.nvlink == Nvlink::direct);
  CHECK(host.worst_path == PathType::nvl);
  REQUIRE(host.gpus.size() == 2);
  CHECK(host.gpus[0].bus_id == 0x1000);
  CHECK(host.gpus[0].cpu == 0);
  CHECK(host.gpus[0].pci_switches == 1);
  CHECK(host.gpus[0].pci_switch == 0xf000);
  CHECK(host.gpus[0].nvlink_bandwidth == 264.0);
  CHECK(host.gpus[0].nic_path == PathType::pix);
  CHECK(host.gpus[1].cpu == 1);
  CHECK(host.gpus[1].nvml_dev == 1);
  CHECK(host.gpus[1].pci_switches == 0);
  CHECK(host.gpus[1].pci_bandwidth == 24.0);
  CHECK(host.gpus[1].nic_path == PathType::sys);
  REQUIRE(host.nics.size() == 2);
  CHECK(host.nics[0].name == "mlx5_0");
  CHECK(host.nics[0].bandwidth == 50.0);
  CHECK(host.nics[0].bus_id == 0x3000);
  CHECK(host.nics[0].pci_switch == 0xf000);
  CHECK(host.nics[1].bandwidth == 0);
}

TEST_CASE("GPU topology: a dump with a line missing is not taken") {
  std::string lines;
  for (std::size_t i = 0; i < dump.size(); ++i)
    if (i != 9) lines += rank_line("a", 0, dump[i]);
  const Model torn = placed_model(placed_job({{"a", 0, 4, 2, 2, 0}}, lines));
  CHECK(torn.hosts[0].topology_at.line == 0);
  CHECK(torn.hosts[0].cpus == -1);
  CHECK(torn.hosts[0].nvlink == Nvlink::present);
  const Model later = placed_model(placed_job({{"a", 0, 4, 2, 2, 0}}, lines) + job_with_dump());
  CHECK(later.hosts[0].cpus == 2);
}

TEST_CASE("GPU topology: connections say which NIC a GPU uses, either way") {
  const std::string reported =
      "NET/IB: [1] mlx5_1:uverbs1:1/IB provider=Mlx5 speed=200000 context=0x7f pciPath=/sys ar=0";
  const Model model =
      placed_model(job_with_dump(rank_line("a", 0, "NET/IB : GPU Direct RDMA Enabled for HCA 0 'mlx5_0'") +
                                 rank_line("a", 0, reported) + rank_via("a", 0, 2, "[send] via NET/IB/1/GDRDMA") +
                                 rank_line("a", 0, "Channel 00/0 : 3[0] -> 0[0] [receive] via NET/IB/0/GDRDMA")));
  const Host& host = model.hosts.at(0);
  CHECK(host.gpus.at(0).nics == std::vector<Index>{0, 1});
  CHECK(host.gpus.at(1).nics.empty());
  CHECK(host.nics.at(0).gdr == 1);
  CHECK(host.nics.at(1).gdr == -1);
  CHECK(host.nics.at(1).speed == 200000);
  CHECK(host.network_ends == 2);
  CHECK(host.gdr_ends == 2);
  CHECK(has(job_text(model), "1 host with 2 GPUs known: direct NVLink, 2 NICs mlx5_0-1 (IB)\n"));
  CHECK(has(job_text(model), "GPUDirect RDMA: GPU 0 \u2194 mlx5_1 (send"));
}

TEST_CASE("GPU topology: the NIC of a plugin is known by its number, or by the name that NCCL prints") {
  const std::string network = rank_line("a", 0, "Using network AWS Libfabric");
  const std::string send = rank_via("a", 0, 1, "[send] via NET/AWS Libfabric/2");
  const std::vector<Placed> ranks = {{"a", 0, 2, 2, 1, 0}};
  const Model number = placed_model(placed_job(ranks, network + send));
  REQUIRE(number.hosts.at(0).nics.size() == 1);
  CHECK(number.hosts[0].nics[0].index == 2);
  CHECK(number.hosts[0].nics[0].name.empty());
  CHECK(number.hosts[0].gpus.at(0).nics == std::vector<Index>{0});
  CHECK(number.hosts[0].gdr_ends == 0);
  const Model name = placed_model(placed_job(
      ranks, network + rank_line("a", 0, "NET/AWS Libfabric : GPU Direct RDMA Enabled for HCA 2 'rdmap3s0'") + send));
  REQUIRE(name.hosts.at(0).nics.size() == 1);
  CHECK(name.hosts[0].nics[0].name == "rdmap3s0");
}

TEST_CASE("GPU topology: pods and hosts of one name are places of their own") {
  const std::string log = "[pod/p0/main] " + placed_start({"a", 0, 2, 2, 1, 0});
  const std::size_t second = log.find('\n') + 1;
  const Model model = placed_model(log.substr(0, second) + "[pod/p0/main] " + log.substr(second) + "[pod/p1/main] " +
                                   rank_line("a", 1, "NCCL version 2.27.3+cuda12.4"));
  REQUIRE(model.hosts.size() == 2);
  CHECK(model.hosts[0].pod == "p0");
  CHECK(model.hosts[1].pod == "p1");
  CHECK(model.processes[1].host_index == 1);
}

TEST_CASE("GPU topology: two ranks of a communicator on one GPU are two of its users") {
  std::string log = placed_job({{"a", 0, 2, 1, 2, 0}});
  log += rank_line("a", 1,
                   "ncclCommInitRank comm 0xa1 rank 1 nranks 2 cudaDev 0 nvmlDev 0 busId 1000 commId 0x7 - Init START");
  const Model model = placed_model(log);
  REQUIRE(model.hosts.at(0).gpus.size() == 1);
  const std::vector<GpuUse> uses = gpu_uses(model);
  REQUIRE(uses.size() == 2);
  CHECK(uses[0].rank == 0);
  CHECK(uses[1].rank == 1);
  CHECK(uses[1].gpu == 0);
}

}  // namespace nccl_analyze::test
