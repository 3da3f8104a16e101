// Tests rings from lists, links and connections, and trees.

#include <string>
#include <utility>
#include <vector>

#include "catch.h"
#include "model/small_log.h"

namespace nccl_analyze::test {

TEST_CASE("rings: lists, links and connections give the same rings, and none where they are cut") {
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

TEST_CASE("rings: one rank's line gives the links of each tree that it shows") {
  const Model model =
      model_of(start(1, 10, "0xa", 0, 2, "commId 0x7", line(1, 10, "Trees [0] 1/-1/-1->0->-1 [1] -1/-1/-1->0->1")));
  REQUIRE(model.communicators[0].trees.size() == 2);
  CHECK(model.communicators[0].trees[0].links == std::vector<std::pair<int, int>>{{0, 1}});
  CHECK(model.communicators[0].trees[1].links == std::vector<std::pair<int, int>>{{1, 0}});
}

}  // namespace nccl_analyze::test
