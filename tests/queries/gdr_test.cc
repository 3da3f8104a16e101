// Tests which pairs of GPUs and NICs use GPUDirect RDMA, and the sentences about them.

#include "queries/gdr.h"

#include "catch.h"
#include "model/placed_job.h"
#include "report/sentences/hosts.h"
#include "report/sentences/paths.h"

namespace nccl_analyze::test {
namespace {

const std::string nics = "NET/IB : Using [0]mlx5_0:1/IB [1]mlx5_1:1/IB [RO]; OOB eth0:10.0.4.51<0>";
const std::string network = "Using network IB";

/// Two hosts of two GPUs, whose ranks print the NICs.
std::string two_hosts(const std::string& last) {
  std::string lines;
  for (int rank = 0; rank < 4; ++rank)
    for (const std::string& one : {nics, network}) lines += rank_line(rank < 2 ? "a" : "b", rank, one);
  return placed_job({{"a", 0, 4, 2, 2, 0}, {"a", 1, 4, 2, 2, 1}, {"b", 2, 4, 2, 2, 0}, {"b", 3, 4, 2, 2, 1}},
                    lines + last);
}

std::string channel(const std::string& host, int printer, int from, int to, const std::string& words) {
  return rank_line(host, printer,
                   "Channel 00/0 : " + std::to_string(from) + "[0] -> " + std::to_string(to) + "[0] " + words);
}

std::string paths_text(const std::string& log) {
  std::string text;
  for (const std::string& line : describe_paths(placed_model(log), false)) text += line + "\n";
  return text;
}

}  // namespace

TEST_CASE("GPUDirect: a pair has a state for each direction") {
  const Model model = placed_model(two_hosts(channel("a", 0, 0, 2, "[send] via NET/IB/0/GDRDMA") +
                                             channel("a", 0, 3, 0, "[receive] via NET/IB/0") +
                                             channel("a", 1, 2, 1, "[receive] via NET/IB/1/GDRDMA")));
  const Table<std::vector<GdrPair>> pairs = gdr_pairs(model);
  REQUIRE(pairs[0].size() == 2);
  CHECK(pairs[0][0].gpu == 0);
  CHECK(pairs[0][0].nic == "mlx5_0");
  CHECK(pairs[0][0].send == GdrUse::on);
  CHECK(pairs[0][0].receive == GdrUse::off);
  CHECK(pairs[0][1].gpu == 1);
  CHECK(pairs[0][1].nic == "mlx5_1");
  CHECK(pairs[0][1].send == GdrUse::not_shown);
  CHECK(pairs[0][1].receive == GdrUse::on);
  CHECK(pairs[1].empty());
}

TEST_CASE("GPUDirect: a NIC that a proxy drives reads from the GPU of the proxy") {
  const Model model = placed_model(two_hosts(channel("a", 0, 0, 3, "[send] via NET/IB/1(1)/GDRDMA")));
  const Table<std::vector<GdrPair>> pairs = gdr_pairs(model);
  REQUIRE(pairs[0].size() == 1);
  CHECK(pairs[0][0].gpu == 1);
}

TEST_CASE("GPUDirect: each process numbers the NICs of its own list, and merged ones share a number") {
  std::string log =
      two_hosts(channel("a", 0, 0, 2, "[send] via NET/IB/0") + channel("a", 1, 1, 3, "[send] via NET/IB/0"));
  const std::string other =
      rank_line("a", 1, "NET/IB : Using [0]={[0] mlx5_2:1/IB,[1] mlx5_3:1/IB} [RO]; OOB eth0:1<0>");
  log.replace(log.find(rank_line("a", 1, nics)), rank_line("a", 1, nics).size(), other);
  const Table<std::vector<GdrPair>> pairs = gdr_pairs(placed_model(log));
  REQUIRE(pairs[0].size() == 2);
  CHECK(pairs[0][0].nic == "mlx5_0");
  CHECK(pairs[0][1].nic == "mlx5_2+mlx5_3");
}

TEST_CASE("GPUDirect: hosts with the same pairs share a sentence") {
  const auto both = [](const std::string& host, int first) {
    const int other = 2 - first;
    return channel(host, first, first, other, "[send] via NET/IB/0/GDRDMA") +
           channel(host, first, other, first, "[receive] via NET/IB/0/GDRDMA") +
           channel(host, first + 1, other + 1, first + 1, "[receive] via NET/IB/1/GDRDMA");
  };
  CHECK(has(paths_text(two_hosts(both("a", 0) + both("b", 2))),
            "GPUDirect RDMA on a, b: GPU 0 \u2194 mlx5_0 (send and receive); GPU 1 \u2194 mlx5_1 (receive on, send not "
            "shown)\n"));
}

TEST_CASE("GPUDirect: a reason is told only where lines prove it") {
  const std::string off =
      channel("a", 0, 2, 0, "[receive] via NET/IB/0") + channel("a", 0, 0, 2, "[send] via NET/IB/0");
  CHECK(has(paths_text(two_hosts(off)), "GPUDirect RDMA on a: GPU 0 \u2194 mlx5_0 (off)\n"));
  std::string far, setting;
  for (const int rank : {0, 1}) {
    far += rank_line("a", rank, "GPU Direct RDMA Disabled for GPU 0 / HCA 0 (distance 8 > 5)");
    setting += rank_line("a", rank, "NCCL_NET_GDR_LEVEL set by environment to LOC");
  }
  CHECK(has(paths_text(two_hosts(far + off)),
            "(off: every NIC is too far from the GPUs (nearest at distance 8, limit 5))\n"));
  CHECK(has(paths_text(two_hosts(setting + off)), "(off: NCCL_NET_GDR_LEVEL=LOC switches it off)\n"));
  const std::string read = rank_line("a", 0, "NCCL_NET_GDR_READ set by environment to 0.") +
                           rank_line("a", 1, "NCCL_NET_GDR_READ set by environment to 0.");
  const std::string one_way =
      channel("a", 0, 2, 0, "[receive] via NET/IB/0/GDRDMA") + channel("a", 0, 0, 2, "[send] via NET/IB/0");
  CHECK(has(paths_text(two_hosts(read + one_way)), "(send off, receive on: NCCL_NET_GDR_READ=0)\n"));
  CHECK(has(paths_text(two_hosts(one_way)), "(send off, receive on)\n"));
}

TEST_CASE("GPUDirect: without a connection, what NICs can is told where it matters") {
  std::string able;
  for (const int nic : {0, 1})
    able += rank_line(
        "a", 0,
        "NET/IB : GPU Direct RDMA Enabled for HCA " + std::to_string(nic) + " 'mlx5_" + std::to_string(nic) + "'");
  CHECK(has(paths_text(two_hosts(able)), "GPUDirect RDMA on a: 2 of 2 NICs can; which GPUs use them is not shown\n"));
  const std::string one_host = placed_job({{"a", 0, 2, 1, 2, 0}, {"a", 1, 2, 1, 2, 1}}, able);
  CHECK_FALSE(has(paths_text(one_host), "GPUDirect"));
}

TEST_CASE("GPUDirect: sockets have none, and keep their line about NICs") {
  const std::string text = paths_text(
      two_hosts(channel("a", 0, 0, 2, "[send] via NET/Socket/0") + channel("a", 1, 1, 3, "[send] via NET/Socket/1")));
  CHECK_FALSE(has(text, "GPUDirect"));
  CHECK(has(text, "NICs: GPU 0 "));
}

TEST_CASE("GPUDirect: Google's networks have a way of their own, and keep the NICs of each GPU") {
  const Model model = placed_model(two_hosts(channel("a", 0, 0, 2, "[send] via NET/FasTrak/0")));
  CHECK(gdr_pairs(model)[0].empty());
  CHECK(describe_nic_use(model).size() == 1);
  CHECK(describe_nic_use(placed_model(two_hosts(channel("a", 0, 0, 2, "[send] via NET/IB/0")))).empty());
}

TEST_CASE("GPUDirect: NVLS, CollNet, buffers and one-sided networks are told with what lines prove") {
  const std::string counted = rank_line(
      "a", 0, "2 coll channels, 2 collnet channels, 0 nvls channels, 2 p2p channels, 2 p2p channels per peer");
  const std::string send = channel("a", 0, 0, 2, "[send] via NET/IB/0");
  CHECK(has(paths_text(two_hosts(counted + send)), ", no NVLS\n"));
  CHECK(
      has(paths_text(two_hosts(counted + send + rank_line("a", 0, "NVLS multicast support is not available on dev 0"))),
          ", no NVLS (multicast is not available)\n"));
  CHECK(has(paths_text(two_hosts(counted + send + rank_line("a", 0, "NCCL_NVLS_ENABLE set by environment to 0."))),
            ", no NVLS (NCCL_NVLS_ENABLE=0)\n"));
  const std::string asked = rank_line("a", 0, "NCCL_COLLNET_ENABLE set by environment to 1.");
  CHECK(has(paths_text(two_hosts(asked + send)), "CollNet: no connection is shown, though"));
  CHECK_FALSE(has(paths_text(two_hosts(send)), "CollNet"));
  const std::string used = rank_line("a", 0, "CollNet 00/1 : 0 [send] via COLLNET/SHARP/0/GDRDMA");
  CHECK(has(paths_text(two_hosts(asked + send + used)), "between hosts: NET/IB + COLLNET/SHARP\n"));
  const std::string buffers =
      rank_line("a", 0,
                "rank 0 - IPC register buffer 0x7f5a60000000 size 4096 (baseAddr 0x7f5a60000000 size 4096) to "
                "peer 1 regAddr 0x7f5a70000000 offsetOut 0") +
      rank_line("a", 0, "rank 0 failed to NET register userbuff 0x7f5a60000000 buffSize 4096 GDR flag 0");
  CHECK(has(paths_text(two_hosts(send + buffers)),
            "buffers of the user: registered for IPC; refused for NET, which needs GPUDirect RDMA\n"));
  const std::string plugins = rank_line("a", 0, "Assigned GIN plugin GIN_IB_GDAKI to comm") +
                              rank_line("a", 0, "Assigned RMA plugin GIN_IB_PROXY to comm");
  CHECK(has(paths_text(two_hosts(send + plugins)),
            "one-sided communication: GIN over GIN_IB_GDAKI, RMA over GIN_IB_PROXY\n"));
}

}  // namespace nccl_analyze::test
