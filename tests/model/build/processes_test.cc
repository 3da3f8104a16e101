// Tests the facts of a process: version, settings, NICs.

#include <string>

#include "catch.h"
#include "model/small_log.h"

namespace nccl_analyze::test {

TEST_CASE("processes: a build that does not know its CUDA prints the macro's name, which is no version") {
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

TEST_CASE("processes: the launch of the first collective is progress") {
  const std::string init = line(1, 1, "comm 0x5610 rank 0 nranks 1 cudaDev 0 busId 1b000 - Init COMPLETE");
  const Model model = model_of(init + line(1, 1, "Launch mode Parallel") + line(1, 1, "Using network Socket"));
  CHECK(model.processes[0].progress.line == 2);
}

TEST_CASE("processes: the form of a line bounds the releases that print it") {
  const auto releases_of = [](const std::string& message) {
    return model_of(line(1, 1, message)).processes[0].releases;
  };
  const std::string start = "comm 0x5610 rank 0 nranks 2 cudaDev 0 nvmlDev 0 busId 1b000 commId 0x77a1 - Init START";
  CHECK(releases_of(start).until == 220);
  CHECK(releases_of("ncclCommInitRank " + start).since == 221);
  CHECK(releases_of("ncclCommInitRank " + start).until == 0);
  CHECK(releases_of("[Rank 0] ncclCommInitRank " + start).since == 229);
  CHECK(releases_of("Trees [0] 1/-1/-1->0->-1|-1->0->1/-1/-1").until == 207);
  CHECK(releases_of("Trees [0] 1/-1/-1->0->-1").until == 0);
  CHECK(releases_of("Channel 00 : 0[1b000] -> 1[1c000] via P2P/IPC").until == 213);
  CHECK(releases_of("Channel 00/0 : 0[0] -> 1[1] via P2P/IPC").since == 214);
  CHECK(releases_of("Channel 00 : 0[1b000] -> 1[1c000] [send] via NET/Socket/0").until == 211);
  CHECK(releases_of("Channel 00/0 : 0[0] -> 1[1] [send] via NET/Socket/0").since == 212);
  CHECK(releases_of("Channel 00 : 0[0] -> 1[1] via SHM/direct/direct").until == 0);
  CHECK(releases_of("Channel 00/0 : 0[1b000] -> 1[1c000] via P2P/IPC comm 0x55d0 nRanks 08").since <= 207);
}

TEST_CASE("processes: settings lose NCCL's period, paths keep theirs") {
  const Model model = model_of(line(1, 1, "NCCL_IB_TIMEOUT set by environment to 22.") +
                               line(1, 1, "NCCL_TOPO_FILE set by environment to /etc/topo.xml."));
  CHECK(model.processes[0].env.find("NCCL_IB_TIMEOUT")->value == "22");
  CHECK(model.processes[0].env.find("NCCL_TOPO_FILE")->value == "/etc/topo.xml.");
}

TEST_CASE("processes: NICs of a process and what GPUDirect RDMA reaches") {
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

TEST_CASE("processes: lines tell the ways for which buffers are registered") {
  const auto buffers_of = [](const std::string& message) {
    const Model model = model_of(line(1, 1, message));
    return model.processes.at(0).buffers;
  };
  const std::string nvls =
      "sendbuff 0x1, recvbuff 0x2, sendbuff size 4096, recvbuff size 4096, reg sendbuff 0x3, reg recvbuff 0x4";
  for (const std::string before : {"successfully local-registered ", "reuse registered NVLS "})
    CHECK(buffers_of("rank 0 " + before + nvls).registered == bit_of(BufferWay::nvls));
  CHECK(buffers_of("rank 0 - COLLNET reuse register userbuff 0x1 (handle 0x2), buffSize 4096, type Send").registered ==
        bit_of(BufferWay::collnet));
  CHECK(buffers_of("rank 0 - NET register userbuff 0x1 (handle 0x2), buffSize 4096").registered ==
        bit_of(BufferWay::net));
  const BufferWays refused = buffers_of("rank 0 failed to NET register userbuff 0x1 buffSize 4096 GDR flag 1");
  CHECK(refused.refused == bit_of(BufferWay::net));
  CHECK(refused.without_gdr == 0);
  CHECK(refused.registered == 0);
  CHECK(buffers_of("rank 0 - IPC registering buffer 0x1 size 4096 (baseAddr 0x1 size 4096) to peer 1") == BufferWays{});
}

TEST_CASE("processes: a network that NCCL assigns for one-sided calls is a plugin") {
  const Model model = model_of(line(1, 1, "GIN/Plugin: Assigned plugin GIN_IB type 2 to comm"));
  REQUIRE(model.processes.at(0).plugins.size() == 1);
  CHECK(model.processes[0].plugins[0].kind == "gin");
  CHECK(model.processes[0].plugins[0].name == "GIN_IB");
  CHECK(model.processes[0].plugins[0].status == PluginStatus::initialized);
}

}  // namespace nccl_analyze::test
