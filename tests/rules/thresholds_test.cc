// Tests the conditions under which rules report, at edges that no case of testdata/rules covers.

#include <algorithm>
#include <string>
#include <vector>

#include "catch.h"
#include "rules/healthy_job.h"

namespace nccl_analyze::test {

TEST_CASE("NCA101: says which ranks are here", "[rules]") {
  Model model = healthy_job(4);
  model.communicators[0].ranks.resize(1);
  const Finding* finding = nullptr;
  const Report report = analyze(model);
  finding = find(report, "partial-input");
  REQUIRE(finding != nullptr);
  CHECK(finding->message == "1 of 4 ranks of a communicator is in this input (rank 0); ranks 1-3 are not");
}

TEST_CASE("NCA201: names the missing rank where most ranks are in the input, and is silent where few are", "[rules]") {
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
    rank.bootstrap_seconds = BootstrapSeconds{.total = 60, .ring = 59.9, .at = at_line(20)};
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
  CHECK(first.steps.at(0).text.find("vpc.amazonaws.com/efa") != std::string::npos);
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
  for (Process& process : model.processes) process.env["NCCL_P2P_DISABLE"] = {"1", at_line(3)};
  report = analyze(model);
  CHECK(find(report, "shm-instead-of-p2p") == nullptr);
  CHECK(find(report, "p2p-disabled") != nullptr);
}

TEST_CASE("NCA606: the rank whose peers lost their connections, and that printed no error, died", "[rules]") {
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
  const Report alone = analyze(model, echo);  // Without the rule of the cause, the symptom is the finding.
  REQUIRE(alone.findings.size() == 1);
  CHECK(alone.findings[0].rule->name == "peer-closed");
}

TEST_CASE("NCA606: processes that all just end did not die", "[rules]") {
  CHECK(find(analyze(healthy_job(8)), "process-died") == nullptr);
}

}  // namespace nccl_analyze::test
