// The model on small logs: identity, attribution, rings, limits.

#include <string>
#include <utility>

#include "catch.h"
#include "nccl_analyze/nccl_analyze.h"

namespace nccl_analyze {
namespace {

Model model_of(const std::string& log, ModelLimits limits = {}) {
  ModelBuilder builder(limits);
  Parser parser(SourceId{0}, [&](const Record& record) { builder.add(record); });
  parser.feed(log);
  parser.finish();
  builder.add_source(SourceId{0}, "log", parser.stats());
  return std::move(builder).build();
}

/// A line of process `pid` on host h.
std::string line(int pid, int tid, const std::string& message) {
  return "h:" + std::to_string(pid) + ":" + std::to_string(tid) + " [0] NCCL INFO " + message + "\n";
}

std::string init(const std::string& comm, int rank, int nranks, const std::string& identity, const char* phase) {
  const std::string gap = identity.starts_with("parent") && std::string(phase) == "START" ? "-" : " -";
  return "ncclCommInitRankConfig comm " + comm + " rank " + std::to_string(rank) + " nranks " + std::to_string(nranks) +
         " cudaDev 0 nvmlDev " + std::to_string(rank) + " busId 1000 " + identity + gap + " Init " + phase;
}

std::string start(int pid, int tid, const std::string& comm, int rank, int nranks, const std::string& identity,
                  const std::string& between = "") {
  return line(pid, tid, init(comm, rank, nranks, identity, "START")) + between +
         line(pid, tid, init(comm, rank, nranks, identity, "COMPLETE"));
}

std::string via(int from, int to, int channel = 0) {
  return "Channel 0" + std::to_string(channel) + "/0 : " + std::to_string(from) + "[" + std::to_string(from) + "] -> " +
         std::to_string(to) + "[" + std::to_string(to) + "] via P2P/CUMEM";
}

const std::string versions = line(1, 1, "NCCL version 2.27.3+cuda12.4") + line(2, 2, "NCCL version 2.27.3+cuda12.4");

}  // namespace

TEST_CASE("model: ranks with one commId are one communicator") {
  const Model model = model_of(start(1, 10, "0xa", 0, 2, "commId 0x7") + start(2, 20, "0xb", 1, 2, "commId 0x7") +
                               start(1, 11, "0xc", 0, 2, "commId 0x8"));
  REQUIRE(model.communicators.size() == 2);
  CHECK(model.communicators[0].ranks.size() == 2);
  CHECK(model.communicators[0].ranks[1].state == RankState::complete);
  CHECK(model.communicators[1].ranks.size() == 1);
  CHECK(model.communicators[1].comm_id == 8);
}

namespace {

/// What a rank prints before 2.16.2: no start, no id.
std::string built(const std::string& host, int pid, int tid, int rank, int nranks, const std::string& bus,
                  const std::string& graph) {
  const std::string head = host + ":" + std::to_string(pid) + ":" + std::to_string(tid) + " [0] NCCL INFO ";
  std::string log = head + "Using network Socket\n";
  std::size_t from = 0;
  for (std::size_t end = graph.find('\n'); end != std::string::npos; from = end + 1, end = graph.find('\n', from))
    log += head + graph.substr(from, end - from) + "\n";
  return log + head + "comm 0x" + std::to_string(pid) + std::to_string(tid) + " rank " + std::to_string(rank) +
         " nranks " + std::to_string(nranks) + " cudaDev 0 busId " + bus + " - Init COMPLETE\n";
}

const std::string old_version = "a:1:1 [0] NCCL INFO NCCL version 2.14.3+cuda11.8\n";

}  // namespace

TEST_CASE("model: without start and id, ranks join by what they say of each other") {
  SECTION("one communicator on two hosts") {
    const Model model = model_of(
        old_version +
        built("a", 1, 10, 0, 2, "1000",
              "Channel 00/01 :    0   1\nTrees [0] 1/-1/-1->0->-1\nChannel 00/0 : 0[1000] -> 1[1000] [send] via "
              "NET/Socket/0\n1 coll channels, 2 p2p channels, 2 p2p channels per peer\n") +
        built("b", 1, 10, 1, 2, "1000",
              "Trees [0] -1/-1/-1->1->0\nChannel 00/0 : 0[1000] -> 1[1000] [receive] via NET/Socket/0\n"));
    REQUIRE(model.communicators.size() == 1);
    const Communicator& comm = model.communicators[0];
    CHECK_FALSE(comm.inferred);
    CHECK(comm.ranks.size() == 2);
    CHECK(comm.channels == 1);
    REQUIRE(comm.rings.size() == 1);
    CHECK(comm.rings[0].complete);
    REQUIRE(comm.trees.size() == 1);
    CHECK(comm.trees[0].links == std::vector<std::pair<int, int>>{{0, 1}});
    REQUIRE(comm.connections.size() == 1);
    CHECK(comm.connections.begin()->seen_send);
    CHECK(comm.connections.begin()->seen_receive);
  }
  SECTION("two alike, each in its host") {
    std::string log = old_version;
    for (const char* const host : {"a", "b"})
      for (int rank = 0; rank < 2; ++rank)
        log += built(host, rank + 1, 10, rank, 2, rank == 0 ? "1000" : "2000",
                     rank == 0 ? "Trees [0] 1/-1/-1->0->-1\nChannel 00/0 : 0[1000] -> 1[2000] via P2P/IPC\n"
                               : "Trees [0] -1/-1/-1->1->0\nChannel 00/0 : 1[2000] -> 0[1000] via P2P/IPC\n");
    const Model model = model_of(log);
    REQUIRE(model.communicators.size() == 2);
    for (const Communicator& comm : model.communicators) {
      REQUIRE(comm.ranks.size() == 2);
      const auto host = [&](std::size_t i) {
        return model.processes[static_cast<std::size_t>(comm.ranks[i].process)].host;
      };
      CHECK(host(0) == host(1));
    }
  }
  SECTION("two alike that nothing tells apart stay apart") {
    std::string log = old_version;
    for (int pid = 1; pid <= 4; ++pid)
      log += built("a", pid, 10, (pid - 1) % 2, 2, "1000",
                   "Trees [0] -1/-1/-1->" + std::to_string((pid - 1) % 2) + "->" + (pid % 2 == 1 ? "-1" : "0") + "\n");
    CHECK(model_of(log).communicators.size() == 4);
  }
  SECTION("one after the other in the same processes") {
    // Lines of the two ranks take turns, as they do: none is done before both have begun.
    std::string log = old_version;
    for (int tid = 10; tid < 12; ++tid) {
      std::string ends;
      for (int rank = 0; rank < 2; ++rank) {
        const std::string lines = built("a", rank + 1, tid, rank, 2, rank == 0 ? "1000" : "2000",
                                        rank == 0 ? "Trees [0] 1/-1/-1->0->-1\n" : "Trees [0] -1/-1/-1->1->0\n");
        const std::size_t end = lines.rfind('\n', lines.size() - 2) + 1;
        log += lines.substr(0, end);
        ends += lines.substr(end);
      }
      log += ends;
    }
    const Model model = model_of(log);
    REQUIRE(model.communicators.size() == 2);
    CHECK(model.communicators[0].ranks.size() == 2);
    CHECK(model.communicators[1].ranks.size() == 2);
  }
}

TEST_CASE("model: a build that does not know its CUDA prints the macro's name, which is no version") {
  const std::string message = "NCCL version 2.8.3+cudaCUDA_MAJOR.CUDA_MINOR\n";
  for (const std::string& prefix : {std::string("a:1:1 [0] NCCL INFO "), std::string()}) {
    const Model model = model_of(prefix + message + line(1, 1, "Using network Socket"));
    REQUIRE(!model.processes.empty());
    CHECK(model.processes[0].toolkit.empty());
  }
  const Model model = model_of(old_version);
  REQUIRE(model.processes.size() == 1);
  CHECK(model.processes[0].version == "2.14.3");
  CHECK(model.processes[0].toolkit == "11.8");
}

TEST_CASE("model: a log without its head joins by the ids at its end") {
  std::string log;
  for (int pid = 1; pid <= 2; ++pid) {
    const std::string pointer = pid == 1 ? "0xa" : "0xb";
    log += line(pid, 10, pid == 1 ? "Trees [0] 1/-1/-1->0->-1" : "Trees [0] -1/-1/-1->1->0");
    log += line(pid, 10, init(pointer, pid - 1, 2, "commId 0x7", "COMPLETE"));
    log += start(pid, 11, pid == 1 ? "0xc" : "0xd", pid - 1, 2, "parent " + pointer + " splitCount 1 color 5 key 0");
  }
  const Model model = model_of(log);
  REQUIRE(model.communicators.size() == 2);
  CHECK(model.communicators[0].ranks.size() == 2);
  CHECK(model.communicators[0].trees.at(0).links == std::vector<std::pair<int, int>>{{0, 1}});
  CHECK(model.communicators[1].ranks.size() == 2);
  CHECK(model.communicators[1].parent == 0);
}

TEST_CASE("model: a color that was printed unsigned stays as printed") {
  std::string log;
  for (int pid = 1; pid <= 2; ++pid)
    log += line(pid, 10, init(pid == 1 ? "0xa" : "0xb", pid - 1, 2, "commId 0x7", "START"));
  log += start(1, 11, "0xc", 0, 1, "parent 0xa splitCount 1 color 3668339987 key 0");
  log += start(2, 11, "0xd", 0, 1, "parent 0xb splitCount 1 color -626627309 key 0");
  const Model model = model_of(log);
  REQUIRE(model.communicators.size() == 3);
  CHECK(model.communicators[1].color == 3668339987);
  CHECK(model.communicators[2].color == -626627309);
}

TEST_CASE("model: a log cut into two files is one process's life") {
  const std::string first = line(1, 10, init("0xa", 0, 2, "commId 0x7", "START"));
  const std::string second = line(1, 10, init("0xa", 0, 2, "commId 0x7", "COMPLETE")) +
                             start(1, 11, "0xc", 0, 1, "parent 0xa splitCount 1 color 5 key 0");
  ModelBuilder builder;
  for (std::uint32_t i = 0; i < 2; ++i) {
    Parser parser(SourceId{i}, [&](const Record& record) { builder.add(record); });
    parser.feed(i == 0 ? first : second);
    parser.finish();
  }
  const Model model = std::move(builder).build();
  REQUIRE(model.communicators.size() == 2);
  REQUIRE(model.communicators[0].ranks.size() == 1);
  CHECK(model.communicators[0].ranks[0].state == RankState::complete);
  CHECK(model.communicators[1].parent == 0);
}

TEST_CASE("model: children join by parent, count and colour") {
  std::string log = start(1, 10, "0xa", 0, 2, "commId 0x7") + start(2, 20, "0xb", 1, 2, "commId 0x7");
  log += start(1, 11, "0xc", 0, 2, "parent 0xa splitCount 1 color 5 key 0");
  log += start(2, 21, "0xd", 1, 2, "parent 0xb splitCount 1 color 5 key 1");
  log += start(2, 22, "0xe", 0, 1, "parent 0xb splitCount 2 color 5 key 1");
  const Model model = model_of(log);
  REQUIRE(model.communicators.size() == 3);
  CHECK(model.communicators[1].parent == 0);
  CHECK(model.communicators[1].ranks.size() == 2);
  CHECK(model.communicators[2].nranks == 1);
}

TEST_CASE("model: a pointer used again is another communicator") {
  const std::string first = start(1, 10, "0xa", 0, 1, "commId 0x7");
  const std::string end = line(1, 1, "comm 0xa rank 0 nranks 1 cudaDev 0 busId 1000 - Destroy COMPLETE");
  const Model model = model_of(first + end + start(1, 11, "0xa", 0, 1, "commId 0x9"));
  REQUIRE(model.communicators.size() == 2);
  CHECK(model.communicators[0].ranks[0].state == RankState::destroyed);
  CHECK(model.communicators[1].ranks[0].state == RankState::complete);
}

TEST_CASE("model: connections of a thread of its own go to the only communicator they fit") {
  const std::string world = start(1, 10, "0xa", 0, 4, "commId 0x7");
  const std::string pair = start(1, 11, "0xc", 1, 2, "commId 0x8");
  const Model model = model_of(versions + world + pair + line(1, 50, via(0, 3)) + line(1, 51, via(1, 0)));
  REQUIRE(model.communicators.size() == 2);
  REQUIRE(model.communicators[0].connections.size() == 1);
  CHECK(model.communicators[0].connections.begin()->to == 3);
  REQUIRE(model.communicators[1].connections.size() == 1);
  CHECK(model.ambiguities.empty());
}

TEST_CASE("model: what fits two communicators is given to neither") {
  const std::string twins = start(1, 10, "0xa", 0, 2, "commId 0x7") + start(1, 11, "0xc", 0, 2, "commId 0x8");
  const std::string ring = line(1, 50, via(0, 1)) + line(1, 50, "Connected all rings, use ring PXN 0 GDR 1");
  SECTION("one batch") {
    const Model model = model_of(versions + twins + ring);
    CHECK(model.communicators[0].connections.empty());
    CHECK(model.communicators[1].connections.empty());
    REQUIRE(model.ambiguities.size() == 1);
    CHECK(model.ambiguities[0].candidates == std::vector<Index>{0, 1});
    CHECK(model.ambiguities[0].lines == 1);
  }
  SECTION("two equal batches: each has one, and it makes no difference which") {
    const Model model = model_of(versions + twins + ring + line(1, 51, via(0, 1)) +
                                 line(1, 51, "Connected all rings, use ring PXN 0 GDR 1"));
    CHECK(model.communicators[0].connections.size() == 1);
    CHECK(model.communicators[1].connections.size() == 1);
    CHECK(model.ambiguities.empty());
  }
}

TEST_CASE("model: where one rank connected an algorithm, all did") {
  // The log of process 3 ends early, so that whether the second communicator connected is open.
  const std::string twins = start(1, 10, "0xa", 0, 2, "commId 0x7") + start(2, 20, "0xb", 1, 2, "commId 0x7") +
                            start(1, 11, "0xc", 0, 2, "commId 0x8") + start(3, 30, "0xd", 1, 2, "commId 0x8");
  const auto ring = [](int pid, int tid, int from, int to) {
    return line(pid, tid, via(from, to)) + line(pid, tid, "Connected all rings, use ring PXN 0 GDR 1");
  };
  const std::string others = ring(2, 60, 1, 0), own = ring(1, 50, 0, 1);
  const Model settled = model_of(versions + twins + others + own);
  CHECK(settled.ambiguities.empty());
  CHECK(settled.communicators[0].connections.size() == 2);
  CHECK(settled.communicators[1].connections.empty());
  // The own log ends before the other rank connected: this batch may be the second communicator's.
  const Model open = model_of(versions + twins + own + others);
  CHECK(open.ambiguities.size() == 1);
}

TEST_CASE("model: without any communicator the connections make an inferred one") {
  const Model model = model_of(line(1, 50, via(0, 1)) + line(2, 60, via(1, 0)));
  REQUIRE(model.communicators.size() == 1);
  CHECK(model.communicators[0].inferred);
  CHECK(model.communicators[0].nranks == -1);
  CHECK(model.communicators[0].ranks.size() == 2);
  CHECK(model.communicators[0].connections.size() == 2);
}

TEST_CASE("model: rings from lists, links and connections") {
  const auto world = [](int pid, const std::string& between) {
    return start(pid, pid * 10, "0xa" + std::to_string(pid), pid - 1, 3, "commId 0x7", between);
  };
  SECTION("a list") {
    const Model model = model_of(world(1, line(1, 10, "Channel 00/01 : 0 2 1")));
    REQUIRE(model.communicators[0].rings.size() == 1);
    CHECK(model.communicators[0].rings[0].order == std::vector<int>{0, 2, 1});
    CHECK(model.communicators[0].rings[0].complete);
    CHECK_FALSE(model.communicators[0].rings[0].inferred);
  }
  SECTION("a list that NCCL cut") {
    const Model model = model_of(world(1, line(1, 10, "Channel 00/01 : 0 2...")));
    CHECK_FALSE((!model.communicators[0].rings.empty() && model.communicators[0].rings[0].complete));
  }
  SECTION("two links close a ring of three") {
    const Model model =
        model_of(world(1, line(1, 10, "Ring 00 : 2 -> 0 -> 1")) + world(2, line(2, 20, "Ring 00 : 0 -> 1 -> 2")));
    CHECK(model.communicators[0].rings.at(0).complete);
  }
  SECTION("connections") {
    std::string log = versions;
    for (int pid = 1; pid <= 3; ++pid)
      log += world(pid, line(pid, pid * 10, via(pid - 1, pid % 3)) + line(pid, pid * 10, "Connected all rings"));
    const Model model = model_of(log);
    REQUIRE(model.communicators[0].rings.size() == 1);
    CHECK(model.communicators[0].rings[0].order == std::vector<int>{0, 1, 2});
    CHECK(model.communicators[0].rings[0].complete);
    CHECK(model.communicators[0].rings[0].inferred);
  }
}

TEST_CASE("model: trees from one rank and from all") {
  const Model model =
      model_of(start(1, 10, "0xa", 0, 2, "commId 0x7", line(1, 10, "Trees [0] 1/-1/-1->0->-1 [1] -1/-1/-1->0->1")));
  REQUIRE(model.communicators[0].trees.size() == 2);
  CHECK(model.communicators[0].trees[0].links == std::vector<std::pair<int, int>>{{0, 1}});
  CHECK(model.communicators[0].trees[1].links == std::vector<std::pair<int, int>>{{1, 0}});
}

TEST_CASE("model: repeats cost nothing and limits are counted") {
  std::string log;
  for (int i = 0; i < 5000; ++i) log += line(1, 10, "Cuda failure 'an illegal memory access was encountered'");
  for (int i = 0; i < 50; ++i) log += line(1, 10, "NCCL_V" + std::to_string(i) + " set by environment to 1.");
  const Model model = model_of(log, {.max_env = 10});
  REQUIRE(model.incidents.size() == 1);
  CHECK(model.incidents[0].evidence.count == 5000);
  CHECK(model.incidents[0].evidence.lines.size() == Evidence::max_lines);
  CHECK(model.processes[0].env.size() == 10);
  CHECK(model.dropped == 40);
}

TEST_CASE("model: hostile numbers are no sizes") {
  const Model none = model_of(start(1, 10, "0xa", 2147483646, 2147483647, "commId 0x7"));
  CHECK(none.communicators.empty());
  CHECK(none.dropped > 0);

  const std::string log =
      start(1, 10, "0xa", 0, 2, "commId 0x7",
            line(1, 10, "Channel 2147483647/2147483647 : 0 1 2") + line(1, 10, "Trees [2147483647] 1/-1/-1->0->-1") +
                line(1, 10, via(2147483647, -2147483647, 2)));
  const Model model = model_of(log);
  REQUIRE(model.communicators.size() == 1);
  CHECK(model.communicators[0].rings.empty());
  CHECK(model.communicators[0].trees.empty());
  CHECK(model.dropped > 0);
}

TEST_CASE("model: unknown wordings are grouped with digits folded") {
  const Model model = model_of(line(1, 1, "brand new line 1") + line(1, 1, "brand new line 22"));
  REQUIRE(model.unrecognized.size() == 1);
  CHECK(model.unrecognized[0].count == 2);
  CHECK(model.unrecognized[0].text == "brand new line 1");
}

TEST_CASE("model: settings lose NCCL's period, paths keep theirs") {
  const Model model = model_of(line(1, 1, "NCCL_IB_TIMEOUT set by environment to 22.") +
                               line(1, 1, "NCCL_TOPO_FILE set by environment to /etc/topo.xml."));
  CHECK(model.processes[0].env.find("NCCL_IB_TIMEOUT")->value == "22");
  CHECK(model.processes[0].env.find("NCCL_TOPO_FILE")->value == "/etc/topo.xml.");
}

TEST_CASE("model: faults of the network keep who, why and the number") {
  const Model model = model_of(
      line(1, 1, "NET/IB : Got completion from peer 10.0.0.2<41234> with error 12, opcode 0, len 0, vendor err 129") +
      line(1, 1, "NET/IB : mlx5_0:1 Got non-fatal async event: port error(10)") +
      line(1, 1, "NET/IB : mlx5_0:1 async fatal event: device fatal") +
      line(1, 1, "Call to ibv_reg_mr failed with error Cannot allocate memory errno 12") +
      line(1, 1, "Missing \"iommu=pt\" from kernel command line which can lead to system instablity or hang!"));
  REQUIRE(model.incidents.size() == 5);
  const auto& [completion, port, device, call, setting] =
      std::tie(model.incidents[0], model.incidents[1], model.incidents[2], model.incidents[3], model.incidents[4]);
  CHECK(completion.kind == IncidentKind::ib_completion_failed);
  CHECK(completion.peer == "10.0.0.2<41234>");
  CHECK(completion.event.as<IbCompletionFailed>().status == 12);
  CHECK(port.event.as<IbAsyncEvent>().device == "mlx5_0");
  CHECK(port.event.as<IbAsyncEvent>().port == 1);
  CHECK(port.error == "port error");
  CHECK(port.aspect.empty());
  CHECK(device.error == "device fatal");
  CHECK(device.aspect == "fatal");
  CHECK(call.event.as<CallFailed>().call == "ibv_reg_mr");
  CHECK(call.error_number == 12);
  CHECK(setting.event.as<HostSettingMissing>().setting == "iommu=pt");
  CHECK(setting.event.as<CallFailed>().call.empty());  // of another type
}

TEST_CASE("model: NICs of a process and what GPUDirect RDMA reaches") {
  const Model model =
      model_of(line(1, 1, "NET/IB : Using [0]mlx5_0:1/IB [1]mlx5_1:1/RoCE [RO]; OOB eth0:10.0.4.51<0>") +
               line(1, 1, "NET/Socket : Using [0]eth0:10.0.4.51<0> [1]eth1:10.0.5.51<0>") +
               line(1, 1, "NET/Socket : GPU Direct RDMA Disabled for HCA 0 'eth0'") +
               line(1, 1, "NET/IB : GPU Direct RDMA Enabled for HCA 0 'mlx5_0'") +
               line(1, 1, "NET/IB : GPU Direct RDMA Disabled for HCA 1 'mlx5_1'") +
               line(1, 1, "GPU Direct RDMA Enabled for GPU 0 / HCA 0 (distance 4 <= 5), read 1 mode Default") +
               line(1, 1, "GPU Direct RDMA Disabled for GPU 0 / HCA 1 (distance 9 > 5)") +
               line(1, 1, "GPU Direct RDMA Disabled for GPU 0 / HCA 2 (distance 8 > 5)"));
  REQUIRE(model.processes.size() == 1);
  const Process& process = model.processes[0];
  CHECK(process.ib_devices.view().starts_with("[0]mlx5_0:1/IB [1]mlx5_1:1/RoCE"));
  CHECK(process.socket_devices == "[0]eth0:10.0.4.51<0> [1]eth1:10.0.5.51<0>");
  CHECK(process.gdr().able_nics == 1);
  CHECK(process.gdr().unable_nics.count == 1);
  CHECK(process.gdr().enabled == 1);
  CHECK(process.gdr().disabled.count == 2);
  CHECK(process.gdr().nearest == 8);
  CHECK(process.gdr().limit == 5);
}

TEST_CASE("model: what contradicts itself is told, what a cut number may be is not") {
  const auto model = [](const std::string& one, const std::string& other, int nranks = 2) {
    return model_of(start(1, 10, "0xa", 0, nranks, "commId 0x7", line(1, 10, one)) +
                    start(2, 20, "0xb", 1, nranks, "commId 0x7", line(2, 20, other)));
  };
  const auto told = [](const Model& from) {
    std::string text;
    for (const Contradiction& one : from.communicators[0].contradictions)
      text += std::string(to_string(one.kind)) + " " + std::to_string(one.channel) + ": " + rank_set(one.ranks) + "\n";
    return text;
  };
  CHECK(told(model("Ring 00 : 1 -> 0 -> 1", "Ring 00 : 0 -> 1 -> 0")).empty());
  CHECK(told(model("Ring 00 : 2 -> 0 -> 1", "Ring 00 : 2 -> 1 -> 0", 3)) == "ring 0: 0-2\n");
  CHECK(told(model("Ring 00 : 2 -> 0 -> 1", "Ring 00 : 3 -> 1 -> 4", 30)).empty());  // rank 1 may be one of 10 to 19
  CHECK(told(model("Ring 00 : 29 -> 0 -> 3", "Ring 00 : 0 -> 1 -> 2", 30)) == "ring 0: 0-1,3\n");
  CHECK(told(model("Ring 00 : 29 -> 0 -> 1", "Ring 00 : 0 -> 12 -> 13", 30)).empty());  // 12 cut to 1
  CHECK(told(model("Ring 00 : 1 -> 0 -> 1", "Ring 00 : 0 -> 1 -> 0", 4)).empty());      // ranks 2 and 3 are not here
  CHECK(told(model("Trees [0] 1/-1/-1->0->-1", "Trees [0] -1/-1/-1->1->0")).empty());
  CHECK(told(model("Trees [0] 2/-1/-1->0->-1", "Trees [0] -1/-1/-1->1->0", 3)) == "tree 0: 0-1\n");
  CHECK(told(model("Trees [0] 1/-1/-1->0->-1", "Trees [0] -1/-1/-1->1->2", 3)) == "tree 0: 0-2\n");
  CHECK(told(model("Trees [0] 1/-1/-1->0->-1", "Trees [0] 0/-1/-1->1->-1")) == "tree 0: 0-1\n");
  CHECK(told(model("Trees [0] 1/-1/-1->0->-1", "Trees [0] -1/-1/-1->1->99", 3)).empty());  // there is no rank 99
}

TEST_CASE("model: CollNet chains") {
  const auto chains = [](const std::string& words, int down, int rank, int up) {
    const std::string link = std::to_string(down) + "->" + std::to_string(rank) + "->" + std::to_string(up);
    return words + "  [0] " + link + " [1] " + link;
  };
  const auto rank = [&](int number, int down, int up) {
    const int tid = 10 * (number + 1);
    return start(number + 1, tid, "0xa", number, 4, "commId 0x7",
                 line(number + 1, tid, chains("Collnet Chains", down, number, up)) +
                     line(number + 1, tid, "Connected collnet + chain"));
  };
  // two nodes of two: the head of each reaches the network, whose number is that of the ranks
  const Model old = model_of(rank(0, 1, 4) + rank(1, -1, 0) + rank(2, 3, 4) + rank(3, -1, 2));
  REQUIRE(old.communicators.size() == 1);
  REQUIRE(old.communicators[0].collnet_chains.size() == 2);
  for (const Tree& chain : old.communicators[0].collnet_chains) {
    CHECK(chain.links == std::vector<std::pair<int, int>>{{0, 1}, {2, 3}});
    CHECK(chain.complete);
  }
  CHECK(old.communicators[0].ranks[0].has(Algorithm::collnet_chain));

  // since 2.22.3 they are connected at the first collective: what the thread connected with them says of whom
  const Model lazy = model_of(start(1, 10, "0xa", 0, 2, "commId 0x7") + start(1, 10, "0xb", 0, 4, "commId 0x8") +
                              line(1, 11, via(0, 3)) + line(1, 11, chains("Connected Collnet Chains", 3, 0, 4)));
  REQUIRE(lazy.communicators.size() == 2);
  CHECK(lazy.communicators[0].collnet_chains.empty());
  CHECK_FALSE(lazy.communicators[0].ranks[0].has(Algorithm::collnet_chain));
  REQUIRE(lazy.communicators[1].collnet_chains.size() == 2);
  CHECK(lazy.communicators[1].collnet_chains[0].links.empty());
  CHECK_FALSE(lazy.communicators[1].collnet_chains[0].complete);
  CHECK(lazy.communicators[1].ranks[0].has(Algorithm::collnet_chain));
}

TEST_CASE("model: what is built besides rings and trees") {
  const std::string counts =
      "2 coll channels, 2 collnet channels, 16 nvls channels, 32 p2p channels, 8 p2p channels per peer";
  const Model model = model_of(
      start(1, 10, "0xa", 0, 2, "commId 0x7",
            line(1, 10, "NVLS Head  0:  0  1") + line(1, 10, "NVLS Trees : 1/-1/-1->0->-1 -1/-1/-1->0->1") +
                line(1, 10, counts)) +
      line(1, 10, "NVLS comm 0xa headRank 3 nHeads 4 buffSize 1 nvlsPerRankSize 1 nvlsTotalSize 1") +
      line(1, 11, "CollNet 00/1 : 0 [send] via COLLNET/SHARP/0/GDRDMA") +
      line(1, 11, "CollNet 01/1 : 0 [send] via COLLNET/SHARP/0/GDRDMA") + line(1, 11, "Connected binomial trees") +
      line(1, 11, "CollNet 01/1 : 5 [send] via COLLNET/SHARP/0") + line(1, 11, "rank 0 Connected CollNet"));
  REQUIRE(model.communicators.size() == 1);
  const Communicator& comm = model.communicators[0];
  CHECK(comm.nvls_channels == 16);
  CHECK(comm.p2p_channels == 32);
  CHECK(comm.p2p_channels_per_peer == 8);
  CHECK(comm.nvls_head_count == 4);
  REQUIRE(comm.nvls_heads.size() == 1);
  CHECK(comm.nvls_heads[0].ranks == std::vector{0, 1});
  REQUIRE(comm.nvls_trees.size() == 2);
  CHECK(comm.nvls_trees[0].links == std::vector{std::pair{0, 1}});
  CHECK(comm.nvls_trees[1].links == std::vector{std::pair{1, 0}});
  REQUIRE(comm.collnet.size() == 1);
  CHECK(comm.collnet_chains.empty());
  CHECK(comm.collnet[0].from == 0);
  CHECK(comm.collnet[0].channels == 3);
  CHECK(comm.transports[comm.collnet[0].transport] == "COLLNET/SHARP");
  CHECK(comm.connections.empty());
  const Rank& rank = comm.ranks[0];
  CHECK(rank.nvls_head == 3);
  CHECK(rank.has(Algorithm::binomial_trees));
  CHECK(rank.has(Algorithm::collnet_direct));
  CHECK_FALSE(rank.has(Algorithm::rings));
}

}  // namespace nccl_analyze
