// Judges a run against a good one: each topic in which they differ is a finding.

#include <algorithm>
#include <array>
#include <string>
#include <utility>
#include <vector>

#include "compare/collector.h"
#include "compare/topics.h"
#include "rules/causes.h"
#include "rules/support/rule_support.h"

namespace nccl_analyze {
namespace {

constexpr std::size_t max_value = 60, max_changes = 4;

std::string text_of(const std::optional<std::string>& value) {
  return value ? excerpt(*value, max_value) : std::string{"not printed"};
}

/// `network is Socket here, IB in the good run`.
std::string describe(const Change& change) {
  std::string text =
      concat(change.what, " is ", text_of(change.new_value), " here, ", text_of(change.old_value), " in the good run");
  return change.ranks.empty() || change.every_rank ? text : text + concat(" (", ranks_text(change.ranks), ")");
}

/// Adds the processes of the ranks that changed; none for a fact of the whole job.
void add_processes(const Communicator& main, const Change& change, std::vector<Index>& processes) {
  for (const int number : change.ranks)
    if (const Rank* const rank = find_rank(main, number)) processes.push_back(rank->process);
}

Finding finding_of(const Model& model, const RuleInfo& rule, std::span<const Change> changes) {
  const Communicator* const main = model.communicators.find(find_main(model));
  Finding finding;
  finding.rule = &rule;
  if (row_of(changes.front().topic).is_harmless) finding.own_severity = Severity::info;
  std::vector<std::string> texts;
  std::vector<Index> processes;
  for (const Change& change : changes) {
    texts.push_back(describe(change));
    if (change.new_at.line != 0) finding.evidence.add(change.new_at);
    if (main != nullptr) add_processes(*main, change, processes);
  }
  const std::size_t left = texts.size() - std::min(texts.size(), max_changes);
  texts.resize(texts.size() - left);
  std::string list;
  for (const std::string& text : texts) list += concat(list.empty() ? "" : "; ", text);
  finding.message = concat("Unlike the good run, ", to_string(changes.front().topic), ": ", list,
                           left > 0 ? concat("; and ", count_text(left, "other difference")) : "");
  std::sort(processes.begin(), processes.end());
  processes.erase(std::unique(processes.begin(), processes.end()), processes.end());
  if (finding.evidence.count == 0 && !processes.empty())
    add_line(finding.evidence, model.processes[processes[0]].first);
  if (finding.evidence.count == 0 && !model.processes.empty()) add_line(finding.evidence, model.processes[0].first);
  if (!processes.empty()) set_scope(model, std::move(processes), finding);
  return finding;
}

}  // namespace

void check_baseline(const Model& model, const RunFacts& baseline, std::span<const Rule* const> rules, Report& report) {
  const auto rule = std::ranges::find(rules, std::string_view{"NCA803"}, [](const Rule* one) { return one->info.id; });
  if (rule == rules.end()) return;
  const std::array<Topic, 1> ignored{Topic::findings};
  const RunDiff diff = compare(baseline, facts_of(model, report), ignored);
  for (auto begin = diff.changes.begin(), end = begin; begin != diff.changes.end(); begin = end) {
    end = std::find_if(begin, diff.changes.end(), [&](const Change& one) { return one.topic != begin->topic; });
    Finding finding = finding_of(model, (*rule)->info, {begin, end});
    if (finding.evidence.count > 0) report.findings.push_back(std::move(finding));
  }
  order_findings(report.findings);
}

}  // namespace nccl_analyze
