// Adds a rule to the built-in rules: every host must have as many ranks as a machine of this site has GPUs. Reads a log
// from standard input. usage: own_rule GPUS < LOG

#include <nccl_analyze/analyzer.h>

#include <cstdlib>
#include <iostream>
#include <iterator>
#include <map>
#include <string>
#include <utility>
#include <vector>

using namespace nccl_analyze;

namespace {

int gpus_of_a_machine = 8;

/// The check of the rule: a pure function of the model. Each finding needs lines that prove it.
RuleResult check(const Model& model) {
  RuleResult verdict;
  for (std::size_t i = 0; i < model.communicators.size(); ++i) {
    const Communicator& communicator = model.communicators[i];
    std::map<Index, std::vector<int>> ranks;  // by host
    for (const Rank& rank : communicator.ranks)
      if (rank.process >= 0) ranks[model.processes[rank.process].host_index].push_back(rank.rank);
    for (const auto& [host, of_host] : ranks) {
      if (host < 0 || of_host.size() >= static_cast<std::size_t>(gpus_of_a_machine)) continue;
      Finding finding;
      finding.message = model.hosts[host].name + " has " + std::to_string(of_host.size()) + " of " +
                        std::to_string(gpus_of_a_machine) + " ranks";
      finding.evidence.lines = {communicator.first};
      finding.evidence.count = 1;
      finding.communicators = {static_cast<Index>(i)};
      finding.ranks = of_host;
      verdict.findings.push_back(std::move(finding));
    }
  }
  return verdict;
}

constexpr RuleWords words{.title = "A machine is not used whole",
                          .explanation = "GPUs of the machine are left to others, or idle.",
                          .fix = "Ask for whole machines."};

/// The rule. Its id must not start with NCA, the prefix of built-in rules.
constexpr Rule machine_not_full{
    .info = {.id = "SITE01", .name = "machine-not-full", .severity = Severity::info, .words = &words}, .check = check};

}  // namespace

int main(int count, char** arguments) {
  if (count > 1) gpus_of_a_machine = std::atoi(arguments[1]);
  AnalyzerOptions options;
  options.own_rules = {&machine_not_full};
  Analyzer analyzer{std::move(options)};
  analyzer.feed("standard input", std::string{std::istreambuf_iterator<char>(std::cin), {}});
  const Analysis analysis = std::move(analyzer).finish();
  for (const Finding& finding : analysis.report.findings)
    if (finding.rule == &machine_not_full.info) std::cout << finding.rule->id << ": " << finding.message << '\n';
  return 0;
}
