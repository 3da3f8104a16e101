// Tests the table of rows: each example is read by its own row and by no other row.

#include <algorithm>
#include <deque>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "catch.h"
#include "messages/matcher.h"
#include "row_example.h"

namespace nccl_analyze {
namespace {

template <std::size_t... I>
std::set<std::string> all_event_names(std::index_sequence<I...>) {
  return {std::string(std::variant_alternative_t<I, Event>::name)...};
}

}  // namespace

TEST_CASE("messages: every row compiles") {
  for (const std::string& error : compile_rows(all_families()).errors) FAIL_CHECK(error);
}

TEST_CASE("messages: every example is read by its row, and every form that optional parts give it") {
  Event event;
  for (const Family& family : all_families()) {
    for (const Row& row : family.rows) {
      std::vector<std::string> examples = examples_of(row);
      if (parse_row(row.wording, row.kind->fields).parts != 0)
        for (std::string& composed : composed_of(row)) examples.push_back(std::move(composed));
      for (const std::string& example : examples) {
        INFO(family.name << ": " << example);
        const Row* const read_by = standard_matcher().match(example, event);
        REQUIRE(read_by != nullptr);
        CHECK(read_by->wording == row.wording);
        CHECK(event_name(event) == row.kind->name);
      }
    }
  }
}

TEST_CASE("messages: an optional part is taken or left out, with its holes") {
  constexpr Row row =
      nccl_analyze::row<SharedMemoryFailed>("no {path:word}{( of {bytes} bytes)}{( ({error}))}.", "", "", "");
  const Family family{"alone", {&row, 1}};
  const CompiledRows rows = compile_rows({&family, 1});
  REQUIRE(rows.errors.empty());
  const Matcher matcher{rows.tree(), {&family, 1}};
  const auto read = [&](std::string_view message) {
    Event event;
    if (matcher.match(message, event) == nullptr) return std::string("nothing");
    const auto& made = std::get<SharedMemoryFailed>(event);
    return std::string(made.path) + "|" + std::to_string(made.bytes) + "|" + std::string(made.error);
  };
  CHECK(read("no a.") == "a|-1|");
  CHECK(read("no a of 3 bytes.") == "a|3|");
  CHECK(read("no a (full).") == "a|-1|full");
  CHECK(read("no a of 3 bytes (full).") == "a|3|full");
  CHECK(read("no a (full) of 3 bytes.") == "nothing");
}

TEST_CASE("messages: what is wrong with optional parts is said") {
  const auto problem = [](std::string_view wording) { return parse_row(wording, fields_of<EnvSet>).problem; };
  CHECK(problem("a{( b)}").empty());
  CHECK_FALSE(problem("a{( b{( c)})}").empty());
  CHECK_FALSE(problem("a{( b").empty());
  CHECK_FALSE(problem("{(a)}{(b)}{(c)}{(d)}{(e)}").empty());
}

TEST_CASE("messages: no other row can read an example", "[slow]") {
  // Each row is matched alone, so that the order in the prefix tree cannot hide an overlap. Rows that end in free text
  // are skipped: they are the fallback of their prefix, and every narrower row takes precedence.
  struct Alone {
    explicit Alone(const Row& only) : row(&only), examples(examples_of(only)), rows(compile_rows({&family, 1})) {}
    const Row* row;
    std::vector<std::string> examples;
    Family family{"alone", {row, 1}};
    CompiledRows rows;
    Matcher matcher{rows.tree(), {&family, 1}};
  };
  std::deque<Alone> alone;  // A deque never moves its elements.
  for (const Family& family : all_families()) {
    for (const Row& row : family.rows) {
      alone.emplace_back(row);
    }
  }
  const auto open_ended = [](const Row& row) {
    const std::string_view w = row.wording;
    return w.ends_with("{reason}") || w.ends_with("{detail}") || w.ends_with(":text}") || w.ends_with(":word}");
  };
  Event event;
  for (const Alone& owner : alone) {
    for (const Alone& other : alone) {
      if (owner.row == other.row || open_ended(*other.row)) continue;
      for (const std::string& example : owner.examples)
        if (other.matcher.match(example, event) != nullptr)
          FAIL_CHECK(example << "\nis also read by: " << other.row->wording);
    }
  }
}

TEST_CASE("messages: every kind of event has a row, or comes from the output of another tool") {
  std::set<std::string> missing = all_event_names(std::make_index_sequence<std::variant_size_v<Event>>{});
  missing.erase("unrecognized");
  missing.erase("damaged");
  missing.erase("phrase_seen");  // These events come from the phrase table.
  for (const Family& family : all_families())
    for (const Row& row : family.rows) missing.erase(std::string(row.kind->name));
  constexpr std::string_view of_tools[] = {
      "benchmark_", "collectives_inspected", "duration_recorded", "flight_recorded", "machine_", "pod_manifest_",
      "ras_"};  // made by the readers of lib/evidence
  for (const std::string& name : missing)
    if (std::ranges::none_of(of_tools, [&](std::string_view words) { return name.starts_with(words); }))
      FAIL_CHECK(name);
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

TEST_CASE("messages: a failed completion of any era tells the same facts") {
  struct Completion {
    std::string_view message, status_name, gids, hca;
  };
  constexpr Completion completions[] = {
      {"NET/IB : Got completion from peer 10.0.0.2<41234> with error 12, opcode 0, len 0, vendor err 129", "", "", ""},
      {"NET/IB : Got completion from peer 10.0.0.2<41234> with error 12, opcode 0, len 0, vendor err 129 (Send)", "",
       "", ""},
      {"NET/IB : Got completion from peer 10.0.0.2<41234> with status=12 opcode=0 len=0 vendor err 129 (Send) localGid "
       "fe80::1 remoteGid fe80::2",
       "", "fe80::1 fe80::2", ""},
      {"NET/IB: Got completion from peer 10.0.0.2<41234> with status=12 opcode=0 len=0 vendor err 129 (Send) localGid "
       "fe80::1 remoteGidsfe80::2 hca mlx5_0",
       "", "fe80::1 fe80::2", "mlx5_0"},
      {"NET/IB: Got completion from peer 10.0.0.2<41234> with status=IBV_WC_RETRY_EXC_ERR(12) opcode=IBV_WC_SEND(0) "
       "reqSize=0 vendor_err=129 req_type=Send hca mlx5_0",
       "IBV_WC_RETRY_EXC_ERR", "", "mlx5_0"},
      {"NET/IB: Got completion from peer 10.0.0.2<41234> with status=IBV_WC_RETRY_EXC_ERR(12) opcode=IBV_WC_SEND(0) "
       "vendor_err=129  localGid fe80::1 remoteGidsfe80::2 hca mlx5_0",
       "IBV_WC_RETRY_EXC_ERR", "fe80::1 fe80::2", "mlx5_0"},
      {"NET/IB: Got completion from peer 10.0.0.2<41234> with status=IBV_WC_RETRY_EXC_ERR(12) opcode=IBV_WC_SEND(0) "
       "vendor_err=129  hca mlx5_0",
       "IBV_WC_RETRY_EXC_ERR", "", "mlx5_0"},
  };
  for (const Completion& one : completions) {
    INFO(one.message);
    Event event;
    standard_matcher().match(one.message, event);
    REQUIRE(std::holds_alternative<IbCompletionFailed>(event));
    const auto& failed = std::get<IbCompletionFailed>(event);
    CHECK(failed.peer == "10.0.0.2<41234>");
    CHECK(failed.status == 12);
    CHECK(failed.vendor_error == 129);
    CHECK(failed.status_name == one.status_name);
    CHECK(failed.hca == one.hca);
    const std::string gids = std::string(failed.local_gid) + " " + std::string(failed.remote_gid);
    CHECK(gids == (one.gids.empty() ? " " : one.gids));
  }
}

TEST_CASE("messages: a failed call names its errno and where it stood") {
  Event event;
  standard_matcher().match("Call to ibv_reg_mr failed with error Cannot allocate memory errno 12", event);
  CHECK(std::get<CallFailed>(event).call == "ibv_reg_mr");
  CHECK(std::get<CallFailed>(event).reason == "Cannot allocate memory");
  CHECK(std::get<CallFailed>(event).code == 12);

  standard_matcher().match(
      "Call to ibv_modify_qp failed with 110 Connection timed out, on dev mlx5_3:1, curr state INIT, next state RTR, "
      "local GID index 3, local GID fe80::1, remote GID fe80::2",
      event);
  const auto& modify = std::get<CallFailed>(event);
  CHECK(modify.code == 110);
  CHECK(modify.reason == "Connection timed out");
  CHECK(modify.device == "mlx5_3");
  CHECK(modify.next_state == "RTR");
  CHECK(modify.gid_index == 3);
  CHECK(modify.remote_gid == "fe80::2");
  CHECK(modify.attempt == -1);
}

}  // namespace nccl_analyze
