// Tests that a live merge judges, at each look, the job that the summaries of its folder show: nodes come, change and
// go in random order, and each report is that on their logs as they are then.

#include <chrono>
#include <csignal>
#include <cstddef>
#include <filesystem>
#include <fstream>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "catch.h"
#include "cli/live/merge_follow.h"
#include "fleet/fleet_log.h"
#include "input/logging.h"
#include "nccl_analyze/analyzer.h"
#include "summarised.h"

namespace nccl_analyze::test {
namespace {

/// A folder with the summaries of nodes, whose logs are known.
class Nodes {
 public:
  Nodes(std::filesystem::path folder, int hosts) : folder_(std::move(folder)), hosts_(hosts) {
    std::filesystem::remove_all(folder_);
    std::filesystem::create_directories(folder_);
  }
  Nodes(const Nodes&) = delete;
  Nodes& operator=(const Nodes&) = delete;
  ~Nodes() { std::filesystem::remove_all(folder_); }

  /// Lets a random node come or change: its log has a random number of lines. Or lets it go.
  void step(Random& random) {
    const int host = static_cast<int>(random() % static_cast<unsigned>(hosts_));
    const std::string name = "worker-" + std::to_string(host) + ".log";
    if (logs_.contains(name) && random() % 3 == 0) {
      logs_.erase(name);
      std::filesystem::remove(folder_ / name);
      return;
    }
    const std::string all = FleetLog({.hosts = hosts_}, {.dead = 3, .nic = 1, .late = 2, .version = 4}).of(host);
    const std::size_t end = random() % 2 == 0 ? all.size() : all.rfind('\n', random() % (all.size() + 1)) + 1;
    logs_[name] = all.substr(0, end);
    const std::filesystem::path unfinished = folder_.string() + ".part";
    std::ofstream(unfinished) << summaries_of_parts({name, logs_[name]}, 1, random).front();
    std::filesystem::rename(unfinished, folder_ / name);
  }

  std::string report() const {
    std::vector<NamedLog> logs;
    for (const auto& [name, text] : logs_) logs.push_back({name, text});
    return report_of(logs);
  }
  std::string path() const { return folder_.string(); }

 private:
  std::filesystem::path folder_;
  int hosts_;
  std::map<std::string, std::string> logs_;  ///< Of the nodes that have a summary, by name.
};

}  // namespace

TEST_CASE("live merge: nodes come, change and go, and each look is the report on their logs", "[slow]") {
  constexpr int hosts = 20, looks = 8;
  Random random(11);
  Nodes nodes(std::filesystem::temp_directory_path() / "nccl_analyze_live_merge", hosts);
  const auto change = [&](int changes) {
    for (int i = 0; i < changes; ++i) nodes.step(random);
  };
  change(2 * hosts);
  int look = 0;
  MergeFollowOptions following;
  following.messages.lines = false;
  following.messages.stall = std::chrono::seconds(5);  // Changes may undo each other, and the next look comes then.
  following.messages.options.news = "/dev/null";
  following.snapshot = [&](Summary so_far) {
    CHECK(report_of(so_far) == nodes.report());
    Analyzer analyzer;
    analyzer.add(std::move(so_far));
    ++look;
    if (look < looks) change(1 + static_cast<int>(random() % 4));
    if (look == looks) std::raise(SIGTERM);
    return std::move(analyzer).finish();
  };
  Summary at_end;
  Log log([](std::string_view, std::string_view) {});
  follow_summaries({nodes.path()}, at_end, following, log);
  CHECK(look == looks + 1);  // The last one is that of the end.
  CHECK(report_of(at_end) == nodes.report());
}

}  // namespace nccl_analyze::test
