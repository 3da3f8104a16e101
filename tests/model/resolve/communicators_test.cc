// Tests which ranks form a communicator, and which communicator is the parent of another.

#include <string>
#include <utility>
#include <vector>

#include "catch.h"
#include "model/small_log.h"

namespace nccl_analyze::test {

TEST_CASE("communicators: ranks with one commId are one communicator") {
  const Model model = model_of(start(1, 10, "0xa", 0, 2, "commId 0x7") + start(2, 20, "0xb", 1, 2, "commId 0x7") +
                               start(1, 11, "0xc", 0, 2, "commId 0x8"));
  REQUIRE(model.communicators.size() == 2);
  CHECK(model.communicators[0].ranks.size() == 2);
  CHECK(model.communicators[0].ranks[1].state == RankState::complete);
  CHECK(model.communicators[1].ranks.size() == 1);
  CHECK(model.communicators[1].comm_id == 8);
}

TEST_CASE("communicators: without start and id, ranks join by what they say of each other") {
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
    // The lines of the two ranks are interleaved, as in real logs: no rank completes before both have started.
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

TEST_CASE("communicators: a log without its head joins by the ids at its end") {
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

TEST_CASE("communicators: a color that was printed unsigned stays as printed") {
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

TEST_CASE("communicators: a log cut into two files is one process's life") {
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

TEST_CASE("communicators: children join by parent, count and colour") {
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

TEST_CASE("communicators: a pointer used again is another communicator") {
  const std::string first = start(1, 10, "0xa", 0, 1, "commId 0x7");
  const std::string end = line(1, 1, "comm 0xa rank 0 nranks 1 cudaDev 0 busId 1000 - Destroy COMPLETE");
  const Model model = model_of(first + end + start(1, 11, "0xa", 0, 1, "commId 0x9"));
  REQUIRE(model.communicators.size() == 2);
  CHECK(model.communicators[0].ranks[0].state == RankState::destroyed);
  CHECK(model.communicators[1].ranks[0].state == RankState::complete);
}

}  // namespace nccl_analyze::test
