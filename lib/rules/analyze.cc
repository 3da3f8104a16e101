// Runs rules on a model and puts the most likely root cause first.

#include <algorithm>
#include <array>
#include <map>
#include <string>
#include <tuple>
#include <utility>

#include "rules/checks.h"
#include "rules/order.h"

namespace nccl_analyze {

namespace {

/// Among findings of one severity: what stops a job by itself, then what only makes others stop or slow down. Rules
/// that are not named come after these, by id.
constexpr std::array<std::string_view, 42> root_first = {
    "NCA209", "NCA207", "NCA206", "NCA205", "NCA212", "NCA213", "NCA303", "NCA313", "NCA409", "NCA407", "NCA403",
    "NCA404", "NCA405", "NCA507", "NCA505", "NCA602", "NCA601", "NCA901", "NCA603", "NCA606", "NCA201", "NCA604",
    "NCA208", "NCA309", "NCA317", "NCA312", "NCA307", "NCA311", "NCA315", "NCA308", "NCA306", "NCA305", "NCA318",
    "NCA214", "NCA210", "NCA211", "NCA304", "NCA301", "NCA310", "NCA406", "NCA408", "NCA302"};

auto order_of(const Finding& finding) {
  const auto at = std::find(root_first.begin(), root_first.end(), finding.rule->id);
  const LineRef line =
      finding.occurrence.evidence.lines.empty() ? LineRef{} : finding.occurrence.evidence.lines.front();
  return std::tuple{-static_cast<int>(finding.severity()), finding.occurrence.consequence, at - root_first.begin(),
                    finding.rule->id, line};
}

template <class T>
void join(std::vector<T>& into, const std::vector<T>& other) {
  into.insert(into.end(), other.begin(), other.end());
  std::sort(into.begin(), into.end());
  into.erase(std::unique(into.begin(), into.end()), into.end());
}

/// What a fault of the first rule explains of a communicator that both are about.
constexpr std::array<std::pair<std::string_view, std::string_view>, 2> explained = {{
    {"NCA208", "NCA202"},
    {"NCA208", "NCA210"},
}};

/// The same words about the same rule are one finding, however many communicators say so.
void add_finding(std::vector<Finding>& findings, std::map<std::string, std::size_t>& by_message, const RuleInfo& rule,
                 Occurrence occurrence) {
  const auto [same, is_new] = by_message.try_emplace(occurrence.message, findings.size());
  if (is_new) {
    findings.push_back({&rule, std::move(occurrence), {}});
    return;
  }
  Occurrence& into = findings[same->second].occurrence;
  if (occurrence.severity.value_or(rule.severity) > into.severity.value_or(rule.severity))
    into.severity = occurrence.severity;
  into.evidence.add(occurrence.evidence);
  into.consequence = into.consequence && occurrence.consequence;
  join(into.communicators, occurrence.communicators);
  join(into.processes, occurrence.processes);
  join(into.ranks, occurrence.ranks);
}

template <class T>
bool share(const std::vector<T>& a, const std::vector<T>& b) {
  return std::any_of(a.begin(), a.end(), [&](const T& item) { return std::find(b.begin(), b.end(), item) != b.end(); });
}

/// The cause that a consequence belongs to: one of the same communicators or processes before any other. None when all
/// of them weigh less: a fault must not hide below a note.
Finding* cause_of(std::vector<Finding>& causes, const Finding& consequence) {
  Finding* any = nullptr;
  for (Finding& cause : causes) {
    if (cause.occurrence.consequence || cause.severity() < consequence.severity()) continue;
    if (share(cause.occurrence.communicators, consequence.occurrence.communicators) ||
        share(cause.occurrence.processes, consequence.occurrence.processes))
      return &cause;
    if (any == nullptr) any = &cause;
  }
  return any;
}

/// Sorted findings with every consequence below its cause.
std::vector<Finding> fold_consequences(std::vector<Finding> sorted) {
  std::vector<Finding> causes;
  for (const bool consequences : {false, true})
    for (Finding& finding : sorted) {
      if (finding.occurrence.consequence != consequences) continue;
      Finding* const cause = consequences ? cause_of(causes, finding) : nullptr;
      (cause == nullptr ? causes : cause->consequences).push_back(std::move(finding));
    }
  std::stable_sort(causes.begin(), causes.end(),
                   [](const Finding& a, const Finding& b) { return order_of(a) < order_of(b); });
  return causes;
}

void mark_explained(std::vector<Finding>& findings) {
  for (const auto& [cause, consequence] : explained)
    for (Finding& finding : findings) {
      if (finding.rule->id != consequence) continue;
      for (const Finding& other : findings)
        if (other.rule->id == cause && share(other.occurrence.communicators, finding.occurrence.communicators))
          finding.occurrence.consequence = true;
    }
}

}  // namespace

void order_findings(std::vector<Finding>& findings) {
  std::stable_sort(findings.begin(), findings.end(),
                   [](const Finding& a, const Finding& b) { return order_of(a) < order_of(b); });
}

Report analyze(const Model& model, std::span<const Rule* const> rules) {
  Report report;
  for (const Rule* rule : rules) {
    Verdict verdict = rule->check(model);
    std::map<std::string, std::size_t> by_message;
    for (Occurrence& occurrence : verdict.occurrences)
      if (occurrence.evidence.count > 0) add_finding(report.findings, by_message, rule->info, std::move(occurrence));
    for (NotEvaluated& open : verdict.not_evaluated) {
      open.rule = rule->info.id;
      report.not_evaluated.push_back(std::move(open));
    }
  }
  mark_explained(report.findings);
  order_findings(report.findings);
  report.checks = answer_checks(model, report.findings);
  report.findings = fold_consequences(std::move(report.findings));
  return report;
}

}  // namespace nccl_analyze
