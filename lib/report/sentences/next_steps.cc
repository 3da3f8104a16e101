// Chooses the commands at the end of a report: from its first error or warning, from what was not evaluated, and from
// its input.

#include "report/sentences/next_steps.h"

#include <algorithm>

#include "report/sentences/verdict.h"
#include "report/sentences/words.h"
#include "rules/advice/advise.h"

namespace nccl_analyze {

namespace {

/// Returns the first error or warning of the report; null if there is none.
const Finding* first_fault(const Report& report) {
  const auto found = std::ranges::find_if(report.findings,
                                          [](const Finding& finding) { return finding.severity() != Severity::info; });
  return found == report.findings.end() ? nullptr : &*found;
}

/// Returns the first command in the first three steps of the finding that has one line and is no example; an empty
/// command if there is none.
NextStep command_of(const Finding& finding, std::string why) {
  constexpr std::size_t leading = 3;
  const std::vector<Step> steps = steps_of(finding);
  for (std::size_t i = 0; i < std::min(leading, steps.size()); ++i)
    if (!steps[i].command.empty() && steps[i].command.find('\n') == std::string::npos && !shows_example(steps[i]))
      return {std::move(why), steps[i].command, true};
  return {};
}

/// Returns the most frequent NotEvaluated::needs that begins with a setting: settings that make NCCL print what is
/// missing, and what else the log must have. Empty if there is none; of equally frequent needs, the first.
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

/// Returns the command that gets the rest of the input: the logs of other ranks, or the head of the log. The command is
/// empty if no finding says that a part is missing, or if it gives no command.
NextStep missing_logs(const Report& report) {
  for (const Finding& finding : report.findings)
    if (finding.rule->name == "partial-input" || finding.rule->name == "log-head-missing") {
      NextStep step = command_of(finding, "the logs that are not in this input");
      step.in_fix = false;
      return step;
    }
  return {};
}

/// Splits `needs` into the settings, which become the command, and the words about the log after them, which are added
/// to the reason.
NextStep next_run(const std::string& needs) {
  const std::size_t end = std::min({needs.size(), needs.find(" and "), needs.find(", ")});
  std::string why = "the next run, for what this input does not show";
  std::string_view rest = std::string_view(needs).substr(end);
  for (const std::string_view before : {",", " ", "and "})
    if (rest.starts_with(before)) rest.remove_prefix(before.size());
  if (!rest.empty()) why.append(" (").append(rest).append(")");
  return {std::move(why), needs.substr(0, end)};
}

/// Whether the log shows why the job failed, so that the output of a next run would add nothing.
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
    for (std::string& command : stack_commands_of(model, *fault, 1))
      steps.push_back({"where it waits", std::move(command)});
    NextStep asked = command_of(*fault, std::string("what ").append(fault->rule->id).append(" asks for"));
    if (steps.empty() && !asked.command.empty()) steps.push_back(std::move(asked));
  }
  if (NextStep logs = missing_logs(report); !logs.command.empty()) steps.push_back(std::move(logs));
  if (const std::string needs = missing_proof(report); !needs.empty() && !is_explained(fault))
    steps.push_back(next_run(needs));
  constexpr std::size_t most = 3;
  if (steps.size() < most && fault != nullptr && model.sources.size() == 1 && is_plain_path(model.sources[0].name) &&
      model.sources[0].name.find('.') != std::string::npos)
    steps.push_back({"whether it worked", "nccl-analyze diff " + model.sources[0].name + " NEW.log"});
  return steps;
}

}  // namespace nccl_analyze
