// Tests the readers of lists that NCCL prints in one line: trees, chains, ranks, NICs, interfaces.

#include <string>
#include <vector>

#include "catch.h"
#include "messages/matcher.h"

namespace nccl_analyze {

TEST_CASE("messages: links of a tree are read in the notation of every release") {
  const auto first = [](std::string_view text) {
    TreeList trees{text};
    TreeLink link;
    REQUIRE(trees.next(link));
    return std::vector<int>{link.channel, link.up, link.rank, link.down[0], link.down[1], link.down[2]};
  };
  CHECK(first("[1] 2/3/-1->0->7 [2] -1/-1/-1->0->7") == std::vector<int>{1, 7, 0, 2, 3, -1});
  CHECK(first("[1] 2/3/-1->0->7|7->0->2/3/-1 [2] ") == std::vector<int>{1, 7, 0, 2, 3, -1});
  CHECK(first("[1] 7->0->2/3/-1") == std::vector<int>{1, 7, 0, 2, 3, -1});
  TreeLink link;
  for (const std::string_view cut : {"[1] 2/3/-1->0", "[1] 2/3/-1->0->7|7->0", "[1] 7->0->2/3", "[1] ", "[1] 2"}) {
    INFO(cut);
    CHECK_FALSE(TreeList{cut}.next(link));
  }
}

TEST_CASE("messages: an item of a list of trees reads the same behind others like it") {
  const std::string_view items[] = {
      "2/3/-1->0->7", "2/3/-1->0->71", "12/3/-1->0->7", "7->0->2/3/-1", "2/3/-1->0->7|7->0->2/3/-1", "2/3/-1->0->7"};
  std::string text;
  std::vector<std::string> alone;
  const auto told = [](const TreeLink& link) {
    std::string all;
    for (const int number : {link.channel, link.rank, link.up, link.down[0], link.down[1], link.down[2]})
      all += std::to_string(number) + ' ';
    return all;
  };
  TreeLink link;
  for (const std::string_view first : items)
    for (const std::string_view second : items)
      for (const std::string_view item : {first, second, first, first, second}) {
        const std::string one = "[" + std::to_string(alone.size()) + "] " + std::string(item);
        REQUIRE(TreeList{one}.next(link));
        alone.push_back(told(link));
        text += one + ' ';
      }
  TreeList all{text};
  for (const std::string& expected : alone) {
    REQUIRE(all.next(link));
    CHECK(told(link) == expected);
  }
  CHECK_FALSE(all.next(link));
}

TEST_CASE("messages: links of CollNet chains are read, a cut one is not") {
  ChainList chains{" [0] 1->0->4 [12] -1->0->1 [13] 1->0"};
  ChainLink link;
  REQUIRE(chains.next(link));
  REQUIRE(chains.next(link));
  CHECK(std::vector<int>{link.channel, link.down, link.rank, link.up} == std::vector<int>{12, -1, 0, 1});
  CHECK_FALSE(chains.next(link));
}

TEST_CASE("messages: nodes, paths and parts of the topology are read, a cut one is not") {
  NodeList nodes{" NET/0-0 GPU/8 GPU/1-1b000 x"};
  TopologyNode node;
  std::vector<std::uint64_t> ids;
  while (nodes.next(node)) ids.insert(ids.end(), {node.system.value, node.id.value});
  CHECK(ids == std::vector<std::uint64_t>{0, 0, 0, 8, 1, 0x1b000});
  CHECK(nodes.text() == " x");

  PathList paths{"GPU/0-30000 (0/5000.0/LOC) NET/0 (3/24.0/PIX) CPU/0-0 (1/24"};
  TopologyPath path;
  REQUIRE(paths.next(path));
  CHECK((path.to.type == "GPU" && path.to.id.value == 0x30000 && path.hops == 0 && path.link == "LOC"));
  REQUIRE(paths.next(path));
  CHECK((path.to.type == "NET" && path.hops == 3 && path.bandwidth == 24.0 && path.link == "PIX"));
  CHECK_FALSE(paths.next(path));  // The last item is cut off.

  PartList parts{"1/2/-1"};
  std::string_view part;
  std::vector<std::string> read;
  while (parts.next(part)) read.emplace_back(part);
  CHECK(read == std::vector<std::string>{"1", "2", "-1"});
}

TEST_CASE("messages: lists of NICs of any release give number, name, port, link and rail") {
  const auto read = [](std::string_view text) {
    std::string result;
    NicList list{text};
    for (Nic nic; list.next(nic);) {
      result += std::to_string(nic.index) + "=" + std::string(nic.device) + "," + std::to_string(nic.port) + "," +
                std::string(nic.link);
      if (nic.rail >= 0) result += "," + std::to_string(nic.rail) + "," + std::to_string(nic.plane);
      result += ";";
    }
    return result;
  };
  CHECK(read(" [0]mlx5_0:1/IB [1]mlx5_bond_0:1/RoCE [RO]") == "0=mlx5_0,1,IB;1=mlx5_bond_0,1,RoCE;");
  CHECK(read("[0]={[0] mlx5_0:1/IB,[1] mlx5_1:1/IB} [1]mlx5_2:1/IB") == "0=mlx5_0,1,IB;0=mlx5_1,1,IB;1=mlx5_2,1,IB;");
  CHECK(read("[0]={[0] mlx5_0:1/IB} [1]={[1] mlx5_1:1/IB} ") == "0=mlx5_0,1,IB;1=mlx5_1,1,IB;");
  CHECK(read("[0]mlx5_0:1:2:0/IB") == "0=mlx5_0,1,IB,2,0;");
  CHECK(read("[0]mlx5_0:1/IB [1]mlx5_1:") == "0=mlx5_0,1,IB;");  // The last item is cut off.
  CHECK(read("[0]mlx5_0:1/IB [99999999999]mlx5_1:1/IB") == "0=mlx5_0,1,IB;");
  for (const std::string_view text : {"", "[RO]", "[", "[0]", "[0]=", "[0]={", "[0]={[0]", "}", "[0]:1/IB", "[0]a:1/"})
    CHECK(read(text).empty());
}

TEST_CASE("messages: lists of interfaces give number, name and address, a cut one is not read") {
  InterfaceList list{"[0]eth0:10.0.4.51<0> [1]eth1:fe80::1:2%eth1<0> [2]eth2:10.0.4"};
  NetworkInterface one;
  REQUIRE(list.next(one));
  CHECK((one.index == 0 && one.name == "eth0" && one.address == "10.0.4.51<0>"));
  REQUIRE(list.next(one));
  CHECK((one.index == 1 && one.name == "eth1" && one.address == "fe80::1:2%eth1<0>"));
  CHECK_FALSE(list.next(one));  // The last item is cut off.
}

TEST_CASE("messages: a list of ranks or trees ends where its line was cut") {
  RankList ranks{"  0  12 3 45..."};
  CHECK(ranks.truncated());
  std::vector<int> read;
  for (int rank = 0; ranks.next(rank);) read.push_back(rank);
  CHECK(read == std::vector<int>{0, 12, 3});  // The last rank may be cut off.

  TreeList trees{"[0] 1/-1/-1->0->-1 [1] 2/3/-1->0->7 [2] 1/-1"};
  TreeLink link;
  REQUIRE(trees.next(link));
  CHECK(link.down[0] == 1);
  REQUIRE(trees.next(link));
  CHECK((link.channel == 1 && link.down[1] == 3 && link.rank == 0 && link.up == 7));
  CHECK_FALSE(trees.next(link));
}

}  // namespace nccl_analyze
