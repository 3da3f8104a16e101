// Hosts, their GPUs and NICs, the topology dump, and NCCL's nodes on small logs.

#include <sstream>
#include <string>
#include <vector>

#include "catch.h"
#include "nccl_analyze/nccl_analyze.h"

namespace nccl_analyze {
namespace {

Model model_of(const std::string& log) {
  ModelBuilder builder;
  Parser parser(SourceId{0}, [&](const Record& record) { builder.add(record); });
  parser.feed(log);
  parser.finish();
  builder.add_source(SourceId{0}, "log", parser.stats());
  return std::move(builder).build();
}

std::string job_text(const Model& model) {
  std::ostringstream out;
  write_text(out, model, {});
  return out.str();
}

bool contains(const std::string& whole, std::string_view part) { return whole.find(part) != std::string::npos; }

/// A line of the process of a rank on a host.
std::string line(const std::string& host, int rank, const std::string& message) {
  const std::string pid = std::to_string(100 + rank);
  return host + ":" + pid + ":" + pid + " [0] NCCL INFO " + message + "\n";
}

struct Placed {
  std::string host;
  int rank, nranks, nnodes, local_ranks, local_rank;
  int mnnvl = 0;
};

std::string hex(int number) {
  std::ostringstream out;
  out << std::hex << number;
  return out.str();
}

/// Bus id 1000, 2000, … by local rank.
std::string identity(const Placed& one) {
  return "ncclCommInitRank comm 0xa" + hex(one.rank) + " rank " + std::to_string(one.rank) + " nranks " +
         std::to_string(one.nranks) + " cudaDev 0 nvmlDev " + std::to_string(one.local_rank) + " busId " +
         hex(0x1000 * (one.local_rank + 1)) + " commId 0x7 - Init ";
}

std::string start(const Placed& one) {
  return line(one.host, one.rank, identity(one) + "START") +
         line(one.host, one.rank,
              "comm 0xa" + hex(one.rank) + " rank " + std::to_string(one.rank) + " nRanks " +
                  std::to_string(one.nranks) + " nNodes " + std::to_string(one.nnodes) + " localRanks " +
                  std::to_string(one.local_ranks) + " localRank " + std::to_string(one.local_rank) + " MNNVL " +
                  std::to_string(one.mnnvl));
}

std::string job(const std::vector<Placed>& ranks, const std::string& last = "") {
  std::string log;
  for (const Placed& one : ranks) log += line(one.host, one.rank, "NCCL version 2.27.3+cuda12.4") + start(one);
  log += last;
  for (const Placed& one : ranks) log += line(one.host, one.rank, identity(one) + "COMPLETE");
  return log;
}

std::string via(const std::string& host, int from, int to, const std::string& words) {
  return line(host, from, "Channel 00/0 : " + std::to_string(from) + "[0] -> " + std::to_string(to) + "[0] " + words);
}

/// The node of each rank; -1 = not told.
std::vector<int> nodes_of(const Model& model) {
  REQUIRE(model.communicators.size() == 1);
  std::vector<int> nodes;
  for (const Rank& rank : model.communicators[0].ranks) nodes.push_back(rank.node);
  return nodes;
}

}  // namespace

TEST_CASE("placement: nodes of ranks dealt round over two hosts") {
  const Model model =
      model_of(job({{"a", 0, 4, 2, 2, 0}, {"b", 1, 4, 2, 2, 0}, {"a", 2, 4, 2, 2, 1}, {"b", 3, 4, 2, 2, 1}}));
  CHECK(nodes_of(model) == std::vector<int>{0, 1, 0, 1});
  REQUIRE(model.communicators[0].nodes.size() == 2);
  CHECK(model.communicators[0].nodes[1].number == 1);
  CHECK(model.communicators[0].nodes[1].local_ranks == 2);
  CHECK_FALSE(model.communicators[0].nodes[1].inferred);
  CHECK(!contains(job_text(model), "NCCL sees"));
}

TEST_CASE("placement: hosts of one name are told apart by the order of local ranks") {
  const Model model =
      model_of(job({{"a", 0, 4, 2, 2, 0}, {"a", 1, 4, 2, 2, 1}, {"a", 2, 4, 2, 2, 0}, {"a", 3, 4, 2, 2, 1}}));
  CHECK(nodes_of(model) == std::vector<int>{0, 0, 1, 1});
  CHECK(contains(job_text(model), "NCCL sees 2 nodes on 1 host"));
}

TEST_CASE("placement: two nodes of one host are told apart by connections, or not at all") {
  const std::vector<Placed> ranks = {
      {"a", 0, 4, 2, 2, 0}, {"a", 1, 4, 2, 2, 0}, {"a", 2, 4, 2, 2, 1}, {"a", 3, 4, 2, 2, 1}};
  CHECK(nodes_of(model_of(job(ranks))) == std::vector<int>{-1, -1, -1, -1});
  const std::string p2p = via("a", 0, 3, "via P2P/CUMEM");
  CHECK(nodes_of(model_of(job(ranks, p2p))) == std::vector<int>{0, 1, 1, 0});
}

TEST_CASE("placement: one rank a node on one host") {
  const Model model = model_of(job({{"a", 0, 2, 2, 1, 0}, {"a", 1, 2, 2, 1, 0}}));
  CHECK(nodes_of(model) == std::vector<int>{0, 1});
  CHECK(contains(job_text(model), "NCCL sees 2 nodes on 1 host: ranks of one host are reached over the network"));
}

TEST_CASE("placement: an NVLink domain spans hosts") {
  const Model model = model_of(
      job({{"a", 0, 4, 2, 2, 0, 1}, {"b", 1, 4, 2, 2, 1, 1}, {"c", 2, 4, 2, 2, 0, 1}, {"d", 3, 4, 2, 2, 1, 1}}));
  CHECK(nodes_of(model) == std::vector<int>{0, 0, 1, 1});
  CHECK(contains(job_text(model), "NCCL sees 2 nodes on 4 hosts: NVLink joins them"));
}

TEST_CASE("placement: with one host's log its node is inferred and has no number") {
  const Model model = model_of(job({{"b", 4, 8, 2, 4, 0}, {"b", 5, 8, 2, 4, 1}, {"b", 7, 8, 2, 4, 3}}));
  CHECK(nodes_of(model) == std::vector<int>{0, 0, 0});
  const Node& node = model.communicators[0].nodes.at(0);
  CHECK(node.number == -1);
  CHECK(node.local_ranks == 4);
  CHECK(node.inferred);
}

TEST_CASE("placement: numbers that contradict each other state no node") {
  CHECK(nodes_of(model_of(job({{"a", 0, 2, 3, 1, 0}, {"b", 1, 2, 3, 1, 0}}))) == std::vector<int>{-1, -1});
  CHECK(nodes_of(model_of(job({{"a", 0, 2, 2, 2, 1}, {"a", 1, 2, 2, 2, 1}}))) == std::vector<int>{-1, -1});
}

TEST_CASE("placement: before nodes are printed connections join ranks of a host") {
  std::string log;
  for (const int rank : {0, 1, 2}) {
    const std::string host = rank < 2 ? "a" : "b";
    log += line(host, rank, "NCCL version 2.18.6+cuda12.1") +
           line(host, rank, identity({host, rank, 3, 0, 0, rank}) + "START");
  }
  log += via("a", 0, 1, "via P2P/IPC") + via("a", 1, 2, "[send] via NET/Socket/0") +
         via("b", 2, 0, "[send] via NET/Socket/0");
  for (const int rank : {0, 1, 2}) {
    const std::string host = rank < 2 ? "a" : "b";
    log += line(host, rank, identity({host, rank, 3, 0, 0, rank}) + "COMPLETE");
  }
  const Model model = model_of(log);
  CHECK(nodes_of(model) == std::vector<int>{0, 0, 1});
  CHECK(model.communicators[0].nodes.at(0).inferred);
  CHECK(model.communicators[0].nodes.at(0).local_ranks == 2);
}

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

/// Two ranks of host a in a job of two hosts; both print the dump, their lines mixed.
std::string job_with_dump(const std::string& more = "") {
  std::string lines;
  for (const int rank : {0, 1}) lines += line("a", rank, ib) + line("a", rank, "Using network IB");
  for (const std::string& one : dump) lines += line("a", 0, one) + line("a", 1, one);
  return job({{"a", 0, 4, 2, 2, 0}, {"a", 1, 4, 2, 2, 1}}, lines + more);
}

}  // namespace

TEST_CASE("placement: a topology dump tells CPUs, PCI switches, NVLink and NICs") {
  const Model model = model_of(job_with_dump());
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

TEST_CASE("placement: a dump with a line missing is not taken") {
  std::string lines;
  for (std::size_t i = 0; i < dump.size(); ++i)
    if (i != 9) lines += line("a", 0, dump[i]);
  const Model torn = model_of(job({{"a", 0, 4, 2, 2, 0}}, lines));
  CHECK(torn.hosts[0].topology_at.line == 0);
  CHECK(torn.hosts[0].cpus == -1);
  CHECK(torn.hosts[0].nvlink == Nvlink::present);
  const Model later = model_of(job({{"a", 0, 4, 2, 2, 0}}, lines) + job_with_dump());
  CHECK(later.hosts[0].cpus == 2);
}

TEST_CASE("placement: connections say which NIC a GPU uses, either way") {
  const std::string reported =
      "NET/IB: [1] mlx5_1:uverbs1:1/IB provider=Mlx5 speed=200000 context=0x7f pciPath=/sys ar=0";
  const Model model =
      model_of(job_with_dump(line("a", 0, "NET/IB : GPU Direct RDMA Enabled for HCA 0 'mlx5_0'") +
                             line("a", 0, reported) + via("a", 0, 2, "[send] via NET/IB/1/GDRDMA") +
                             line("a", 0, "Channel 00/0 : 3[0] -> 0[0] [receive] via NET/IB/0/GDRDMA")));
  const Host& host = model.hosts.at(0);
  CHECK(host.gpus.at(0).nics == std::vector<Index>{0, 1});
  CHECK(host.gpus.at(1).nics.empty());
  CHECK(host.nics.at(0).gdr == 1);
  CHECK(host.nics.at(1).gdr == -1);
  CHECK(host.nics.at(1).speed == 200000);
  CHECK(host.network_ends == 2);
  CHECK(host.gdr_ends == 2);
  CHECK(contains(job_text(model), "1 host with 2 GPUs: direct NVLink, 2 NICs mlx5_0-1 (IB), GPUDirect RDMA on"));
}

TEST_CASE("placement: the NIC of a plugin is known by its number, or by the name that NCCL prints") {
  const std::string network = line("a", 0, "Using network AWS Libfabric");
  const std::string send = via("a", 0, 1, "[send] via NET/AWS Libfabric/2");
  const std::vector<Placed> ranks = {{"a", 0, 2, 2, 1, 0}};
  const Model number = model_of(job(ranks, network + send));
  REQUIRE(number.hosts.at(0).nics.size() == 1);
  CHECK(number.hosts[0].nics[0].index == 2);
  CHECK(number.hosts[0].nics[0].name.empty());
  CHECK(number.hosts[0].gpus.at(0).nics == std::vector<Index>{0});
  CHECK(number.hosts[0].gdr_ends == 0);
  const Model name = model_of(
      job(ranks, network + line("a", 0, "NET/AWS Libfabric : GPU Direct RDMA Enabled for HCA 2 'rdmap3s0'") + send));
  REQUIRE(name.hosts.at(0).nics.size() == 1);
  CHECK(name.hosts[0].nics[0].name == "rdmap3s0");
}

TEST_CASE("placement: pods and hosts of one name are places of their own") {
  const std::string log = "[pod/p0/main] " + start({"a", 0, 2, 2, 1, 0});
  const std::size_t second = log.find('\n') + 1;
  const Model model = model_of(log.substr(0, second) + "[pod/p0/main] " + log.substr(second) + "[pod/p1/main] " +
                               line("a", 1, "NCCL version 2.27.3+cuda12.4"));
  REQUIRE(model.hosts.size() == 2);
  CHECK(model.hosts[0].pod == "p0");
  CHECK(model.hosts[1].pod == "p1");
  CHECK(model.processes[1].place == 1);
}

TEST_CASE("placement: two ranks of a communicator on one GPU are two of its users") {
  std::string log = job({{"a", 0, 2, 1, 2, 0}});
  log +=
      line("a", 1, "ncclCommInitRank comm 0xa1 rank 1 nranks 2 cudaDev 0 nvmlDev 0 busId 1000 commId 0x7 - Init START");
  const Model model = model_of(log);
  REQUIRE(model.hosts.at(0).gpus.size() == 1);
  const std::vector<GpuUse> uses = gpu_uses(model);
  REQUIRE(uses.size() == 2);
  CHECK(uses[0].rank == 0);
  CHECK(uses[1].rank == 1);
  CHECK(uses[1].gpu == 0);
}

}  // namespace nccl_analyze
