// Tests that no log, however long or hostile, makes the model large.

#include <string>

#include "catch.h"
#include "model/small_log.h"

namespace nccl_analyze::test {

TEST_CASE("limits: repeats make one incident, and settings beyond the limit are counted") {
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

TEST_CASE("limits: a number of ranks or channels beyond the limit makes no container of its size") {
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

TEST_CASE("limits: unknown wordings are grouped with digits folded") {
  const Model model = model_of(line(1, 1, "brand new line 1") + line(1, 1, "brand new line 22"));
  REQUIRE(model.unrecognized.size() == 1);
  CHECK(model.unrecognized[0].count == 2);
  CHECK(model.unrecognized[0].text == "brand new line 1");
}

}  // namespace nccl_analyze::test
