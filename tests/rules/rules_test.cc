// Tests the list of rules: stable names, texts, and the files and cases of each rule; and how rules format ranks and
// text.

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <utility>

#include "catch.h"
#include "nccl_analyze/rule.h"
#include "text/message_text.h"

namespace nccl_analyze::test {
namespace {

/// Names that other programs rely on.
constexpr std::pair<std::string_view, std::string_view> fixed_names[] = {
    {"NCA101", "partial-input"},
    {"NCA102", "log-head-missing"},
    {"NCA103", "debug-level-too-low"},
    {"NCA104", "damaged-lines"},
    {"NCA201", "ranks-not-started"},
    {"NCA202", "init-incomplete"},
    {"NCA203", "late-rank"},
    {"NCA204", "slow-init-phase"},
    {"NCA205", "duplicate-gpu"},
    {"NCA206", "version-mismatch"},
    {"NCA207", "world-split"},
    {"NCA208", "bad-interface"},
    {"NCA209", "no-interface"},
    {"NCA210", "connect-failed"},
    {"NCA211", "peer-closed"},
    {"NCA212", "driver-too-old"},
    {"NCA213", "nccl-too-old-for-gpu"},
    {"NCA214", "socket-handshake-mismatch"},
    {"NCA301", "net-plugin-failed"},
    {"NCA302", "socket-fallback"},
    {"NCA303", "ib-no-device"},
    {"NCA304", "gdr-disabled"},
    {"NCA305", "ib-timeout"},
    {"NCA306", "ib-memory-error"},
    {"NCA307", "ib-link-flap"},
    {"NCA308", "ib-connect-failed"},
    {"NCA309", "memlock-limit"},
    {"NCA310", "network-differs"},
    {"NCA311", "nic-count-differs"},
    {"NCA312", "nic-fatal"},
    {"NCA313", "no-network"},
    {"NCA314", "tcp-only-network"},
    {"NCA315", "rail-mismatch"},
    {"NCA316", "gid-table-change"},
    {"NCA317", "nic-resources-exhausted"},
    {"NCA318", "tcpx-timeout"},
    {"NCA401", "shm-instead-of-p2p"},
    {"NCA402", "one-gpu-per-host"},
    {"NCA403", "p2p-disabled"},
    {"NCA404", "p2p-failed"},
    {"NCA405", "shm-too-small"},
    {"NCA406", "nvls-failed"},
    {"NCA407", "mnnvl-failed"},
    {"NCA408", "nvlink-unused"},
    {"NCA409", "fabric-manager-down"},
    {"NCA410", "intra-host-network"},
    {"NCA411", "iommu-settings"},
    {"NCA501", "ring-broken"},
    {"NCA502", "channels-differ"},
    {"NCA503", "cpu-affinity"},
    {"NCA504", "uneven-nodes"},
    {"NCA505", "algorithm-forced"},
    {"NCA506", "topology-file-invalid"},
    {"NCA507", "topology-detect-failed"},
    {"NCA508", "topology-overridden"},
    {"NCA509", "topology-contradicts"},
    {"NCA601", "cuda-error"},
    {"NCA602", "out-of-memory"},
    {"NCA603", "collective-mismatch"},
    {"NCA604", "watchdog-timeout"},
    {"NCA605", "comm-aborted"},
    {"NCA606", "process-died"},
    {"NCA607", "internal-error"},
    {"NCA608", "straggler"},
    {"NCA701", "env-differs"},
    {"NCA702", "env-risky"},
    {"NCA703", "env-legacy-value"},
    {"NCA704", "env-invalid-value"},
    {"NCA801", "expectation-failed"},
    {"NCA802", "expectation-unknown"},
    {"NCA803", "baseline-differs"},
    {"NCA901", "application-error"},
};

}  // namespace

TEST_CASE("rules: a text is cut between characters", "[rules]") {
  CHECK(excerpt("plain", 5) == "plain");
  CHECK(excerpt("plain text", 5) == "plain...");
  CHECK(excerpt("\xC3\xA4\xC3\xB6\xC3\xBC", 3) == "\xC3\xA4\xC3\xB6\xC3\xBC");
  CHECK(excerpt("\xC3\xA4\xC3\xB6\xC3\xBC", 2) == "\xC3\xA4\xC3\xB6...");
  // Invalid UTF-8 counts as many characters as its replacement in a summary.
  CHECK(excerpt("\xFF\xFE"
                "abc",
                3) ==
        "\xFF\xFE"
        "a...");
  CHECK(excerpt("\xEF\xBF\xBD\xEF\xBF\xBD"
                "abc",
                3) ==
        "\xEF\xBF\xBD\xEF\xBF\xBD"
        "a...");
}

TEST_CASE("rules: the list is sorted and every rule has its words", "[rules]") {
  const auto rules = all_rules();
  std::set<std::string_view> names;
  std::string_view last;
  for (const Rule* rule : rules) {
    const RuleInfo& info = rule->info;
    INFO(info.id << " " << info.name);
    CHECK(last < info.id);
    last = info.id;
    CHECK(names.insert(info.name).second);
    CHECK(info.id.size() == 6);
    CHECK(info.id.starts_with("NCA"));
    CHECK(std::all_of(info.name.begin(), info.name.end(),
                      [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-'; }));
    CHECK(!info.words->title.empty());
    CHECK(info.words->title.size() < 80);
    CHECK(info.words->explanation.size() > 80);
    CHECK(info.words->fix.size() > 80);
    CHECK((static_cast<bool>(rule->check) != (rule->check_rest != nullptr)));
    CHECK(find_rule(info.id) == rule);
    CHECK(find_rule(info.name) == rule);
  }
  CHECK(find_rule("NCA000") == nullptr);
  CHECK(find_rule("") == nullptr);
}

TEST_CASE("rules: names and ids stay what they are", "[rules]") {
  for (const auto& [id, name] : fixed_names) {
    INFO(id << " " << name);
    const Rule* rule = find_rule(id);
    REQUIRE(rule != nullptr);
    CHECK(rule->info.name == name);
  }
}

TEST_CASE("rules: every rule has a file, a case that fires and a healthy neighbour", "[rules]") {
  namespace fs = std::filesystem;
  const fs::path folder = fs::path(NCCL_ANALYZE_TESTDATA) / "rules";
  std::set<std::string> folders;
  for (const auto& entry : fs::directory_iterator(folder)) folders.insert(entry.path().filename().string());
  std::map<fs::path, fs::path> sources;  // Folders, keyed by file name.
  for (const auto& entry : fs::recursive_directory_iterator(fs::path(NCCL_ANALYZE_SOURCE_DIR) / "lib" / "rules"))
    sources[entry.path().filename()] = entry.path().parent_path();
  std::map<char, fs::path> families;
  for (const Rule* rule : all_rules()) {
    INFO(rule->info.name);
    CHECK(folders.erase(std::string(rule->info.name)) == 1);
    for (const char* kind : {"fires", "silent"}) {
      CHECK(fs::exists(folder / rule->info.name / kind / "input.log"));
      CHECK(fs::exists(folder / rule->info.name / kind / "about.md"));
    }
    std::string file = "nca" + std::string(rule->info.id.substr(3)) + "_" + std::string(rule->info.name) + ".cc";
    std::replace(file.begin(), file.end(), '-', '_');
    REQUIRE(sources.contains(file));
    const fs::path family = families.try_emplace(rule->info.id[3], sources[file]).first->second;
    CHECK(sources[file] == family);
  }
  CHECK(folders.empty());
}

TEST_CASE("rules: severities and statuses are printed as the schema lists them", "[rules]") {
  CHECK(to_string(Severity::info) == "info");
  CHECK(to_string(Severity::warning) == "warning");
  CHECK(to_string(Severity::error) == "error");
  CHECK(to_string(CheckStatus::pass) == "pass");
  CHECK(to_string(CheckStatus::fail) == "fail");
  CHECK(to_string(CheckStatus::unknown) == "unknown");
}

}  // namespace nccl_analyze::test
