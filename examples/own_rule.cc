// Adds a rule to the built-in rules: every host must have as many ranks as a machine of this site has GPUs. Reads a log
// from standard input. usage: own_rule GPUS < LOG

#include <nccl_analyze/analyzer.h>
#include <nccl_analyze/rule_parts.h>

#include <cstdlib>
#include <iostream>
#include <iterator>
#include <map>
#include <string>
#include <utility>
#include <vector>

using namespace nccl_analyze;

namespace {

/// What the rule does: a pure function of the model, with the site's number as its state. Each finding needs a line
/// that proves it.
struct MachineNotFull {
  std::size_t gpus;

  RuleResult operator()(const Model& model) const {
    RuleResult result;
    for (const Communicator& communicator : model.communicators) {
      std::map<Index, std::vector<Index>> processes;  // by host
      for (const Rank& rank : communicator.ranks)
        if (const Process* const process = process_of(model, rank.process))
          processes[process->host_index].push_back(rank.process);
      for (auto& [host, of_host] : processes) {
        if (host < 0 || of_host.size() >= gpus) continue;
        Finding finding;
        finding.message = model.hosts[host].name + " has " + std::to_string(of_host.size()) + " of " +
                          std::to_string(gpus) + " ranks";
        add_line(finding.evidence, communicator.first);
        set_scope(model, std::move(of_host), finding);
        result.findings.push_back(std::move(finding));
      }
    }
    return result;
  }
};

constexpr RuleWords words{.title = "A machine is not used whole",
                          .explanation = "GPUs of the machine are left to others, or idle.",
                          .fix = "Ask for whole machines."};

}  // namespace

int main(int count, char** arguments) {
  const MachineNotFull check{count > 1 ? std::strtoul(arguments[1], nullptr, 10) : 8};
  // Its id must not start with NCA, the prefix of built-in rules.
  const Rule machine_not_full{
      .info = {.id = "SITE01", .name = "machine-not-full", .severity = Severity::info, .words = &words},
      .check = check};
  AnalyzerOptions options;
  options.own_rules = {&machine_not_full};
  Analyzer analyzer{std::move(options)};
  analyzer.feed("standard input", std::string{std::istreambuf_iterator<char>(std::cin), {}});
  const Analysis job = std::move(analyzer).finish();
  for (const Finding& finding : job.report.findings)
    if (finding.rule == &machine_not_full.info) std::cout << finding.rule->id << ": " << finding.message << '\n';
  return 0;
}
