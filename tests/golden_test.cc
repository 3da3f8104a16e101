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
#include "nccl_analyze/analyzer.h"
#include "nccl_analyze/compare.h"
#include "nccl_analyze/event.h"
#include "nccl_analyze/report.h"
#include "nccl_analyze/requirements.h"
#include "summarised.h"
#include "testdata.h"
#include "text/escape.h"

namespace nccl_analyze {
namespace {

using test::merged, test::Random, test::summaries_of_parts;

struct Run {
  Model model;
  Report report;
  std::string events;
};

/// The facts of the log of a good run.
RunFacts read_baseline(const std::filesystem::path& file) {
  Analyzer analyzer;
  analyzer.feed("baseline", read_file(file));
  const Analysis analysis = std::move(analyzer).finish();
  return facts_of(analysis.model, analysis.report);
}

/// Analyses the model, compares it with the case's file `baseline` and checks the expectations in `expect`, if these
/// exist.
Report judge(const Case& test, const Model& model) {
  Report report = analyze(model);
  if (const auto baseline = test.folder / "baseline"; std::filesystem::exists(baseline))
    check_baseline(model, read_baseline(baseline), all_rules(), report);
  const auto file = test.folder / "expect";
  if (!std::filesystem::exists(file)) return report;
  const ParsedExpectations parsed = parse_expectations(read_file(file));
  REQUIRE(parsed.error == "");
  check_expectations(model, parsed.expectations, all_rules(), report);
  return report;
}

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
  return {std::move(model), std::move(report), events.str()};
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
  return {std::move(model), std::move(report), {}};
}

std::string json(const Run& run) {
  std::ostringstream out;
  write_json(out, run.model, run.report);
  return out.str();
}

/// Returns the lines of a JSON report in which a finding repeats its rule's title, explanation or fix.
std::set<std::string> rule_lines() {
  std::set<std::string> lines;
  for (const Rule* const rule : all_rules()) {
    const RuleInfo& info = rule->info;
    const std::array<std::pair<const char*, std::string_view>, 3> texts{
        {{"title", info.title}, {"explanation", info.explanation}, {"fix", info.fix}}};
    for (const auto& [key, value] : texts) {
      std::string line = '"' + std::string(key) + "\": ";
      append_json_string(line, value);
      lines.insert(line + ',');
    }
  }
  return lines;
}

/// Returns the lines of NCCL warnings that no finding reports; only the text report lists them.
std::string unexplained_lines(const Run& run) {
  std::string lines;
  for (const Index incident : run.report.unexplained_warnings)
    for (const LineRef at : run.model.incidents[static_cast<std::size_t>(incident)].evidence.lines)
      lines += (lines.empty() ? "" : ", ") + std::to_string(at.line);
  return "  \"unexplained_warnings\": [" + lines + "],\n";
}

/// Returns the keys of the JSON report that the rules decide. The model and the rule texts are omitted, so that a
/// change of these does not change every case: testdata/jobs covers models, lib/rules/README.md covers the texts.
std::string findings(const Run& run) {
  static const std::set<std::string_view> keys{"verdict", "findings", "not_evaluated", "checks", "acceptance"};
  static const std::set<std::string> repeated = rule_lines();
  std::istringstream report(json(run));
  std::string kept = "{\n" + unexplained_lines(run);
  bool is_kept = false;
  for (std::string line; std::getline(report, line);) {
    const std::size_t indent = line.find_first_not_of(' ');
    if (indent == 2 && line[2] == '"') is_kept = keys.contains(std::string_view(line).substr(3, line.find('"', 3) - 3));
    if (indent > 0 && is_kept && !repeated.contains(line.substr(indent))) kept += line + '\n';
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

struct Expectation {
  std::string_view file;
  std::string (*actual)(const Run&);
};
const std::array<Expectation, 5> expectations{{{"expected.events.jsonl", [](const Run& run) { return run.events; }},
                                               {"expected.json", json},
                                               {"expected.findings.json", findings},
                                               {"expected.txt", text},
                                               {"expected.dot", dot}}};

/// A folder of testdata/ and the files that its cases compare: all `required` ones, and the `optional` ones that exist.
/// The case of a rule has a whole report only if its model has facts that no case of testdata/jobs has, for example
/// InfiniBand.
struct CaseKind {
  std::string folder;
  std::vector<std::string_view> required;
  std::vector<std::string_view> optional;
};
const std::array<CaseKind, 4> case_kinds{{{"messages", {"expected.events.jsonl"}, {}},
                                          {"rules", {"expected.findings.json"}, {"expected.json", "expected.txt"}},
                                          {"jobs", {"expected.json", "expected.txt"}, {"expected.dot"}},
                                          {"damaged", {"expected.json"}, {}}}};

void compare(const Case& test, const CaseKind& kind, const Run& run) {
  for (const Expectation& expectation : expectations) {
    const auto file = test.folder / expectation.file;
    const bool required = std::ranges::count(kind.required, expectation.file) != 0;
    if (!required && !std::filesystem::exists(file)) continue;
    if (!required && std::ranges::count(kind.optional, expectation.file) == 0)
      FAIL_CHECK("a case of " << kind.folder << " has no " << expectation.file);
    check_file(file, expectation.actual(run));
  }
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
      const std::string rule = test.folder.parent_path().filename().string();
      const std::string expectation = test.folder.filename().string();
      REQUIRE(find_rule(rule) != nullptr);
      const Run whole = run(test, std::string_view::npos);
      const auto names = [](const Finding& finding) { return finding.rule->name; };
      auto fired = std::ranges::count(whole.report.findings, std::string_view(rule), names);
      for (const Finding& finding : whole.report.findings)
        fired += std::ranges::count(finding.consequences, std::string_view(rule), names);
      if (expectation.starts_with("fires")) CHECK(fired > 0);
      if (expectation.starts_with("silent")) CHECK(fired == 0);
    }
  }
}

}  // namespace
}  // namespace nccl_analyze
