// Every term in the conditions of the rules' documents is proven by a case of testdata/, and not proven by another one.
// testdata/conditions/ncaNNN.log has what no case of a rule shows: lines under the terms that they prove.

#include "rules/advice/conditions.h"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <map>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "catch.h"
#include "judged_case.h"
#include "nccl_analyze/analyzer.h"
#include "nccl_analyze/rule.h"
#include "rules/advice/facts.h"
#include "testdata.h"

namespace nccl_analyze {
namespace {

struct Shown {
  bool proven = false, open = false;
};
using Terms = std::map<std::string, Shown>;

/// A rule gives the values of `case` and `known` their meaning. Other terms mean the same in all rules.
std::string key_of(const RuleInfo& rule, std::string_view term) {
  const bool is_of_rule = term.starts_with("case ") || term.starts_with("known ");
  return (is_of_rule ? std::string(rule.id) + ": " : std::string()) + std::string(term);
}

std::vector<std::string_view> terms_in(const RuleWords& words) {
  std::vector<std::string_view> conditions, terms;
  for (const TitleText& title : words.titles) conditions.push_back(title.only_if);
  for (const StepText& step : words.steps)
    conditions.insert(conditions.end(), {step.only_if, step.unless, step.first_if});
  for (const std::string_view condition : conditions)
    for (const std::string_view term : terms_of(condition)) terms.push_back(term);
  return terms;
}

void try_terms(const Model& model, const JobHostSpans& spans, const Finding& finding, Terms& terms) {
  const Facts facts(model, spans, finding);
  for (const std::string_view term : terms_in(*finding.rule->words)) {
    Shown& shown = terms[key_of(*finding.rule, term)];
    (prove(term, facts) ? shown.proven : shown.open) = true;
  }
  for (const Finding& consequence : finding.consequences) try_terms(model, spans, consequence, terms);
}

void try_terms(const Model& model, const Report& report, Terms& terms) {
  const JobHostSpans spans(model);
  for (const Finding& finding : report.findings) try_terms(model, spans, finding, terms);
}
void try_terms(const Analysis& analysis, Terms& terms) { try_terms(analysis.model, analysis.report, terms); }

Analysis analysis_of(const std::string& log) {
  Analyzer analyzer;
  analyzer.feed("log", log);
  return std::move(analyzer).finish();
}

/// Lines under a heading `### errno 12; known peer`.
struct Block {
  std::string rule;  ///< `NCA405`
  std::vector<std::string> terms;
  std::string lines;
};

std::vector<Block> read_blocks() {
  std::vector<Block> blocks;
  for (const auto& file : std::filesystem::directory_iterator(source_folder() / "testdata/conditions")) {
    std::string rule = file.path().stem().string();
    std::ranges::transform(rule, rule.begin(), [](unsigned char c) { return std::toupper(c); });
    std::istringstream lines(read_file(file.path()));
    for (std::string line; std::getline(lines, line);) {
      if (!line.starts_with("### ")) {
        REQUIRE(!blocks.empty());
        blocks.back().lines += line + "\n";
        continue;
      }
      blocks.push_back({rule, {}, {}});
      std::istringstream terms(line.substr(4));
      for (std::string term; std::getline(terms >> std::ws, term, ';');) blocks.back().terms.push_back(term);
    }
  }
  return blocks;
}

TEST_CASE("conditions: the lines of testdata/conditions prove what their headings say", "[rules]") {
  for (const Block& block : read_blocks()) {
    Terms terms;
    try_terms(analysis_of(block.lines), terms);
    for (const std::string& term : block.terms) {
      INFO(block.rule << ": " << term);
      CHECK(terms[key_of(find_rule(block.rule)->info, term)].proven);
    }
  }
}

TEST_CASE("conditions: a case proves each term, and another does not", "[rules][slow]") {
  Terms terms;
  for (const char* const kind : {"rules", "jobs"})
    for (const Case& test : cases(kind)) {
      Analyzer analyzer;
      for (const auto& log : test.logs) analyzer.feed(log.filename().string(), read_file(log));
      const Analysis analysis = std::move(analyzer).finish();
      try_terms(analysis.model, judge(test, analysis.model), terms);
    }
  for (const Block& block : read_blocks()) try_terms(analysis_of(block.lines), terms);
  for (const Rule* rule : all_rules())
    for (const std::string_view term : terms_in(*rule->info.words)) terms[key_of(rule->info, term)];
  for (const auto& [term, shown] : terms) {
    INFO(term);
    CHECK(shown.proven);
    CHECK(shown.open);
  }
}

}  // namespace
}  // namespace nccl_analyze
