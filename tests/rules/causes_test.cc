// Tests the chain from symptom to cause, and the handling of warnings that no rule explains.

#include "rules/causes.h"

#include <algorithm>
#include <string>

#include "catch.h"
#include "messages/row.h"
#include "model/resolve/errors.h"
#include "model_of.h"
#include "nccl_analyze/analyzer.h"
#include "nccl_analyze/event.h"
#include "nccl_analyze/report.h"
#include "nccl_analyze/requirements.h"
#include "row_example.h"
#include "rules/code_places.h"
#include "rules/topics.h"

namespace nccl_analyze {
namespace {

std::string prefix(int process) {
  return "gpu" + std::to_string(process) + ":" + std::to_string(100 + process) + ":9 [0] ";
}

Finding finding(std::string_view rule, std::uint64_t line, std::vector<Index> processes) {
  Finding one{.rule = &find_rule(rule)->info};
  one.evidence.add({SourceId{0}, line});
  one.processes = std::move(processes);
  return one;
}

std::string_view first_name(const Report& report) {
  return report.findings.empty() ? std::string_view() : report.findings[0].rule->name;
}

bool holds_line(const std::vector<Finding>& findings, std::uint64_t line) {
  return std::any_of(findings.begin(), findings.end(), [&](const Finding& one) {
    const auto& lines = one.evidence.lines;
    return (one.severity() != Severity::info &&
            std::any_of(lines.begin(), lines.end(), [&](LineRef at) { return at.line == line; })) ||
           holds_line(one.consequences, line);
  });
}

/// Whether the line is in a finding above info, or among the warnings that no rule explains.
bool is_shown(const Model& model, const Report& report, std::uint64_t line) {
  return holds_line(report.findings, line) ||
         std::any_of(report.unexplained_warnings.begin(), report.unexplained_warnings.end(), [&](Index index) {
           const auto& lines = model.incidents[index].evidence.lines;
           return std::any_of(lines.begin(), lines.end(), [&](LineRef at) { return at.line == line; });
         });
}

}  // namespace

TEST_CASE("causes: a closed connection follows from the failure of another process", "[causes]") {
  std::vector<Finding> findings = {finding("peer-closed", 5, {0}), finding("out-of-memory", 9, {1})};
  link_causes({}, findings);
  REQUIRE(findings.size() == 1);
  CHECK(findings[0].rule->name == "out-of-memory");
  REQUIRE(findings[0].consequences.size() == 1);
  CHECK(findings[0].consequences[0].rule->name == "peer-closed");
  CHECK(findings[0].consequences[0].consequence);
}

TEST_CASE("causes: what a process met itself follows only from what it met before", "[causes]") {
  std::vector<Finding> apart = {finding("driver-too-old", 5, {0}), finding("out-of-memory", 9, {1})};
  link_causes({}, apart);
  CHECK(apart.size() == 2);
  std::vector<Finding> together = {finding("driver-too-old", 5, {0}), finding("cuda-error", 9, {0})};
  link_causes({}, together);
  REQUIRE(together.size() == 1);
  CHECK(together[0].rule->name == "driver-too-old");
}

TEST_CASE("causes: an exception behind a network failure of its own process follows from it", "[causes]") {
  std::vector<Finding> later = {finding("ib-timeout", 5, {0}), finding("application-error", 9, {0})};
  link_causes({}, later);
  REQUIRE(later.size() == 1);
  CHECK(later[0].rule->name == "ib-timeout");
  std::vector<Finding> earlier = {finding("ib-timeout", 15, {0}), finding("application-error", 9, {1})};
  link_causes({}, earlier);
  REQUIRE(earlier.size() == 1);
  CHECK(earlier[0].rule->name == "application-error");
}

TEST_CASE("causes: what a process survived explains nothing", "[causes]") {
  std::vector<Finding> findings = {finding("ib-link-flap", 5, {0}), finding("peer-closed", 9, {0})};
  findings[0].survived = true;
  link_causes({}, findings);
  CHECK(findings.size() == 2);
}

TEST_CASE("causes: what is inferred from absence gives way to what is proven", "[causes]") {
  std::vector<Finding> findings = {finding("process-died", 5, {0}), finding("out-of-memory", 9, {1})};
  link_causes({}, findings);
  REQUIRE(findings.size() == 1);
  CHECK(findings[0].rule->name == "out-of-memory");
  CHECK(findings[0].consequences.empty());
}

TEST_CASE("topics: the place in NCCL's code tells where words are generic or unknown", "[causes]") {
  struct Place {
    std::string_view place, rule;
    std::string_view message = "something new";
  };
  constexpr Place rows[] = {{"transport/nvls.cc:254", "nvls-failed"},
                            {"include/shm.h:28", "shm-too-small", "could not extend the file"},
                            {"transport/p2p.cc:238", "p2p-failed"},
                            {"mnnvl.cc:40", "mnnvl-failed"},
                            {"misc/ibvwrap.cc:262", "ib-connect-failed", "the new verb modify_qp failed"},
                            {"transport/net_ib.cc:1500", "ib-connect-failed", "remote side gave up"},
                            {"misc/socket.cc:400", "connect-failed"},
                            {"bootstrap.cc:77", "connect-failed"},
                            {"graph/topo.cc:99", "topology-detect-failed"},
                            {"tcpxResult_t tcpxCommProgress(tcpxComm*):1231", "tcpx-timeout"},
                            {"init.cc:1", ""}};
  for (const Place& row : rows) {
    INFO(row.place);
    CHECK(rule_of_place(row.place) == row.rule);
    CHECK((code_purpose_at(row.place) != nullptr) == !row.rule.empty());
    Incident incident;
    incident.kind = IncidentKind::other_warning;
    incident.message = row.message;
    incident.place = row.place;
    CHECK(topic_of(incident).rule == row.rule);
  }
  CHECK(rule_of_message_at_place("misc/ibvwrap.cc:262", "something new").empty());
  CHECK(rule_of_message_at_place("include/shm.h:28", "Call to open failed: No such file or directory").empty());
  CHECK(rule_of_message_at_place("misc/ibvwrap.cc:88", "Call to ibv_open_device failed") == "ib-no-device");
  Incident cuda;
  cuda.kind = IncidentKind::cuda_failed;
  cuda.event = KeptEvent(CudaFailed{.code = 801, .error = "operation not supported"});
  cuda.error = "operation not supported";
  CHECK(topic_of(cuda).rule == "cuda-error");
  cuda.place = "transport/nvls.cc:254";
  CHECK(topic_of(cuda).rule == "nvls-failed");
}

TEST_CASE("errors: any spelling of an errno is one number", "[causes]") {
  const auto number = [](std::string_view error, int code = -1) {
    Incident incident;
    incident.kind = IncidentKind::call_failed;
    CallFailed event;
    event.reason = error;
    event.code = code;
    incident.event = KeptEvent(event);
    incident.error = error;
    return builder::errno_of(incident);
  };
  CHECK(number("Cannot allocate memory") == 12);
  CHECK(number("", 12) == 12);
  CHECK(number("Unknown error -12") == 12);
  CHECK(number("Unable to register memory. RC: -12") == 12);
  CHECK(number("Connection timed out") == 110);
  CHECK(number("no room") == 0);
  CHECK(number("Unknown error 99999999999999999999") == 0);
}

TEST_CASE("incidents: lines behind an incident show whether it failed a call, and whether its process went on",
          "[causes]") {
  const std::string gap = prefix(1) + "NCCL INFO Using network Socket\n";
  const Model model =
      model_of(prefix(0) + "NCCL WARN Call to ibv_create_qp failed with error Cannot allocate memory\n" + gap +
               prefix(0) + "NCCL INFO transport/net_ib.cc:664 -> 2\n" + prefix(0) +
               "NCCL INFO transport/net.cc:631 -> 2\n" + prefix(1) + "NCCL WARN Something that no version prints\n" +
               prefix(1) + "NCCL INFO Channel 00/0 : 0[0] -> 1[0] [send] via NET/Socket/0\n" + prefix(1) +
               "NCCL WARN The last words of this one\n");
  REQUIRE(model.incidents.size() == 5);
  const Incident& call = model.incidents[0];
  CHECK(call.error_number == 12);
  CHECK(call.failed);
  CHECK_FALSE(call.survived);
  CHECK(call.error_trace == 1);
  CHECK(model.incidents[1].kind == IncidentKind::error_propagated);
  const Incident& shrugged_off = model.incidents[3];
  CHECK(shrugged_off.survived);
  CHECK_FALSE(shrugged_off.failed);
  CHECK(shrugged_off.error_trace == -1);
  CHECK_FALSE(model.incidents[4].survived);
}

TEST_CASE("causes: no warning is lost, known or not, cut or not", "[causes]") {
  const std::string head = prefix(0) + "NCCL INFO Bootstrap : Using eth0:10.0.0.1<0>\n";
  for (const std::string words : {"Something that no version prints", "Mismatched NCCL vers"}) {
    INFO(words);
    const Model model = model_of(head + prefix(0) + "init.cc:77 NCCL WARN " + words + "\n");
    const Report report = analyze(model);
    CHECK(is_shown(model, report, 2));
    CHECK(first_name(report) == "internal-error");
  }
}

TEST_CASE("causes: a warning that the process survived is listed and is no finding", "[causes]") {
  const Model model = model_of(
      prefix(0) + "init.cc:77 NCCL WARN Something that no version prints\n" + prefix(0) +
      "NCCL INFO ncclCommInitRankConfig comm 0x5 rank 0 nranks 1 cudaDev 0 nvmlDev 0 busId 1000 commId 0x7 - Init "
      "COMPLETE\n");
  const Report report = analyze(model);
  CHECK(report.unexplained_warnings.size() == 1);
  CHECK(std::none_of(report.findings.begin(), report.findings.end(),
                     [](const Finding& one) { return one.severity() != Severity::info; }));
}

TEST_CASE("causes: every warning is still shown when its wording is hidden from the table", "[causes][slow]") {
  std::size_t tried = 0;
  for (const Family& family : all_families())
    for (const Row& row : family.rows) {
      if (row.kind->name != "warned") continue;
      ++tried;
      const std::string example = examples_of(row).front();
      INFO(example);
      const std::string line = prefix(0) + "transport/nvls.cc:254 NCCL WARN zz " + example + "\n";
      const Model model = model_of(line);
      const Report report = analyze(model);
      CHECK(is_shown(model, report, 1));
      CHECK(first_name(report) != "");
    }
  CHECK(tried > 20);
}

}  // namespace nccl_analyze
