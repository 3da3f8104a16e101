// The list of rules, the words of each, the order of findings, and each rule's case folders.

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <utility>

#include "catch.h"
#include "nccl_analyze/rule.h"
#include "rules/support/rule_support.h"

namespace nccl_analyze {
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
    {"NCA901", "application-error"},
};

LineRef line(std::uint64_t number) { return {SourceId{0}, number}; }

Evidence seen_at(std::uint64_t number) {
  Evidence evidence;
  evidence.add(line(number));
  return evidence;
}

/// `ranks` hosts with one GPU each, joined by TCP sockets: a healthy job.
Model healthy_job(int ranks) {
  Model model;
  Communicator comm;
  comm.comm_id = 0xabc;
  comm.nranks = comm.nnodes = ranks;
  comm.created_by = "ncclCommInitRankConfig";
  comm.first = line(10);
  for (int i = 0; i < ranks; ++i) {
    Process process;
    process.host = "worker-" + std::to_string(i);
    process.communicator = 0;
    process.pid = 101;
    process.library = "NCCL";
    process.version = "2.27.3";
    process.network = "Socket";
    process.bootstrap_interface = "eth0";
    process.bootstrap_address = "10.0.0." + std::to_string(i + 1) + "<0>";
    process.ib_absent = process.info_seen = true;
    const auto first = static_cast<std::uint64_t>(i) * 100 + 1;
    process.first = process.version_at = process.network_at = process.bootstrap_at = process.ib_at = line(first);
    process.last = line(first + 99);
    model.processes.push_back(process);
    Rank rank;
    rank.rank = rank.process = i;
    rank.local_rank = 0;
    rank.local_ranks = 1;
    rank.state = RankState::complete;
    rank.phase = InitPhase::complete;
    rank.started_at = line(first + 10);
    rank.ended_at = line(first + 50);
    comm.ranks.push_back(rank);
  }
  model.communicators.push_back(comm);
  return model;
}

void add_incident(Model& model, IncidentKind kind, Index process, std::uint64_t at, std::string peer = {},
                  std::string error = {}) {
  Incident incident;
  incident.kind = kind;
  incident.process = process;
  incident.peer = std::move(peer);
  incident.error = std::move(error);
  incident.evidence = seen_at(at);
  model.incidents.push_back(std::move(incident));
}

/// A cause or a consequence.
const Finding* find(const std::vector<Finding>& findings, std::string_view name) {
  for (const Finding& finding : findings) {
    if (finding.rule->name == name) return &finding;
    if (const Finding* below = find(finding.consequences, name)) return below;
  }
  return nullptr;
}
const Finding* find(const Report& report, std::string_view name) { return find(report.findings, name); }

bool is_quiet(const Report& report) {
  return std::all_of(report.findings.begin(), report.findings.end(),
                     [](const Finding& finding) { return finding.severity() == Severity::info; });
}

}  // namespace

TEST_CASE("rules: text is cut between characters", "[rules]") {
  CHECK(shortened("plain", 5) == "plain");
  CHECK(shortened("plain text", 5) == "plain...");
  CHECK(shortened("\xC3\xA4\xC3\xB6\xC3\xBC", 3) == "\xC3\xA4\xC3\xB6\xC3\xBC");
  CHECK(shortened("\xC3\xA4\xC3\xB6\xC3\xBC", 2) == "\xC3\xA4\xC3\xB6...");
  // bytes that are no UTF-8 count as what a summary has in their place
  CHECK(shortened("\xFF\xFE"
                  "abc",
                  3) ==
        "\xFF\xFE"
        "a...");
  CHECK(shortened("\xEF\xBF\xBD\xEF\xBF\xBD"
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
    CHECK(!info.title.empty());
    CHECK(info.title.size() < 80);
    CHECK(info.explanation.size() > 80);
    CHECK(info.fix.size() > 80);
    CHECK((rule->check != nullptr || rule->check_rest != nullptr));
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
  std::map<fs::path, fs::path> sources;  // file name to folder
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

TEST_CASE("rules: sets of ranks are compact", "[rules]") {
  CHECK(rank_set({}).empty());
  CHECK(rank_set({5}) == "5");
  CHECK(rank_set({3, 1, 2, 0, 7, 7}) == "0-3,7");
  CHECK(rank_set({0, 2, 4}) == "0,2,4");
  CHECK(rank_set({8, 9}) == "8-9");
}

TEST_CASE("rules: lists of ranks are cut behind a number") {
  CHECK(short_rank_set({0, 2, 4, 100, 102}, 40) == "0,2,4,100,102");
  CHECK(short_rank_set({0, 2, 4, 100, 102}, 9) == "0,2,4,100,...");
  CHECK(short_rank_set({0, 2, 4, 100, 102}, 8) == "0,2,4,...");
  CHECK(short_rank_set({1000, 1001, 1002}, 3) == "1000-1002");
  CHECK(short_rank_set({}, 3).empty());
}

TEST_CASE("rules: names of enumerators", "[rules]") {
  CHECK(to_string(Severity::info) == "info");
  CHECK(to_string(Severity::warning) == "warning");
  CHECK(to_string(Severity::error) == "error");
  CHECK(to_string(CheckStatus::pass) == "pass");
  CHECK(to_string(CheckStatus::fail) == "fail");
  CHECK(to_string(CheckStatus::unknown) == "unknown");
}

TEST_CASE("analyze: nothing in, nothing found", "[rules]") {
  const Report report = analyze(Model{});
  CHECK(report.findings.empty());
  REQUIRE(report.checks.size() == 6);
  CHECK(std::all_of(report.checks.begin(), report.checks.end(),
                    [](const Check& check) { return check.status == CheckStatus::unknown; }));
}

TEST_CASE("analyze: a healthy job has nothing above info", "[rules]") {
  const Report report = analyze(healthy_job(4));
  CHECK(is_quiet(report));
  CHECK(find(report, "tcp-only-network") != nullptr);
  CHECK(find(report, "one-gpu-per-host") != nullptr);
  CHECK(std::none_of(report.checks.begin(), report.checks.end(),
                     [](const Check& check) { return check.status == CheckStatus::fail; }));
}

TEST_CASE("analyze: findings have evidence and stand in order of severity", "[rules]") {
  Model model = healthy_job(4);
  add_incident(model, IncidentKind::out_of_memory, 2, 260, "", "out of memory");
  add_incident(model, IncidentKind::connection_closed, 1, 150, "10.0.0.3<4242>");
  model.communicators[0].ranks[1].state = RankState::failed;
  const Report report = analyze(model);
  REQUIRE(!report.findings.empty());
  CHECK(report.findings[0].rule->name == "out-of-memory");
  const Finding* closed = find(report.findings[0].consequences, "peer-closed");
  REQUIRE(closed != nullptr);
  CHECK(closed->consequence);
  for (std::size_t i = 0; i < report.findings.size(); ++i) {
    CHECK(report.findings[i].evidence.count > 0);
    if (i > 0) CHECK(report.findings[i - 1].severity() >= report.findings[i].severity());
  }
}

TEST_CASE("analyze: a selection runs alone", "[rules]") {
  Model model = healthy_job(2);
  add_incident(model, IncidentKind::out_of_memory, 1, 160, "", "out of memory");
  const Rule* only[] = {find_rule("NCA402")};
  const Report report = analyze(model, only);
  REQUIRE(report.findings.size() == 1);
  CHECK(report.findings[0].rule->id == "NCA402");
}

TEST_CASE("analyze: the same model gives the same report", "[rules]") {
  const Model model = healthy_job(3);
  const Report one = analyze(model);
  const Report two = analyze(model);
  REQUIRE(one.findings.size() == two.findings.size());
  for (std::size_t i = 0; i < one.findings.size(); ++i) CHECK(one.findings[i].message == two.findings[i].message);
}

TEST_CASE("NCA101: says which ranks are here", "[rules]") {
  Model model = healthy_job(4);
  model.communicators[0].ranks.resize(1);
  const Finding* finding = nullptr;
  const Report report = analyze(model);
  finding = find(report, "partial-input");
  REQUIRE(finding != nullptr);
  CHECK(finding->message == "1 of 4 ranks in this input: rank 0; no line of ranks 1-3");
}

TEST_CASE("NCA201: needs most ranks to be here", "[rules]") {
  Model model = healthy_job(4);
  for (Rank& rank : model.communicators[0].ranks) {
    rank.state = RankState::started;
    rank.phase = InitPhase::bootstrap;
  }
  model.communicators[0].ranks.pop_back();
  model.processes.pop_back();
  Report report = analyze(model);
  const Finding* finding = find(report, "ranks-not-started");
  REQUIRE(finding != nullptr);
  CHECK(finding->ranks == std::vector<int>{3});
  CHECK(find(report, "init-incomplete") == nullptr);

  model.communicators[0].ranks.resize(1);
  model.processes.resize(1);
  report = analyze(model);
  CHECK(find(report, "ranks-not-started") == nullptr);
  CHECK(find(report, "init-incomplete") != nullptr);
}

TEST_CASE("NCA203: the wait in recv names the next rank", "[rules]") {
  Model model = healthy_job(4);
  for (Rank& rank : model.communicators[0].ranks)
    rank.bootstrap_seconds = BootstrapSeconds{.total = 60, .ring = 59.9, .at = line(20)};
  model.communicators[0].ranks[3].bootstrap_seconds->recv = 59.8;
  const Report report = analyze(model);
  const Finding* finding = find(report, "late-rank");
  REQUIRE(finding != nullptr);
  CHECK(finding->ranks == std::vector<int>{0});
}

TEST_CASE("NCA208: lo is wrong between hosts only, and only until the bootstrap went through", "[rules]") {
  Model model = healthy_job(2);
  for (Process& process : model.processes) {
    process.bootstrap_interface = "lo";
    process.bootstrap_address = "127.0.0.1<0>";
  }
  CHECK(find(analyze(model), "bad-interface") == nullptr);
  for (Rank& rank : model.communicators[0].ranks) {
    rank.state = RankState::started;
    rank.phase = InitPhase::bootstrap;
  }
  CHECK(find(analyze(model), "bad-interface") != nullptr);
  model.communicators[0].nnodes = -1;
  model.processes[1].host = model.processes[0].host;
  CHECK(find(analyze(model), "bad-interface") == nullptr);
}

TEST_CASE("NCA210: a retry is no failure", "[rules]") {
  Model model = healthy_job(2);
  add_incident(model, IncidentKind::connect_retried, 0, 15, "10.0.0.2<4242>", "Connection refused");
  model.incidents[0].level = Level::info;
  CHECK(is_quiet(analyze(model)));
}

TEST_CASE("NCA301: one finding for the plugin and its effect", "[rules]") {
  Model model = healthy_job(4);
  for (Process& process : model.processes) {
    Plugin plugin;
    plugin.kind = "net";
    plugin.name = "Libfabric";
    plugin.version = "aws-ofi-nccl 1.16.2, libfabric 2.1";
    plugin.status = PluginStatus::failed;
    plugin.reason = "No eligible providers were found";
    plugin.evidence = seen_at(5);
    process.plugins.push_back(plugin);
    process.platform = "g6e.8xlarge";
  }
  const Report report = analyze(model);
  REQUIRE(!report.findings.empty());
  const Finding& first = report.findings[0];
  CHECK(first.rule->name == "net-plugin-failed");
  CHECK(first.message.find("aws-ofi-nccl 1.16.2 (libfabric 2.1)") != std::string::npos);
  CHECK(first.message.find("4 nodes") != std::string::npos);
  CHECK(first.message.find("eth0") != std::string::npos);
  CHECK(first.message.find("g6e.8xlarge") != std::string::npos);
  CHECK(first.fix.find("vpc.amazonaws.com/efa") != std::string::npos);
  CHECK(find(report, "socket-fallback") == nullptr);
  CHECK(find(report, "tcp-only-network") == nullptr);
}

TEST_CASE("NCA301: a plugin that nobody asked for may be missing", "[rules]") {
  Model model = healthy_job(2);
  Plugin plugin;
  plugin.kind = "net";
  plugin.library = "libnccl-net.so";
  plugin.status = PluginStatus::missing;
  plugin.evidence = seen_at(5);
  model.processes[0].plugins.push_back(plugin);
  CHECK(is_quiet(analyze(model)));
  model.processes[0].plugins[0].requested = true;
  CHECK(find(analyze(model), "net-plugin-failed") != nullptr);
  model.processes[0].plugins[0].library = "libnccl-net-none.so";
  CHECK(is_quiet(analyze(model)));
}

TEST_CASE("NCA401: shared memory is a fault only where P2P could be expected", "[rules]") {
  Model model = healthy_job(2);
  Communicator& comm = model.communicators[0];
  comm.nnodes = 1;
  model.processes[1].host = model.processes[0].host;
  model.processes[1].bootstrap_address = model.processes[0].bootstrap_address;
  comm.transports = {"SHM"};
  comm.transport_evidence = {seen_at(60)};
  comm.connections = {Connection{.from = 0, .to = 1, .channel = 0, .transport = 0}};
  Report report = analyze(model);
  CHECK(find(report, "shm-instead-of-p2p") == nullptr);
  CHECK(std::any_of(report.not_evaluated.begin(), report.not_evaluated.end(),
                    [](const NotEvaluated& open) { return open.rule == "NCA401"; }));
  for (Process& process : model.processes) process.worst_path = "SYS";
  CHECK(find(analyze(model), "shm-instead-of-p2p") == nullptr);
  for (Process& process : model.processes) process.worst_path = "NVL";
  CHECK(find(analyze(model), "shm-instead-of-p2p") != nullptr);
  for (Process& process : model.processes) process.env["NCCL_P2P_DISABLE"] = {"1", line(3)};
  report = analyze(model);
  CHECK(find(report, "shm-instead-of-p2p") == nullptr);
  CHECK(find(report, "p2p-disabled") != nullptr);
}

TEST_CASE("NCA606: the silent one died", "[rules]") {
  Model model = healthy_job(4);
  for (const Index witness : {0, 1, 3}) {
    add_incident(model, IncidentKind::connection_closed, witness, 90 + static_cast<std::uint64_t>(witness) * 100);
    model.communicators[0].ranks[static_cast<std::size_t>(witness)].state = RankState::failed;
  }
  const Report report = analyze(model);
  REQUIRE(!report.findings.empty());
  CHECK(report.findings[0].rule->name == "process-died");
  CHECK(report.findings[0].ranks == std::vector<int>{2});
  const Finding* closed = find(report.findings[0].consequences, "peer-closed");
  REQUIRE(closed != nullptr);
  CHECK(closed->consequence);
  const std::vector<const Rule*> echo = {find_rule("peer-closed")};
  const Report alone = analyze(model, echo);  // the cause was not asked for: its echo still stands
  REQUIRE(alone.findings.size() == 1);
  CHECK(alone.findings[0].rule->name == "peer-closed");
}

TEST_CASE("NCA606: processes that all just end did not die", "[rules]") {
  CHECK(find(analyze(healthy_job(8)), "process-died") == nullptr);
}

}  // namespace nccl_analyze
