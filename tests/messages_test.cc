// The table of rows: every example is its own row's and nobody else's.

#include <set>
#include <string>

#include "catch.h"
#include "messages/matcher.h"

namespace nccl_analyze {
namespace {

template <std::size_t... I>
std::set<std::string> all_event_names(std::index_sequence<I...>) {
  return {std::string(std::variant_alternative_t<I, Event>::name)...};
}

}  // namespace

TEST_CASE("messages: every row compiles") {
  for (const std::string& error : standard_matcher().errors()) FAIL_CHECK(error);
}

TEST_CASE("messages: every example is read by its row") {
  Event event;
  for (const Family& family : all_families()) {
    for (const Row& row : family.rows) {
      INFO(family.name << ": " << row.example);
      CHECK(standard_matcher().match(row.example, event) == &row);
      CHECK(event_name(event) == row.kind->name);
    }
  }
}

TEST_CASE("messages: no other row can read an example") {
  // Each row alone, so that order in the prefix tree hides nothing. Rows that end in free text are the fallback of
  // their prefix and give way to every narrower row.
  struct Alone {
    const Row* row;
    Matcher matcher;
  };
  std::vector<Alone> alone;
  for (const Family& family : all_families()) {
    for (const Row& row : family.rows) {
      const Family only{family.name, {&row, 1}};
      alone.push_back({&row, Matcher{{&only, 1}}});
    }
  }
  const auto open_ended = [](const Row& row) {
    const std::string_view w = row.wording;
    return w.ends_with("{reason}") || w.ends_with("{detail}") || w.ends_with(":text}") ||
           w.ends_with(":word}");
  };
  Event event;
  for (const Alone& owner : alone) {
    for (const Alone& other : alone) {
      if (owner.row == other.row || open_ended(*other.row)) continue;
      if (other.matcher.match(owner.row->example, event) == nullptr) continue;
      FAIL_CHECK(owner.row->example << "\nis also read by: " << other.row->wording);
    }
  }
}

TEST_CASE("messages: every kind of event has a row") {
  std::set<std::string> missing = all_event_names(std::make_index_sequence<std::variant_size_v<Event>>{});
  missing.erase("unrecognized");
  missing.erase("damaged");
  for (const Family& family : all_families())
    for (const Row& row : family.rows) missing.erase(std::string(row.kind->name));
  for (const std::string& name : missing) FAIL_CHECK(name);
}

TEST_CASE("messages: values arrive in their members") {
  Event event;
  standard_matcher().match("Channel 01/1 : 12[4] -> 0[7] [send] via NET/AWS Libfabric/3(5)/GDRDMA/Shared", event);
  const auto& connected = std::get<ChannelConnected>(event);
  CHECK(connected.channel == 1);
  CHECK(connected.connection == 1);
  CHECK(connected.from == 12);
  CHECK(connected.from_dev == "4");
  CHECK(connected.to == 0);
  CHECK(connected.direction == "send");
  CHECK(connected.transport == "NET");
  CHECK(connected.network == "AWS Libfabric");
  CHECK(connected.device == 3);
  CHECK(connected.proxy_rank == 5);
  CHECK(connected.gdrdma);
  CHECK(connected.shared);

  standard_matcher().match("Channel 00/0 : 0[0] -> 1[1] via P2P/CUMEM", event);
  CHECK_FALSE(std::get<ChannelConnected>(event).read);
}

TEST_CASE("messages: a cut or stretched line is no fact") {
  Event event;
  const std::string_view torn[] = {
      "",
      "Channel 00/0 : 0[0] -> 1[0] [send] via NET/Socket",
      "Channel 00/0 : 0[0] -> 1[0] [send] via NET/Socket/0 and more",
      "Ring 00 : 3 -> 0 -> ",
      "Ring 00 : 3 -> 0 -> 99999999999",
      "2 coll channels, 2 collnet chan",
      "Bootstrap timings total nan (create 1, send 1, recv 1, ring 1, delay 1)",
  };
  for (const std::string_view text : torn) {
    INFO(text);
    CHECK(standard_matcher().match(text, event) == nullptr);
    CHECK(std::holds_alternative<Unrecognized>(event));
  }
}

TEST_CASE("messages: the beginning of a wording is known as one") {
  const std::string_view beginnings[] = {"",
                                         "Boot",
                                         "Channel",
                                         "Channel 00/0 : 0[0] -> 1[0] [send] via NET/Soc",
                                         "Channel 00/0 : 0[0] -> 1[0] via P2P/CUM",
                                         "2 coll channels, 2 collnet chan",
                                         "Bootstrap timings total 0.5 (create "};
  for (const std::string_view text : beginnings) {
    INFO(text);
    CHECK(standard_matcher().is_beginning(text));
  }
  const std::string_view others[] = {"Bananas are ripe", "Channel of bananas", "B", "2 collections",
                                     "Bootstrap timings total nan (create 1"};
  for (const std::string_view text : others) {
    INFO(text);
    CHECK_FALSE(standard_matcher().is_beginning(text));
  }
}

TEST_CASE("messages: trees of every era") {
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

TEST_CASE("messages: lists") {
  RankList ranks{"  0  12 3 45..."};
  CHECK(ranks.truncated());
  std::vector<int> read;
  for (int rank = 0; ranks.next(rank);) read.push_back(rank);
  CHECK(read == std::vector<int>{0, 12, 3});  // the last one may be cut

  TreeList trees{"[0] 1/-1/-1->0->-1 [1] 2/3/-1->0->7 [2] 1/-1"};
  TreeLink link;
  REQUIRE(trees.next(link));
  CHECK(link.down[0] == 1);
  REQUIRE(trees.next(link));
  CHECK((link.channel == 1 && link.down[1] == 3 && link.rank == 0 && link.up == 7));
  CHECK_FALSE(trees.next(link));
}

}  // namespace nccl_analyze
