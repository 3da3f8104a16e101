// Tests which communicator gets a line that names none.

#include <string>
#include <vector>

#include "catch.h"
#include "model/small_log.h"

namespace nccl_analyze::test {

TEST_CASE("attribution: connections of a thread of its own go to the only communicator they fit") {
  const std::string world = start(1, 10, "0xa", 0, 4, "commId 0x7");
  const std::string pair = start(1, 11, "0xc", 1, 2, "commId 0x8");
  const Model model = model_of(versions + world + pair + line(1, 50, via(0, 3)) + line(1, 51, via(1, 0)));
  REQUIRE(model.communicators.size() == 2);
  REQUIRE(model.communicators[0].connections.size() == 1);
  CHECK(model.communicators[0].connections.begin()->to == 3);
  REQUIRE(model.communicators[1].connections.size() == 1);
  CHECK(model.ambiguities.empty());
}

TEST_CASE("attribution: what fits two communicators is given to neither") {
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

TEST_CASE("attribution: where one rank connected an algorithm, all did") {
  // The log of process 3 ends early, so it is unknown whether the second communicator connected.
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
  // Process 1 prints its batch before the other rank connects and nothing afterwards, so the batch may belong to the
  // second communicator.
  const Model open = model_of(versions + twins + own + others);
  CHECK(open.ambiguities.size() == 1);
}

TEST_CASE("attribution: without any communicator the connections make an inferred one") {
  const Model model = model_of(line(1, 50, via(0, 1)) + line(2, 60, via(1, 0)));
  REQUIRE(model.communicators.size() == 1);
  CHECK(model.communicators[0].inferred);
  CHECK(model.communicators[0].nranks == -1);
  CHECK(model.communicators[0].ranks.size() == 2);
  CHECK(model.communicators[0].connections.size() == 2);
}

}  // namespace nccl_analyze::test
