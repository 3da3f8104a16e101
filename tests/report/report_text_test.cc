// The writers for people and for Graphviz, on a model built by hand: verdict, proof, width, and hostile text.

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <numeric>
#include <sstream>
#include <string>

#include "catch.h"
#include "nccl_analyze/export.h"
#include "report/escape.h"
#include "report/text_paths.h"
#include "report/wrap.h"
#include "report_models.h"

namespace nccl_analyze {
namespace {

using namespace test;
using Json = nlohmann::json;

std::string json_text(const Model& model, const Report& report) {
  std::ostringstream out;
  write_json(out, model, report);
  return out.str();
}

std::string text(const Model& model, const Report& report, const TextOptions& options = {}) {
  std::ostringstream out;
  write_text(out, model, report, options);
  return out.str();
}

std::string dot(const Model& model) {
  std::ostringstream out;
  REQUIRE(write_dot(out, model, Report{}));
  return out.str();
}

std::size_t widest_line(const std::string& written) {
  std::istringstream lines{written};
  std::size_t widest = 0;
  for (std::string each; std::getline(lines, each);) widest = std::max(widest, columns(each));
  return widest;
}

}  // namespace

TEST_CASE("report: control characters, invisible ones and broken UTF-8 are written as escapes") {
  CHECK(visible("plain \\ \"text\"") == "plain \\ \"text\"");
  CHECK(visible("\x1b[31m\t\xff\xe2\x80\xae"
                "é") ==
        "\\x1b[31m\\x09\\xff\\u202e"
        "é");
  CHECK(visible("\xc0\xaf\xed\xa0\x80\xf5") == "\\xc0\\xaf\\xed\\xa0\\x80\\xf5");
  CHECK(visible("\xe2\x82") == "\\xe2\\x82");
  CHECK(dot_text("\\N&#27;\"") == "\\\\N\\\\x26#27;\"");
  CHECK(shortened("äöü", 3) == "äöü");
  CHECK(shortened("äöüß", 3) == "äöü...");
  CHECK(to_hex(0) == "0");
  CHECK(to_hex(0xbc42413ad5ab3a45) == "bc42413ad5ab3a45");
}

TEST_CASE("report: hostile text stays text") {
  Model model = small_model(hostile);
  model.processes[0].pod = model.processes[0].network = hostile;
  model.processes[0].env[hostile] = {hostile, line(1)};
  model.sources[0].name = hostile;
  model.quotes[0].text = model.unrecognized[0].text = hostile;
  model.communicators[0].transports[0] = "NET/" + hostile;
  Report report = small_report();
  report.findings[0].occurrence.message = report.findings[0].occurrence.fix = hostile;
  report.checks[0].detail = report.not_evaluated[0].reason = hostile;

  const std::string json = json_text(model, report);
  CHECK(!has_controls(json));
  CHECK_NOTHROW(Json::parse(json));
  CHECK(!has_controls(text(model, report, {.color = false, .verbose = true})));
  std::string graph = dot(model);
  std::erase(graph, '\t');  // cgraph's own indentation
  CHECK(!has_controls(graph));
  CHECK(contains(graph, "\\\\x1b[31m\\\"\\\\N\\\\G"));
  for (auto at = graph.find('&'); at != std::string::npos; at = graph.find('&', at + 1))
    CHECK((graph.substr(at).starts_with("&lt;") || graph.substr(at).starts_with("&gt;") ||
           graph.substr(at).starts_with("&quot;")));
}

TEST_CASE("report: the text begins with the verdict and proves it") {
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

TEST_CASE("report: a healthy job is reported as ok, an input without proof as unknown") {
  Model model = small_model();
  Report report;
  CHECK(text(model, report).starts_with("OK  no fault found in what this log shows (1 of 4 ranks)\n"));
  Occurrence partial;
  partial.evidence = evidence_at(2);
  report.findings = {{&note, partial, {}}};
  CHECK(text(model, report).starts_with("OK  "));
  CHECK(!contains(text(model, report), "Fix:"));
  CHECK(contains(text(model, report, {.verbose = true}), "Fix: Give all logs."));
  model.communicators[0].ranks[0].state = RankState::started;
  CHECK(text(model, report).starts_with("UNKNOWN  "));
  model.communicators.clear();
  CHECK(text(model, report).starts_with("UNKNOWN  "));
  CHECK(text(Model{}, Report{}).starts_with("UNKNOWN  no NCCL line in this input"));
}

TEST_CASE("report: a warning that no rule explains is shown") {
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

TEST_CASE("report: communicators that are alike are one line of the text") {
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

TEST_CASE("report: a fix that several findings share stands once") {
  Report report = small_report();
  report.findings.push_back(report.findings.front());
  std::string written = text(small_model(), report);
  CHECK(contains(written, "  Fix: as for NCA301 above\n"));
  CHECK(written.find("Ask for the device.") == written.rfind("Ask for the device."));
  report.findings.back().occurrence.fix = "Something else.";
  CHECK(contains(text(small_model(), report), "  Fix: Something else.\n"));
}

TEST_CASE("report: rings in words, the same wherever they begin") {
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

TEST_CASE("report: few answers to checks are enough, with their names where many are open") {
  Report report = small_report();
  report.checks = {{"network", CheckStatus::pass, "IB"}};
  for (const std::string_view name : {"transports", "versions", "ranks", "rings"})
    report.checks.push_back({std::string(name), CheckStatus::unknown, "because of " + std::string(name)});
  const std::string written = text(small_model(), report);
  CHECK(contains(written, "  pass     network: IB\n  unknown  transports, versions, ranks, rings: nothing"));
  CHECK(!contains(written, "because of"));
  CHECK(contains(text(small_model(), report, {.verbose = true}), "  unknown  rings: because of rings\n"));
}

TEST_CASE("report: words wrap at the page's width") {
  std::string words;
  for (int i = 0; i < 60; ++i) words += "wörter ";
  CHECK(widest_line(wrap(words, 10, 4)) <= page_columns);
  CHECK(wrap("a  b", 0, 0) == "a  b");
  CHECK(wrap(" \n", 0, 0).empty());
  CHECK(wrap_markdown("one\ntwo\n\n- a\n  b\n- c\n```\ncode  here\n```\nend", 2, "\n\n") ==
        "  one two\n\n  - a b\n  - c\n\n      code  here\n\n  end");
  CHECK(wrap_markdown("", 2, "\n").empty());
}

TEST_CASE("report: code between backticks stays in one piece") {
  CHECK(wrap_markdown("see `a b c d` now", 0, "\n", 12) == "see\n`a b c d`\nnow");
  CHECK(wrap_markdown("see `a b c d e f g` now", 0, "\n", 12) == "see\n`a b c d e f g`\nnow");
  CHECK(wrap_markdown("an odd ` mark is a word", 0, "\n", 12) == "an odd `\nmark is a\nword");
  CHECK(wrap("plain `a b c d` text", 0, 0, 12) == "plain `a b c\nd` text");
}

TEST_CASE("report: notes that are alike are told once") {
  Model model = small_model();
  for (int i = 0; i < 6; ++i) model.communicators.push_back(model.communicators[0]);
  Report report;
  for (Index i = 0; i < 6; ++i) {
    Occurrence occurrence;
    occurrence.message = std::to_string(i + 1) + " of 8 ranks in this input";
    occurrence.communicators = {i};
    occurrence.evidence = evidence_at(3);
    report.findings.push_back({&note, occurrence, {}});
    model.communicators[static_cast<std::size_t>(i)].name = "tp:" + std::to_string(i);
  }
  report.findings.push_back(report.findings[0]);
  report.findings.back().occurrence.message = "something else";
  const std::string folded = text(model, report);
  CHECK(contains(folded, "1 of 8 ranks"));
  CHECK(!contains(folded, "2 of 8 ranks"));
  CHECK(contains(folded, "and 5 more of its kind, for communicators tp:[1-5] (-v shows them)"));
  CHECK(contains(folded, "something else"));
  CHECK(contains(text(model, report, {.verbose = true}), "6 of 8 ranks"));
}

TEST_CASE("report: paths are told also where nothing shows them") {
  Model model = small_model();
  CHECK(contains(text(model, small_report()), "\nPaths\n"));
  model.communicators.clear();
  CHECK(contains(text(model, small_report()), "not shown: no communicator of two ranks is in this input"));
  model.communicators = {ring_of_four()};
  model.communicators[0].nranks = 1;
  CHECK(contains(text(model, small_report()), "none: no communicator has more than one rank"));
}

TEST_CASE("report: a number within a sentence is no list item") {
  CHECK(wrap_markdown("1. No firewall on UDP\n   4791. InfiniBand: a subnet manager\n2. next", 0, "\n") ==
        "1. No firewall on UDP 4791. InfiniBand: a subnet manager\n2. next");
  CHECK(wrap_markdown("It counts from\n1. to\n2. and ends.", 0, "\n") == "It counts from 1. to 2. and ends.");
  CHECK(wrap_markdown("Two steps:\n1. one\n2. two", 0, "\n") == "Two steps:\n1. one\n2. two");
  CHECK(wrap_markdown("1. a\n   1. b\n   2. c\n2. d", 0, "\n") == "1. a 1. b 2. c\n2. d");
  CHECK(wrap_markdown("1. a:\n   1. b\n   2. c\n2. d", 0, "\n") == "1. a:\n   1. b\n   2. c\n2. d");
}

TEST_CASE("report: code blocks keep their lines") {
  CHECK(wrap_markdown("Set:\n\n    A=1\n    B=2\n\nThen\ngo.", 0, "\n") == "Set:\n    A=1\n    B=2\nThen go.");
  CHECK(wrap_markdown("1. Mount:\n\n       volumes:\n         - name: shm\n\n2. next\n   line", 2, "\n") ==
        "  1. Mount:\n         volumes:\n           - name: shm\n  2. next line");
  CHECK(wrap_markdown("1. Mount:\n   ```yaml\n   volumes:\n     - name: shm\n\n   x: 1\n   ```\n   It counts.\n2. next",
                      0, "\n\n") ==
        "1. Mount:\n\n       volumes:\n         - name: shm\n\n       x: 1\n\n   It counts.\n2. next");
  CHECK(wrap_markdown("a\n\n  b c", 0, "\n") == "a\n  b c");
  CHECK(wrap_markdown("```\nnever closed", 0, "\n") == "    never closed");
  CHECK(wrap_markdown("1. **Pod.** Set `a**b` and **c\n\n       keep `this`", 0, "\n", 100, true) ==
        "1. \x1b[1mPod.\x1b[22m Set \x1b[36ma**b\x1b[39m and \x1b[1mc\x1b[22m\n       keep `this`");
}

TEST_CASE("report: page, table and JSON of the rules have every rule") {
  std::ostringstream page, table, json, one;
  write_rules_markdown(page);
  write_rules_table(table);
  write_rules_json(json);
  CHECK(Json::parse(json.str())["rules"].size() == all_rules().size());
  for (const Rule* rule : all_rules()) {
    CHECK(contains(page.str(), "## " + std::string{rule->info.id} + " " + std::string{rule->info.name} + "\n"));
    CHECK(contains(table.str(), "| " + std::string{rule->info.id} + " | "));
  }
  write_rule_text(one, fault);
  CHECK(one.str() ==
        "NCA301 net-plugin-failed (error)\nA network plugin was found but failed\n\nThe plugin failed.\n\n- one\n- "
        "two\n\n"
        "What to do\n\n1. Ask for the device.\n2. Look at `FI_PROVIDER`.\n");
}

}  // namespace nccl_analyze
