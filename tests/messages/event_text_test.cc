// Tests that every event can be written as the texts of its members and made again.

#include "messages/event_text.h"

#include "catch.h"
#include "messages/matcher.h"
#include "row_example.h"

namespace nccl_analyze {

TEST_CASE("event text: every event is what it was") {
  Event event, again;
  for (const Family& family : fact_families()) {
    for (const Row& row : family.rows) {
      const std::string line = examples_of(row).front();
      if (standard_matcher().match(line, event) == nullptr) continue;
      INFO(row.example);
      const EventText text = event_text(event);
      REQUIRE(read_event_text(text, again));
      CHECK(again.index() == event.index());
      CHECK(event_text(again) == text);
    }
  }
}

TEST_CASE("event text: values of each type") {
  MachinePortListed port;
  port.device = "mlx5_0";
  port.port = 1;
  port.rate = 2.5;
  port.guid = {0xb8ceeb000300e09f};
  const EventText text = event_text(port);
  CHECK(text.name == Text("machine_port_listed"));
  REQUIRE(text.members.size() == 4);  // what is not known is not written
  CHECK(text.members[2] == std::pair<Text, Text>("rate", "2.5"));
  CHECK(text.members[3] == std::pair<Text, Text>("guid", "0xb8ceeb000300e09f"));
  Event event;
  REQUIRE(read_event_text(text, event));
  const auto& made = std::get<MachinePortListed>(event);
  CHECK(made.device == "mlx5_0");
  CHECK(made.rate == port.rate);
  CHECK(made.guid == port.guid);
  CHECK(made.state.empty());
}

TEST_CASE("event text: names and values from anywhere") {
  Event event;
  CHECK_FALSE(read_event_text({"no_such_event", {}}, event));
  REQUIRE(read_event_text({"machine_port_listed", {{"port", "x"}, {"no_such_member", "1"}, {"rate", "1e999"}}}, event));
  CHECK(std::get<MachinePortListed>(event).port == -1);
  CHECK(std::get<MachinePortListed>(event).rate == 0);
}

}  // namespace nccl_analyze
