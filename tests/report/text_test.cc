// Tests the text report of a model built by hand: the verdict, its evidence, and what is shortened.

#include <algorithm>
#include <numeric>
#include <sstream>
#include <string>
#include <vector>

#include "catch.h"
#include "messages/meanings.h"
#include "nccl_analyze/report.h"
#include "report/sentences/paths.h"
#include "report/text_report.h"
#include "report_models.h"

namespace nccl_analyze::test {
namespace {

std::string text(const Model& model, const Report& report, const TextOptions& options = {}) {
  std::ostringstream out;
  write_text(out, model, report, options);
  return out.str();
}

}  // namespace

TEST_CASE("text report: the text begins with the verdict and proves it") {
  const std::string written = text(small_model(), small_report());
  CHECK(written.starts_with("ERROR  A network plugin was found but failed\n"));
  CHECK(contains(written, "4 ranks (1 in this input) on 4 nodes"));
  CHECK(contains(written, "2 x NET/Socket"));
  CHECK(contains(written, "worker-0.log:3  worker-0:152:152 [0] NCCL WARN it failed\n    ... and 6 more\n"));
  CHECK(contains(written, "  Fix: 1. Ask for the device.\n       2. Look at `FI_PROVIDER`.\n"));
  CHECK(contains(written, "NCA304: no line of the subsystem NET; needs NCCL_DEBUG_SUBSYS=INIT,NET"));
  CHECK(contains(written, "75.0 % recognised"));
  CHECK(!contains(written, "\x1b"));
  CHECK(contains(text(small_model(), small_report(), {.color = true}), "\x1b[1;31mERROR\x1b[0m"));
}

TEST_CASE("text report: a healthy job is reported as ok, an input without proof as unknown") {
  Model model = small_model();
  Report report;
  CHECK(text(model, report).starts_with("OK  no fault found in what this log shows (1 of 4 ranks)\n"));
  Finding partial{.rule = &note};
  partial.evidence = evidence_at(2);
  report.findings = {partial};
  CHECK(text(model, report).starts_with("OK  "));
  CHECK(!contains(text(model, report), "Fix:"));
  CHECK(contains(text(model, report, {.verbose = true}), "Fix: Give all logs."));
  model.communicators[0].ranks[0].state = RankState::started;
  CHECK(text(model, report).starts_with("UNKNOWN  "));
  model.communicators.clear();
  CHECK(text(model, report).starts_with("UNKNOWN  "));
  CHECK(text(Model{}, Report{}).starts_with("UNKNOWN  no NCCL line in this input"));
}

TEST_CASE("text report: a warning that no rule explains is shown") {
  Model model = small_model();
  Incident incident;
  incident.kind = IncidentKind::other_warning;
  incident.message = "something new";
  incident.evidence = evidence_at(3);
  model.incidents = {incident};
  Report report;
  report.unexplained_warnings = {0};
  CHECK(contains(text(model, report), "Warnings that no rule explains\n  worker-0.log:3  something new\n"));
  CHECK(!contains(text(model, small_report()), "something new"));
}

TEST_CASE("text report: communicators that are alike are one line of the text") {
  Model model = small_model();
  for (int i = 0; i < 500; ++i) {
    Communicator pair = ring_of_four();
    pair.nranks = 2;
    pair.comm_id = static_cast<std::uint64_t>(i) + 1;
    model.communicators.push_back(pair);
  }
  const std::string written = text(model, {});
  CHECK(contains(written, "communicator 0xbc42413ad5ab3a45: 4 ranks"));
  CHECK(contains(written, "500 communicators alike: 2 ranks"));
  CHECK(std::count(written.begin(), written.end(), '\n') < 20);
  CHECK(contains(text(model, {}, {.verbose = true}), "communicator 0x1f4: 2 ranks"));
}

TEST_CASE("text report: a fix that several findings share stands once") {
  Report report = small_report();
  report.findings.push_back(report.findings.front());
  std::string written = text(small_model(), report);
  CHECK(contains(written, "  Fix: as for NCA301 above\n"));
  CHECK(written.find("Ask for the device.") == written.rfind("Ask for the device."));
  report.findings.back().fix = "Something else.";
  CHECK(contains(text(small_model(), report), "  Fix: Something else.\n"));
}

TEST_CASE("text report: a fix without steps has no heading, in no format") {
  Report report = small_report();
  const RuleWords words{.title = "Without steps", .explanation = "", .fix = ""};
  const RuleInfo rule{.id = "SITE1", .name = "of-a-site", .severity = Severity::error, .words = &words};
  report.findings.front().rule = &rule;
  report.findings.front().fix = "";
  CHECK(!contains(text(small_model(), report), "Fix"));
  std::ostringstream markdown;
  write_markdown(markdown, small_model(), report);
  CHECK(!contains(markdown.str(), "Fix"));
}

TEST_CASE("text report: consequences stand below the words that relate them, with the places of their lines") {
  Report report = small_report();
  Finding consequence{.rule = &note};
  consequence.message = "it went on";
  consequence.evidence = evidence_at(3, 3);
  report.findings.front().consequences = {consequence, consequence};
  report.findings.front().consequences[1].message = "and on";
  const std::string written = text(small_model(), report);
  CHECK(contains(written,
                 "\n  Follows from it:\n    NCA101 partial-input: it went on\n      worker-0.log:3 and 2 more\n"
                 "    NCA101 partial-input: and on\n      worker-0.log:3 and 2 more\n"));
  CHECK(contains(text(small_model(), report, {.verbose = true}),
                 "      worker-0.log:3  worker-0:152:152 [0] NCCL WARN it failed\n      ... and 2 more\n"));
}

TEST_CASE("text report: what a message means is said once, where all is told") {
  Model model = small_model();
  Incident incident;
  incident.message = "Could not find any local path from gpu 0 to net.";
  incident.evidence = evidence_at(3);
  incident.evidence.lines.push_back(line(4));
  const Meaning* const meaning = meaning_of(incident.message);
  REQUIRE(meaning != nullptr);
  const std::string_view begin = std::string_view(meaning->text).substr(0, 20);
  Report report = small_report();
  report.findings.front().incidents = {0};
  report.findings.front().evidence = incident.evidence;
  model.incidents = {incident};
  const std::string written = text(model, report, {.verbose = true});
  CHECK(contains(written, begin));
  CHECK(written.find(begin) == written.rfind(begin));
  CHECK(!contains(text(model, report), begin));
}

TEST_CASE("text report: the next steps come last, the failures behind the findings") {
  const std::string head = "[2026-03-04 10:00:0";
  std::string log;
  for (const char* const node : {"node-1", "node-2"}) {
    const std::string at = std::string("] ") + node + ":10:20 [0] ";
    log += head + "1" + at + "NCCL INFO Using network Socket\n";
    log += head + node[5] + at + "misc/socket.cc:50 NCCL WARN socketProgress: Connection closed by remote peer n<4>\n";
    log += head + node[5] + at + "NCCL INFO misc/socket.cc:58 -> 6\n";
  }
  const std::string written = text_of(log);
  const std::size_t failures =
      written.find("\nFailures, in order of time\n  first  10:00:01  node-1, pid 10: socketProg");
  REQUIRE(failures != std::string::npos);
  CHECK(contains(written, "\n  10:00:02  node-2, pid 10: socketProgress"));
  CHECK(written.find("NCA211 peer-closed") < failures);
  CHECK(failures < written.find("\nChecks\n"));
  CHECK(written.rfind("\nInput\n") < written.rfind("\nNext\n"));
}

TEST_CASE("text report: rings in words, the same wherever they begin") {
  Communicator comm;
  comm.nranks = 4;
  const auto add_ring = [&comm](std::vector<int> order) {
    Ring ring;
    ring.order = order;
    ring.complete = true;
    comm.rings.push_back(ring);
  };
  const auto rings = [&comm] { return describe_rings(comm); };
  CHECK(rings().empty());
  add_ring({0, 3, 2, 1});
  CHECK(rings() == "1 ring: 0→3→2→1→0");
  add_ring({2, 1, 0, 3});
  CHECK(rings() == "2 rings: 0→3→2→1→0");
  add_ring({0, 1, 2, 3});
  CHECK(rings() == "3 rings in 2 orders: 0→1→2→3→0; 0→3→2→1→0");
  add_ring({0, 2, 1, 3});
  CHECK(rings() == "4 rings in 3 orders, such as 0→1→2→3→0");
  comm.rings.clear();
  std::vector<int> many(640);
  std::iota(many.begin(), many.end(), 0);
  add_ring(many);
  CHECK(rings() == "1 ring: 0→1→2→3→…→638→639→0");
}

TEST_CASE("text report: few answers to checks are enough, with their names where many are open") {
  Report report = small_report();
  report.checks = {{"network", CheckStatus::pass, "IB"}};
  for (const std::string_view name : {"transports", "versions", "ranks", "rings"})
    report.checks.push_back({std::string(name), CheckStatus::unknown, "no line of " + std::string(name)});
  const std::string written = text(small_model(), report);
  CHECK(contains(written, "  pass     network: IB\n  unknown  transports, versions, ranks, rings: not answered"));
  CHECK(!contains(written, "no line of rings"));
  CHECK(contains(text(small_model(), report, {.verbose = true}), "  unknown  rings: no line of rings\n"));
}

TEST_CASE("text report: notes that are alike are told once") {
  Model model = small_model();
  for (int i = 0; i < 6; ++i) model.communicators.push_back(model.communicators[0]);
  Report report;
  for (Index i = 0; i < 6; ++i) {
    Finding finding{.rule = &note};
    finding.message = std::to_string(i + 1) + " of 8 ranks in this input";
    finding.communicators = {i};
    finding.evidence = evidence_at(3);
    report.findings.push_back(finding);
    model.communicators[static_cast<std::size_t>(i)].name = "tp:" + std::to_string(i);
  }
  report.findings.push_back(report.findings[0]);
  report.findings.back().message = "something else";
  const std::string folded = text(model, report);
  CHECK(contains(folded, "1 of 8 ranks"));
  CHECK(!contains(folded, "2 of 8 ranks"));
  CHECK(contains(folded, "and 5 more of its kind, for communicators tp:[1-5] (-v shows them)"));
  CHECK(contains(folded, "something else"));
  CHECK(contains(text(model, report, {.verbose = true}), "6 of 8 ranks"));
}

TEST_CASE("text report: paths are told also where nothing shows them") {
  Model model = small_model();
  CHECK(contains(text(model, small_report()), "\nPaths\n"));
  model.communicators.clear();
  CHECK(!contains(text(model, small_report()), "\nPaths\n"));
  model.communicators = {ring_of_four()};
  model.communicators[0].nranks = 1;
  CHECK(contains(text(model, small_report()), "none: no communicator has more than one rank"));
}

}  // namespace nccl_analyze::test
