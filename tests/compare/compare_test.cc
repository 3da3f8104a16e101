// What changed between two runs, in which order, and what is left out.

#include <algorithm>
#include <string>
#include <vector>

#include "catch.h"
#include "compare/compare_parts.h"
#include "compare/runs.h"

namespace nccl_analyze::test {
namespace {

using Lines = std::vector<std::string>;

const std::string& good() {
  static const std::string log = log_of(two_hosts);
  return log;
}

bool has(const Lines& lines, const std::string& line) { return std::ranges::find(lines, line) != lines.end(); }

}  // namespace

TEST_CASE("compare: a run does not differ from itself, nor from one on hosts of other names") {
  const RunDiff same = diff_of(good(), good());
  CHECK(same.same());
  CHECK(same.not_compared.empty());
  CHECK(same.equal[static_cast<std::size_t>(Topic::network)] > 0);
  CHECK(same.shared.front().what == "ranks");
  CHECK(diff_of(good(), replaced(replaced(good(), "worker-0:", "pool-b-17:"), "worker-1:", "pool-b-3:")).same());
}

TEST_CASE("compare: the network comes first, and all that follows from it behind") {
  const std::string bad = replaced(
      replaced(replaced(good(), "Using network IB", "Using network Socket"), "NET/IB/0/GDRDMA", "NET/Socket/0"),
      "NET/IB/1/GDRDMA", "NET/Socket/1");
  const RunDiff diff = diff_of(good(), bad);
  const Lines lines = lines_of(diff);
  REQUIRE(!lines.empty());
  CHECK(lines.front() == "network: IB | Socket");
  CHECK(has(lines, "GPUDirect RDMA: used | not used"));
  CHECK(has(lines, "between hosts: NET/IB | NET/Socket"));
  CHECK(diff.changes.front().every_rank);
  CHECK(diff.changes.front().old_place.starts_with("job.log:"));
}

TEST_CASE("compare: a setting comes before the transports that it explains, and after the network") {
  const std::string setting = "NCCL_IB_HCA set to mlx5", set_to = " set by environment to 1";
  const std::string p2p = replaced(replaced(good(), setting, "NCCL_P2P_DISABLE" + set_to), "P2P/CUMEM", "P2P/IPC");
  const Lines lines = lines_of(diff_of(good(), p2p));
  REQUIRE(lines.size() >= 3);
  CHECK(has({lines[0], lines[1]}, "NCCL_P2P_DISABLE: - | 1"));
  CHECK(has({lines[0], lines[1]}, "NCCL_IB_HCA: mlx5 | -"));
  CHECK(lines[2] == "inside a host: P2P/CUMEM | P2P/IPC");

  const std::string tcp =
      replaced(replaced(good(), setting, "NCCL_IB_DISABLE" + set_to), "Using network IB", "Using network Socket");
  CHECK(lines_of(diff_of(good(), tcp)).front() == "network: IB | Socket");
}

TEST_CASE("compare: a version comes before what it explains, a setting without effects after it") {
  const std::string newer = replaced(replaced(good(), "version 2.27.3", "version 2.28.9"), "P2P/CUMEM", "P2P/IPC");
  const Lines lines = lines_of(diff_of(good(), newer));
  CHECK(lines.front() == "NCCL: 2.27.3 | 2.28.9");
  CHECK(has(lines, "inside a host: P2P/CUMEM | P2P/IPC"));
  const auto buffers = [](const std::string& size) {
    return replaced(good(), "NCCL_SOCKET_IFNAME set by environment to ^docker0,lo",
                    "NCCL_BUFFSIZE set by environment to " + size);
  };
  CHECK(lines_of(diff_of(buffers("4"), replaced(buffers("8"), "P2P/CUMEM", "P2P/IPC"))).front() ==
        "inside a host: P2P/CUMEM | P2P/IPC");
}

TEST_CASE("compare: a missing node comes first, and what its ranks printed is not compared") {
  const RunDiff diff = diff_of(good(), without(good(), "worker-1:"));
  CHECK(lines_of(diff).front() == "ranks without a log: none | 4-7");
  CHECK(std::ranges::none_of(diff.changes, [](const Change& change) { return change.topic == Topic::network; }));
}

TEST_CASE("compare: equal changes of many ranks are one, with the hosts that changed wholly") {
  const RunDiff host = diff_of(good(), replaced(good(), "mlx5", "mlx5_0", "worker-1:"), {Topic::nics, Topic::findings});
  REQUIRE(host.changes.size() == 1);
  CHECK(host.changes[0].ranks == std::vector{4, 5, 6, 7});
  CHECK(host.changes[0].hosts == std::vector<std::string>{"worker-1"});
  CHECK(!host.changes[0].every_rank);
  CHECK(host.compared_hosts == 2);
  const RunDiff rank = diff_of(good(), replaced(good(), "IB_HCA set to mlx5", "IB_HCA set to mlx5_0", "worker-1:1001"),
                               {Topic::findings});
  REQUIRE(rank.changes.size() == 1);
  CHECK(rank.changes[0].ranks == std::vector{5});
  CHECK(rank.changes[0].hosts.empty());
}

TEST_CASE("compare: what one run does not show is not compared, and is no difference") {
  const RunDiff diff = diff_of(good(), without(good(), "coll channels"));
  CHECK(diff.same());
  REQUIRE(diff.not_compared.size() == 1);
  CHECK(diff.not_compared[0].topic == Topic::channels);
  CHECK(!diff.not_compared[0].old_lacks);
  CHECK(diff.not_compared[0].whole_topic);
}

TEST_CASE("compare: a setting without a line is not set, unless the log has no line of that level or ends early") {
  const RunDiff unset = diff_of(good(), without(good(), "NCCL_IB_HCA"));
  CHECK(lines_of(unset) == Lines{"NCCL_IB_HCA: mlx5 | -"});
  const std::string early =
      without(without(without(without(good(), "NCCL_IB_HCA"), "COMPLETE"), "Init timings"), "via ");
  CHECK(!has(lines_of(diff_of(good(), early)), "NCCL_IB_HCA: mlx5 | -"));
}

TEST_CASE("compare: the initialisation counts beyond twice the time and a second") {
  const auto slower = [](const std::string& total) { return replaced(good(), "total 9.98", "total " + total); };
  CHECK(diff_of(good(), slower("19.90")).same());
  const RunDiff diff = diff_of(good(), slower("25.00"));
  CHECK(lines_of(diff) == Lines{"initialisation: 9.98 s (rank 0) | 25.00 s (rank 0)"});
  CHECK(diff_of(good(), slower("25.00"), {Topic::init_time}).same());
  const std::string short_phase = replaced(good(), "kernels 0.13", "kernels 1.12");
  CHECK(diff_of(good(), short_phase).same());
}

TEST_CASE("compare: findings that came, went or became worse") {
  RunFacts before = facts_of(good()), after = before;
  before.findings = {{"NCA302", "socket-fallback", Severity::info, "a", {}},
                     {"NCA701", "env-differs", Severity::info, "b", {}}};
  after.findings = {{"NCA301", "net-plugin-failed", Severity::error, "c", {}},
                    {"NCA302", "socket-fallback", Severity::warning, "d", {}}};
  CHECK(lines_of(compare(before, after)) == Lines{"NCA301 net-plugin-failed: - | error: c",
                                                  "NCA302 socket-fallback: info: a | warning: d",
                                                  "NCA701 env-differs: info: b | -"});
  after.not_judged = {"NCA701"};
  const RunDiff diff = compare(before, after);
  CHECK(diff.changes.size() == 2);
  REQUIRE(diff.not_compared.size() == 1);
  CHECK(diff.not_compared[0].what == Lines{"NCA701 env-differs"});
}

TEST_CASE("compare: runs without a rank in common are compared as a whole") {
  const std::string old_log = without(without(good(), "worker-1:"), "nothing"), new_log = without(good(), "worker-0:");
  const RunDiff diff = diff_of(old_log, replaced(new_log, "Using network IB", "Using network Socket"));
  CHECK(has(lines_of(diff), "network: IB | Socket"));
  CHECK(has(lines_of(diff), "ranks without a log: 4-7 | 0-3"));
}

TEST_CASE("compare: every topic has a word, and every word its topic") {
  for (std::size_t i = 0; i < topics; ++i) {
    const auto topic = static_cast<Topic>(i);
    CHECK(row_of(topic).topic == topic);
    CHECK(find_topic(to_string(topic)) == topic);
  }
  CHECK(!find_topic("weather"));
  CHECK((explained_by_setting("NCCL_IB_DISABLE") & bit_of(Topic::transports)) != 0);
  CHECK(explained_by_setting("NCCL_BUFFSIZE") == 0);
}

TEST_CASE("compare: long values are cut where they differ") {
  std::string before = std::string(300, 'a') + "x" + std::string(300, 'b'), after = std::string(300, 'a') + "y";
  shorten(before, after);
  CHECK(before.size() < 200);
  CHECK(before.find('x') != std::string::npos);
  CHECK(after.find('y') != std::string::npos);
  std::string once = "a", twice = "b";
  shorten(once, twice);
  CHECK(once == "a");
}

}  // namespace nccl_analyze::test
