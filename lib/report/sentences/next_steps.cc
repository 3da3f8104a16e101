// Chooses the commands that close a report from its first finding, from what was not evaluated and from its input.

#include "report/sentences/next_steps.h"

#include <algorithm>

#include "report/sentences/verdict.h"
#include "report/sentences/words.h"
#include "rules/advice/advise.h"

namespace nccl_analyze {

namespace {

/// The first finding that decides the verdict; null if there is none.
const Finding* first_fault(const Report& report) {
  const auto found = std::ranges::find_if(report.findings,
                                          [](const Finding& finding) { return finding.severity() != Severity::info; });
  return found == report.findings.end() ? nullptr : &*found;
}

/// The command of the first of the leading steps that has one in a single line, with names of this job only.
std::string command_of(const Finding& finding) {
  constexpr std::size_t leading = 3;
  const std::vector<Step> steps = steps_of(finding);
  for (std::size_t i = 0; i < std::min(leading, steps.size()); ++i)
    if (!steps[i].command.empty() && steps[i].command.find('\n') == std::string::npos && !shows_example(steps[i]))
      return steps[i].command;
  return {};
}

/// Settings that make NCCL print what is missing: the need that most rules name.
std::string missing_proof(const Report& report) {
  std::string best;
  std::ptrdiff_t most = 0;
  for (const NotEvaluated& open : report.not_evaluated) {
    const std::ptrdiff_t count = std::ranges::count(report.not_evaluated, open.needs, &NotEvaluated::needs);
    if (!open.needs.starts_with("NCCL_") || count <= most) continue;
    most = count;
    best = open.needs;
  }
  return best;
}

/// The command that gets the rest of the input: the logs of other ranks, or the head of the log.
std::string missing_logs(const Report& report) {
  for (const Finding& finding : report.findings)
    if (finding.rule->name == "partial-input" || finding.rule->name == "log-head-missing") return command_of(finding);
  return {};
}

/// Whether the log shows why the job failed. The proofs of a next run would then tell nothing about it.
bool is_explained(const Finding* fault) {
  return fault != nullptr && fault->severity() == Severity::error &&
         (fault->stage() <= Stage::program || fault->stage() == Stage::network);
}

bool is_plain_path(std::string_view path) {
  return !path.empty() && !path.starts_with('-') && std::ranges::all_of(path, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '/' || c == '.' ||
           c == '_' || c == '-';
  });
}

}  // namespace

std::vector<NextStep> next_steps(const Model& model, const Report& report) {
  std::vector<NextStep> steps;
  if (judge(model, report).status == JobStatus::ok) return steps;
  const Finding* const fault = first_fault(report);
  if (fault != nullptr) {
    for (std::string& command : next_commands(model, *fault, 1))
      steps.push_back({"where it waits", std::move(command)});
    if (std::string command = command_of(*fault); steps.empty() && !command.empty())
      steps.push_back({std::string("what ").append(fault->rule->id).append(" asks for"), std::move(command)});
  }
  if (std::string command = missing_logs(report); !command.empty())
    steps.push_back({"the logs that are not in this input", std::move(command)});
  if (std::string settings = missing_proof(report); !settings.empty() && !is_explained(fault))
    steps.push_back({"the next run, for what this input does not show", std::move(settings)});
  constexpr std::size_t most = 3;
  if (steps.size() < most && fault != nullptr && model.sources.size() == 1 && is_plain_path(model.sources[0].name) &&
      model.sources[0].name.find('.') != std::string::npos)
    steps.push_back({"whether it worked", "nccl-analyze diff " + model.sources[0].name + " NEW.log"});
  return steps;
}

}  // namespace nccl_analyze
