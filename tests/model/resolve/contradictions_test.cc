// Tests the detection of links of rings and trees that cannot all be true.

#include <string>

#include "catch.h"
#include "model/small_log.h"

namespace nccl_analyze::test {

TEST_CASE("contradictions: what contradicts itself is told, what a cut number may be is not") {
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
  CHECK(told(model("Ring 00 : 2 -> 0 -> 1", "Ring 00 : 3 -> 1 -> 4", 30)).empty());  // A cut rank 1 may be 10 to 19.
  CHECK(told(model("Ring 00 : 29 -> 0 -> 3", "Ring 00 : 0 -> 1 -> 2", 30)) == "ring 0: 0-1,3\n");
  CHECK(told(model("Ring 00 : 29 -> 0 -> 1", "Ring 00 : 0 -> 12 -> 13", 30)).empty());  // 1 may be a cut 12.
  CHECK(told(model("Ring 00 : 1 -> 0 -> 1", "Ring 00 : 0 -> 1 -> 0", 4)).empty());      // Ranks 2 and 3 have no log.
  CHECK(told(model("Trees [0] 1/-1/-1->0->-1", "Trees [0] -1/-1/-1->1->0")).empty());
  CHECK(told(model("Trees [0] 2/-1/-1->0->-1", "Trees [0] -1/-1/-1->1->0", 3)) == "tree 0: 0-1\n");
  CHECK(told(model("Trees [0] 1/-1/-1->0->-1", "Trees [0] -1/-1/-1->1->2", 3)) == "tree 0: 0-2\n");
  CHECK(told(model("Trees [0] 1/-1/-1->0->-1", "Trees [0] 0/-1/-1->1->-1")) == "tree 0: 0-1\n");
  CHECK(told(model("Trees [0] 1/-1/-1->0->-1", "Trees [0] -1/-1/-1->1->99", 3)).empty());  // Rank 99 does not exist.
}

}  // namespace nccl_analyze::test
