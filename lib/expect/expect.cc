// Judges every expectation and reports the answers as checks and findings.

#include "expect/expect.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <map>
#include <set>
#include <utility>

#include "nccl_analyze/rule_parts.h"
#include "queries/ranks.h"
#include "rules/advice/advise.h"
#include "rules/causes.h"
#include "rules/findings.h"
#include "text/lower_case.h"
#include "text/message_text.h"

namespace nccl_analyze {

namespace {

Evidence first_lines(const Model& model, const std::vector<Index>& processes) {
  Evidence evidence;
  for (const Index index : processes)
    if (const Process* process = process_of(model, index)) add_line(evidence, process->first);
  return evidence;
}

/// Returns the first line of the first process that has one, else of the first such communicator. It serves as evidence
/// for a finding without lines of its own, because a finding without evidence is not reported.
Evidence any_line(const Model& model) {
  for (const Process& process : model.processes)
    if (process.first.line > 0) return evidence_at(process.first);
  for (const Communicator& comm : model.communicators)
    if (comm.first.line > 0) return evidence_at(comm.first);
  return {};
}

Finding finding_of(const RuleInfo& rule, const Model& model, std::string message, Evidence evidence,
                   std::vector<Index> processes) {
  Finding finding;
  finding.rule = &rule;
  finding.message = std::move(message);
  finding.evidence = std::move(evidence);
  if (finding.evidence.count == 0) finding.evidence = first_lines(model, processes);
  if (finding.evidence.count == 0) finding.evidence = any_line(model);
  set_scope(model, std::move(processes), finding);
  return finding;
}

const RuleInfo* find_info(std::span<const Rule* const> rules, std::string_view id) {
  const auto found = std::find_if(rules.begin(), rules.end(), [&](const Rule* rule) { return rule->info.id == id; });
  return found == rules.end() ? nullptr : &(*found)->info;
}

ExpectationAnswer answer_to(const ExpectationCase& asked) {
  const ExpectationRow* row = find_expectation_row(asked.expected.key);
  return row == nullptr ? unknown("nothing is called so") : row->judge(asked);
}

/// Two keys: when both fail, the failure of `key` is a symptom of the failure of `cause`.
struct Following {
  std::string_view key, cause;
};
constexpr std::array<Following, 6> followings{{{"gdr", "network"},
                                               {"nics", "network"},
                                               {"nics-used", "network"},
                                               {"nic-speed", "network"},
                                               {"one-network", "network"},
                                               {"nvls", "nvlink"}}};

bool follows(std::string_view key, std::string_view cause) {
  return std::any_of(followings.begin(), followings.end(),
                     [&](const Following& one) { return one.key == key && one.cause == cause; });
}

/// Returns the indices of the hosts on which the expectation fails, with -1 for processes whose host is unknown.
std::set<Index> failing_hosts(const Model& model, const ExpectationAnswer& answer) {
  std::set<Index> hosts;
  for (const Index index : answer.processes)
    if (const Process* const process = process_of(model, index)) hosts.insert(process->host_index);
  return hosts;
}

/// Returns the index of the first failed expectation that explains the failure of expectation `i` and fails on all
/// hosts on which `i` fails. Returns `i` if there is none.
std::size_t cause_of(const Model& model, std::span<const Expectation> expectations,
                     const std::vector<ExpectationAnswer>& answers, std::size_t i) {
  const std::set<Index> hosts = failing_hosts(model, answers[i]);
  for (std::size_t other = 0; other < answers.size(); ++other) {
    if (answers[other].status != CheckStatus::fail || !follows(expectations[i].key, expectations[other].key)) continue;
    const std::set<Index> causing = failing_hosts(model, answers[other]);
    if (std::includes(causing.begin(), causing.end(), hosts.begin(), hosts.end())) return other;
  }
  return i;
}

/// Makes a finding for each failed expectation. A failure that another one explains becomes a consequence of that
/// finding. A failed `no-warning` becomes a consequence of the first error in `reported`, the findings reported so far.
std::vector<Finding> failed_findings(const Model& model, std::span<const Expectation> expectations,
                                     const std::vector<ExpectationAnswer>& answers, const RuleInfo& rule,
                                     std::vector<Finding>& reported) {
  std::map<std::size_t, std::vector<Finding>> by_cause;
  for (std::size_t i = 0; i < answers.size(); ++i) {
    if (answers[i].status != CheckStatus::fail) continue;
    Finding finding = finding_of(rule, model, concat("Expected ", expectations[i].word, ", found ", answers[i].detail),
                                 answers[i].evidence, answers[i].processes);
    if (finding.evidence.count == 0) continue;
    finding.title = excerpt(finding.message, 100);
    finding.values = {{"about", std::string(expectations[i].key)}};
    const auto error = std::find_if(reported.begin(), reported.end(),
                                    [](const Finding& one) { return one.severity() == Severity::error; });
    const std::size_t cause = cause_of(model, expectations, answers, i);
    finding.consequence = cause != i || (expectations[i].key == "no-warning" && error != reported.end());
    if (finding.consequence && cause == i) {
      error->consequences.push_back(std::move(finding));
      continue;
    }
    std::vector<Finding>& block = by_cause[cause];
    block.insert(cause == i ? block.begin() : block.end(), std::move(finding));
  }
  std::vector<Finding> findings;
  for (auto& [cause, block] : by_cause) {
    Finding& first = findings.emplace_back(std::move(block.front()));
    first.consequences.assign(std::make_move_iterator(block.begin() + 1), std::make_move_iterator(block.end()));
  }
  return findings;
}

/// Makes one finding that lists all expectations whose answer is unknown.
Finding open_questions(const RuleInfo& rule, const Model& model, std::span<const Expectation> expectations,
                       const std::vector<ExpectationAnswer>& answers) {
  std::vector<std::string> words;
  std::vector<Index> processes;
  for (std::size_t i = 0; i < answers.size(); ++i) {
    if (answers[i].status != CheckStatus::unknown) continue;
    words.push_back(excerpt(expectations[i].word, 60));
    processes.insert(processes.end(), answers[i].processes.begin(), answers[i].processes.end());
  }
  return finding_of(rule, model,
                    concat(words.size(), " of ", count_text(answers.size(), "expectation"),
                           " could not be judged: ", list_text(words, 32), "; the checks say what is missing"),
                    {}, std::move(processes));
}

}  // namespace

void check_expectations(const Model& model, std::span<const Expectation> expectations,
                        std::span<const Rule* const> rules, Report& report) {
  if (expectations.empty()) return;
  std::vector<ExpectationAnswer> answers;
  for (const Expectation& expected : expectations) answers.push_back(answer_to({model, report, expected}));
  const RuleInfo* const failed = find_info(rules, "NCA801");
  const RuleInfo* const open = find_info(rules, "NCA802");
  bool some_open = false;
  for (std::size_t i = 0; i < answers.size(); ++i) {
    const ExpectationAnswer& answer = answers[i];
    report.checks.push_back({concat("expect ", expectations[i].word), answer.status, answer.detail});
    some_open = some_open || answer.status == CheckStatus::unknown;
  }
  if (failed != nullptr)
    std::ranges::move(failed_findings(model, expectations, answers, *failed, report.findings),
                      std::back_inserter(report.findings));
  if (open != nullptr && some_open) {
    Finding finding = open_questions(*open, model, expectations, answers);
    if (finding.evidence.count > 0) report.findings.push_back(std::move(finding));
  }
  order_findings(report.findings);
  advise(model, report.findings);
  report.acceptance = make_acceptance(model, expectations, answers);
}

}  // namespace nccl_analyze
