// Compares a run with a good run, the baseline. One finding lists all differences, causes before effects.

#include <algorithm>
#include <array>
#include <string>
#include <utility>
#include <vector>

#include "compare/collector.h"
#include "compare/topics.h"
#include "nccl_analyze/rule_parts.h"
#include "queries/ranks.h"
#include "rules/advice/advise.h"
#include "rules/causes.h"
#include "rules/findings.h"
#include "text/message_text.h"

namespace nccl_analyze {
namespace {

constexpr std::size_t max_value = 60, max_changes = 6;

std::string value_text(const std::optional<std::string>& value) {
  return value ? excerpt(*value, max_value) : std::string{"not printed"};
}

/// Formats a change: `network (Socket instead of IB)`; with the ranks if not every rank has it.
std::string describe(const Change& change) {
  std::string text =
      concat(change.what, " (", value_text(change.new_value), " instead of ", value_text(change.old_value));
  if (!change.ranks.empty() && !change.every_rank) text += concat(" on ", ranks_text(change.ranks));
  return text + ")";
}

/// Adds the processes of the ranks that changed; none for a fact of the whole job.
void add_processes(const Communicator& main, const Change& change, std::vector<Index>& processes) {
  for (const int number : change.ranks)
    if (const Rank* const rank = find_rank(main, number)) processes.push_back(rank->process);
}

Finding finding_of(const Model& model, const RuleInfo& rule, const std::vector<Change>& changes) {
  const Communicator* const main = model.communicators.find(find_main_communicator(model));
  Finding finding;
  finding.rule = &rule;
  if (std::ranges::all_of(changes, [](const Change& one) { return row_of(one.topic).is_harmless; }))
    finding.own_severity = Severity::info;
  std::vector<std::string> texts;
  std::vector<Index> processes;
  for (const Change& change : changes) {
    texts.push_back(describe(change));
    if (change.new_at.line != 0) finding.evidence.add(change.new_at);
    if (main != nullptr) add_processes(*main, change, processes);
  }
  finding.message = "The run differs from the good one in " + list_text(texts, max_changes);
  std::sort(processes.begin(), processes.end());
  processes.erase(std::unique(processes.begin(), processes.end()), processes.end());
  const std::size_t first = processes.empty() ? 0 : static_cast<std::size_t>(processes.front());
  if (finding.evidence.count == 0 && first < model.processes.size())
    add_line(finding.evidence, model.processes[first].first);
  if (!processes.empty()) set_scope(model, std::move(processes), finding);
  return finding;
}

}  // namespace

void check_baseline(const Model& model, const RunFacts& baseline, std::span<const Rule* const> rules, Report& report) {
  const auto rule = std::ranges::find(rules, std::string_view{"NCA803"}, [](const Rule* one) { return one->info.id; });
  if (rule == rules.end()) return;
  const std::array<Topic, 1> ignored{Topic::findings};
  const RunDiff diff = compare(baseline, facts_of(model, report), ignored);
  if (diff.same()) return;
  Finding finding = finding_of(model, (*rule)->info, diff.changes);
  if (finding.evidence.count > 0) report.findings.push_back(std::move(finding));
  order_findings(report.findings);
  advise(model, report.findings);
}

}  // namespace nccl_analyze
