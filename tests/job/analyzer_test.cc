// Tests that the analyzer gives the same results as its separate stages, in whatever pieces and sources the bytes
// arrive.

#include "nccl_analyze/analyzer.h"

#include <algorithm>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "catch.h"
#include "nccl_analyze/report.h"
#include "nccl_analyze/rule_parts.h"
#include "testdata.h"

namespace nccl_analyze {
namespace {

std::string log_of(const std::string& job) {
  std::string path = NCCL_ANALYZE_TESTDATA;
  path.append("/jobs/").append(job).append("/input.log");
  return read_file(path);
}

std::string json_of(const Analysis& analysis) {
  std::ostringstream out;
  write_json(out, analysis.model, analysis.report);
  return out.str();
}

std::string json_by_stages(const std::vector<std::pair<std::string, std::string>>& logs) {
  ModelBuilder builder;
  for (std::size_t i = 0; i < logs.size(); ++i) {
    const auto source = static_cast<SourceId>(i);
    Parser parser(source, [&](const Record& record) { builder.add(record); });
    parser.feed(logs[i].second);
    parser.finish();
    builder.add_source(source, logs[i].first, parser.stats());
  }
  Analysis analysis{std::move(builder).build(), {}, {}, {}};
  analysis.report = analyze(analysis.model);
  return json_of(analysis);
}

}  // namespace

TEST_CASE("analyzer: the same as its stages, in one piece and in small ones, of mixed sources") {
  const std::string a = log_of("rank-killed"), b = log_of("efa-fallback");
  const std::string expected = json_by_stages({{"a", a}, {"b", b}});
  for (const std::size_t size : {std::size_t{7}, std::size_t{4096}, a.size() + b.size()}) {
    Analyzer analyzer;
    for (std::size_t at = 0; at < std::max(a.size(), b.size()); at += size) {
      if (at < a.size()) analyzer.feed("a", std::string_view(a).substr(at, size));
      if (at < b.size()) analyzer.feed("b", std::string_view(b).substr(at, size));
    }
    CHECK(json_of(std::move(analyzer).finish()) == expected);
  }
}

TEST_CASE("analyzer: a source ends by itself, and its name may come again") {
  const std::string log = log_of("efa-fallback");
  Analyzer analyzer;
  analyzer.feed("a", log);
  analyzer.end("a");
  analyzer.end("unknown");
  analyzer.feed("a", "one line");
  const Analysis analysis = std::move(analyzer).finish();
  REQUIRE(analysis.model.sources.size() == 2);
  CHECK(analysis.model.sources[0].name == "a");
  CHECK(analysis.model.sources[1].name == "a");
  CHECK(analysis.model.sources[1].stats.lines == 1);
}

TEST_CASE("analyzer: a look at the log so far changes nothing") {
  const std::string log = log_of("rank-killed");
  Analyzer analyzer;
  analyzer.feed("a", std::string_view(log).substr(0, log.size() / 2));
  const Analysis so_far = analyzer.look();
  CHECK(!so_far.model.processes.empty());
  CHECK(so_far.model.sources.at(0).stats.lines < 257);
  analyzer.feed("a", std::string_view(log).substr(log.size() / 2));
  CHECK(json_of(std::move(analyzer).finish()) == json_by_stages({{"a", log}}));
}

TEST_CASE("analyzer: records are seen, and chosen rules judge") {
  const std::string log = log_of("rank-killed");
  std::uint64_t seen = 0;
  AnalyzerOptions options;
  options.on_record = [&seen](const Record&) { ++seen; };
  options.selection = select_rules({"NCA314"}, {}, SiteRules());
  Analyzer analyzer{std::move(options)};
  analyzer.feed("a", log);
  Analyzer moved = std::move(analyzer);
  const Analysis analysis = std::move(moved).finish();
  CHECK(seen == analysis.model.sources.at(0).stats.nccl_lines);
  REQUIRE(analysis.report.findings.size() == 1);
  CHECK(analysis.report.findings[0].rule->id == "NCA314");
}

TEST_CASE("analyzer: a rule of one's own judges beside the others") {
  static constexpr Rule own{.info = {.id = "SITE01", .name = "own", .severity = Severity::warning},
                            .check = [](const Model& model) {
                              Finding finding;
                              finding.message = std::to_string(model.processes.size()) + " processes";
                              finding.evidence.lines = {model.processes.at(0).first};
                              finding.evidence.count = 1;
                              finding.processes = {0};
                              return RuleResult{{finding}, {}};
                            }};
  AnalyzerOptions options;
  options.own_rules = {&own};
  Analyzer analyzer{std::move(options)};
  analyzer.feed("a", log_of("rank-killed"));
  const Analysis analysis = std::move(analyzer).finish();
  const auto found = std::ranges::find(analysis.report.findings, &own.info, &Finding::rule);
  REQUIRE(found != analysis.report.findings.end());
  CHECK(found->message == "8 processes");
  CHECK(analysis.report.findings[0].rule->id == "NCA606");
}

TEST_CASE("analyzer: a rule carries state, and finds by it") {
  struct TooFew {
    std::size_t least;
    RuleResult operator()(const Model& model) const {
      if (model.processes.size() >= least) return {};
      Finding finding;
      finding.message = "fewer than " + std::to_string(least);
      add_line(finding.evidence, model.processes.at(0).first);
      set_scope(model, {0}, finding);
      return {{finding}, {}};
    }
  };
  const TooFew nine{9}, eight{8};
  const Rule fires{.info = {.id = "SITE01", .name = "nine", .severity = Severity::warning}, .check = nine};
  const Rule silent{.info = {.id = "SITE02", .name = "eight", .severity = Severity::warning}, .check = eight};
  AnalyzerOptions options;
  options.own_rules = {&fires, &silent};
  Analyzer analyzer{std::move(options)};
  analyzer.feed("a", log_of("rank-killed"));
  const Analysis job = std::move(analyzer).finish();
  const auto found = std::ranges::find(job.report.findings, &fires.info, &Finding::rule);
  REQUIRE(found != job.report.findings.end());
  CHECK(found->message == "fewer than 9");
  CHECK(found->ranks == std::vector{0});
  CHECK(std::ranges::find(job.report.findings, &silent.info, &Finding::rule) == job.report.findings.end());
  CHECK(job.verdict.status == JobStatus::error);
  CHECK(job.verdict.outcome == Outcome::failed);
}

TEST_CASE("analyzer: an unknown format writes nothing") {
  std::ostringstream out;
  CHECK(!write(out, "pdf", Model{}, Report{}));
  CHECK(out.view().empty());
}

TEST_CASE("analyzer: nothing in, nothing found") {
  const Analysis analysis = Analyzer{}.finish();
  CHECK(analysis.model.sources.empty());
  CHECK(analysis.report.findings.empty());
}

}  // namespace nccl_analyze
