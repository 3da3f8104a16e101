// Runs every case of testdata/ and compares its records, findings or whole report with the files beside its logs. The
// report must not depend on how the bytes are divided into pieces.

#include <algorithm>
#include <array>
#include <iterator>
#include <memory>
#include <set>
#include <sstream>
#include <string>
#include <utility>

#include "catch.h"
#include "judged_case.h"
#include "nccl_analyze/analyzer.h"
#include "nccl_analyze/event.h"
#include "nccl_analyze/report.h"
#include "rule_golden.h"
#include "summarised.h"
#include "testdata.h"

namespace nccl_analyze {
namespace {

using test::merged, test::Random, test::summaries_of_parts;

struct Run {
  std::string rule;  ///< The rule of which it is a case, by its folder.
  Model model;
  Report report;
  std::string events;
};

std::string rule_of(const Case& test) { return test.folder.parent_path().filename().string(); }

/// Feeds pieces of `size` bytes, each from memory that is freed afterwards, so that sanitizers catch a dangling view.
void feed_pieces(Parser& parser, std::string_view bytes, std::size_t size) {
  for (; !bytes.empty(); bytes.remove_prefix(std::min(size, bytes.size()))) {
    const std::string_view from = bytes.substr(0, size);
    const auto piece = std::make_unique<char[]>(from.size());
    std::ranges::copy(from, piece.get());
    parser.feed({piece.get(), from.size()});
  }
}

Run run(const Case& test, std::size_t piece_size) {
  std::ostringstream events;
  ModelBuilder builder;
  std::uint32_t source = 0;
  for (const auto& log : test.logs) {
    Parser parser(SourceId{source}, [&](const Record& record) {
      write_event(events, record);
      builder.add(record);
    });
    feed_pieces(parser, read_file(log), piece_size);
    parser.finish();
    builder.add_source(SourceId{source++}, log.filename().string(), parser.stats());
  }
  Model model = std::move(builder).build();
  Report report = judge(test, model);
  return {rule_of(test), std::move(model), std::move(report), events.str()};
}

enum class Order : std::uint8_t { forwards, backwards, shuffled };

void put_in(Order order, std::vector<std::string>& parts, Random& random) {
  if (order == Order::backwards) std::ranges::reverse(parts);
  if (order == Order::shuffled) std::ranges::shuffle(parts, random);
}

/// Returns the run of a case whose sources were each cut into `wanted_parts` summaries, which were written, read back,
/// merged and replayed.
Run run_summarised(const Case& test, std::uint64_t wanted_parts, Order order, Random& random) {
  std::vector<std::string> summaries;
  for (const auto& log : test.logs)
    std::ranges::move(summaries_of_parts({log.filename().string(), read_file(log)}, wanted_parts, random),
                      std::back_inserter(summaries));
  put_in(order, summaries, random);
  ModelBuilder builder;
  merged(summaries).replay(builder);
  Model model = std::move(builder).build();
  Report report = judge(test, model);
  return {rule_of(test), std::move(model), std::move(report), {}};
}

std::string json(const Run& run) {
  std::ostringstream out;
  write_json(out, run.model, run.report);
  return out.str();
}

std::string findings(const Run& run) { return rule_golden(run.model, run.report, run.rule); }

/// The model in the JSON report, and which rules report something. The sentences of the rules are in their own cases.
std::string model_and_rules(const Run& run) {
  static const std::set<std::string_view> of_rules{"verdict", "findings", "not_evaluated", "checks", "acceptance"};
  std::istringstream report(json(run));
  std::string kept = "{\n  \"findings\": [";
  for (const Finding& finding : run.report.findings)
    kept.append(kept.ends_with('[') ? "\"" : ", \"")
        .append(finding.rule->id)
        .append(" ")
        .append(to_string(finding.severity()))
        .append("\"");
  kept += "],\n";
  bool is_kept = false;
  for (std::string line; std::getline(report, line);) {
    const std::size_t indent = line.find_first_not_of(' ');
    if (indent == 2 && line[2] == '"')
      is_kept = !of_rules.contains(std::string_view(line).substr(3, line.find('"', 3) - 3));
    if (indent > 0 && is_kept) kept += line + '\n';
  }
  return kept + "}\n";
}

std::string text(const Run& run) {
  std::ostringstream out;
  write_text(out, run.model, run.report);
  return out.str();
}

std::string dot(const Run& run) {
  std::ostringstream out;
  write_dot(out, run.model, run.report);
  return out.str();
}

std::string machine_dot(const Run& run) {
  std::ostringstream out;
  write_dot(out, run.model, run.report, {.view = DotView::machine});
  return out.str();
}

struct Expectation {
  std::string_view file;
  std::string (*actual)(const Run&);
};
const std::array<Expectation, 7> expectations{{{"expected.events.jsonl", [](const Run& run) { return run.events; }},
                                               {"expected.json", json},
                                               {"expected.model.json", model_and_rules},
                                               {"expected.findings.json", findings},
                                               {"expected.txt", text},
                                               {"expected.dot", dot},
                                               {"expected.machine.dot", machine_dot}}};

/// A folder of testdata/ and the files that its cases compare: at least one of these.
struct CaseKind {
  std::string folder;
  std::vector<std::string_view> files;
};
const std::array<CaseKind, 4> case_kinds{
    {{"messages", {"expected.events.jsonl"}},
     {"rules", {"expected.findings.json", "expected.txt"}},
     {"jobs", {"expected.json", "expected.model.json", "expected.txt", "expected.dot", "expected.machine.dot"}},
     {"damaged", {"expected.model.json"}}}};

void compare(const Case& test, const CaseKind& kind, const Run& run) {
  const auto exists = [&](std::string_view file) { return std::filesystem::exists(test.folder / file); };
  const bool is_new = std::ranges::none_of(kind.files, exists);
  for (const Expectation& expectation : expectations) {
    const bool is_wanted = expectation.file == kind.files.front() && is_new;
    if (!is_wanted && !exists(expectation.file)) continue;
    if (std::ranges::count(kind.files, expectation.file) == 0)
      FAIL_CHECK("a case of " << kind.folder << " has no " << expectation.file);
    check_file(test.folder / expectation.file, expectation.actual(run));
  }
  if (kind.folder == "rules" && !exists("expected.findings.json")) FAIL_CHECK("expected.findings.json is missing");
}

void check_cuts(const Case& test, const Run& whole) {
  std::uintmax_t bytes = 0;
  for (const auto& log : test.logs) bytes += std::filesystem::file_size(log);
  for (const std::size_t size : {std::size_t{1}, std::size_t{7}, std::size_t{4096}}) {
    if (size == 1 && bytes > (std::uintmax_t{64} << 10U)) continue;
    INFO("in pieces of " << size << " bytes");
    const Run cut = run(test, size);
    check_same(cut.events, whole.events);
    check_same(json(cut), json(whole));
  }
}

void check_cases(const CaseKind& kind) {
  REQUIRE(!cases(kind.folder).empty());
  for (const Case& test : cases(kind.folder)) {
    DYNAMIC_SECTION(test.name) {
      const Run whole = run(test, std::string_view::npos);
      compare(test, kind, whole);
      check_cuts(test, whole);
    }
  }
}

TEST_CASE("golden: summaries of parts, in any order, give the report of the whole") {
  for (const char* const kind : {"rules", "jobs", "damaged"}) {
    for (const Case& test : cases(kind)) {
      DYNAMIC_SECTION(test.name) {
        const std::string whole = json(run(test, std::string_view::npos));
        for (const auto& [parts, order] : {std::pair{1U, Order::forwards},
                                           {2U, Order::backwards},
                                           {3U, Order::shuffled},
                                           {7U, Order::shuffled},
                                           {50U, Order::backwards}}) {
          INFO("in " << parts << " parts");
          Random random(parts);
          check_same(json(run_summarised(test, parts, order, random)), whole);
        }
      }
    }
  }
}

TEST_CASE("golden: messages have the expected events") { check_cases(case_kinds[0]); }
TEST_CASE("golden: cases of rules have the expected findings") { check_cases(case_kinds[1]); }
TEST_CASE("golden: jobs have the expected report") { check_cases(case_kinds[2]); }
TEST_CASE("golden: damaged logs have the expected report") { check_cases(case_kinds[3]); }

TEST_CASE("golden: a rule fires in its own case and is silent in the nearest healthy one") {
  for (const Case& test : cases("rules")) {
    DYNAMIC_SECTION(test.name) {
      const std::string rule = rule_of(test);
      const std::string expectation = test.folder.filename().string();
      REQUIRE(find_rule(rule) != nullptr);
      const Run whole = run(test, std::string_view::npos);
      const auto names = [](const Finding& finding) { return finding.rule->name; };
      auto fired = std::ranges::count(whole.report.findings, std::string_view(rule), names);
      for (const Finding& finding : whole.report.findings) {
        INFO(finding.rule->id);
        CHECK(!finding.steps.empty());
        fired += std::ranges::count(finding.consequences, std::string_view(rule), names);
      }
      if (expectation.starts_with("fires")) CHECK(fired > 0);
      if (expectation.starts_with("silent")) CHECK(fired == 0);
    }
  }
}

}  // namespace
}  // namespace nccl_analyze
