// Evaluates expectations: compares values, sums up the subjects of an answer, and turns answers into findings.

#include "expect/expect.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <iterator>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include "model/versions.h"
#include "rules/causes.h"
#include "rules/support/evidence.h"
#include "rules/support/findings.h"
#include "rules/support/message_text.h"
#include "rules/support/ranks.h"
#include "text/lower_case.h"

namespace nccl_analyze {

namespace {

constexpr std::size_t max_names = 4;
constexpr std::size_t max_groups = 4;

/// `order` is negative, zero or positive if the value is below, equal to or above the expected value.
bool holds(Comparison comparison, int order) {
  switch (comparison) {
    case Comparison::present:
      return true;
    case Comparison::equal:
      return order == 0;
    case Comparison::not_equal:
      return order != 0;
    case Comparison::less:
      return order < 0;
    case Comparison::at_most:
      return order <= 0;
    case Comparison::greater:
      return order > 0;
    case Comparison::at_least:
      return order >= 0;
  }
  return false;
}

/// `!=` requires that the value differs from all expected values; other comparisons need one that fits.
template <class Order>
bool fits_values(const Expectation& expected, Order order) {
  const auto fits = [&](const std::string& value) { return holds(expected.comparison, order(value)); };
  return expected.comparison == Comparison::not_equal
             ? std::all_of(expected.values.begin(), expected.values.end(), fits)
             : std::any_of(expected.values.begin(), expected.values.end(), fits);
}

std::string_view host_name(const Model& model, Index process) {
  const Process* one = process_of(model, process);
  if (one == nullptr) return {};
  return one->host.empty() ? one->pod.view() : one->host.view();
}

/// Subjects with equal status and value.
struct Group {
  std::size_t count = 0;
  std::set<std::string_view> hosts;
};
/// Groups keyed by status and value: failures come first, then unknown values, then passes.
using Groups = std::map<std::pair<int, std::string>, Group>;

int group_order(CheckStatus status) { return status == CheckStatus::fail ? 0 : status == CheckStatus::unknown ? 1 : 2; }

/// `Socket on 1 of 16 processes (worker-3)`
std::string group_text(const std::string& value, const Group& group, std::size_t all, bool name_hosts,
                       std::string_view noun) {
  if (group.count == all) return concat(value, " on ", count_text(all, noun));
  std::string text = concat(value, " on ", group.count, " of ", count_text(all, noun));
  if (!name_hosts || group.hosts.empty()) return text;
  std::vector<std::string> names;
  for (const std::string_view host : group.hosts) names.push_back(excerpt(host, 60));
  return concat(text, " (", list_text(names, max_names), ")");
}

Evidence first_lines(const Model& model, const std::vector<Index>& processes) {
  Evidence evidence;
  for (const Index index : processes)
    if (const Process* process = process_of(model, index)) add_line(evidence, process->first);
  return evidence;
}

/// First line of any process or communicator, because a finding needs evidence.
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

/// A key whose failure is only a symptom when the expectation `cause` fails too.
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

/// Indexes of the hosts on which the expectation fails.
std::set<Index> failing_hosts(const Model& model, const ExpectationAnswer& answer) {
  std::set<Index> hosts;
  for (const Index index : answer.processes)
    if (const Process* const process = process_of(model, index)) hosts.insert(process->host_index);
  return hosts;
}

/// Index of a failed expectation that explains expectation `i` on every host where `i` fails; `i` if there is none.
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

/// One finding per failed expectation, nested below the failure that explains it. A failed `no-warning` is nested below
/// the first error in `told`, the findings reported so far.
std::vector<Finding> failed_findings(const Model& model, std::span<const Expectation> expectations,
                                     const std::vector<ExpectationAnswer>& answers, const RuleInfo& rule,
                                     std::vector<Finding>& told) {
  std::map<std::size_t, std::vector<Finding>> by_cause;
  for (std::size_t i = 0; i < answers.size(); ++i) {
    if (answers[i].status != CheckStatus::fail) continue;
    Finding finding = finding_of(rule, model, concat("Expected ", expectations[i].word, ", found ", answers[i].detail),
                                 answers[i].evidence, answers[i].processes);
    if (finding.evidence.count == 0) continue;
    const auto error =
        std::find_if(told.begin(), told.end(), [](const Finding& one) { return one.severity() == Severity::error; });
    const std::size_t cause = cause_of(model, expectations, answers, i);
    finding.consequence = cause != i || (expectations[i].key == "no-warning" && error != told.end());
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

/// One finding for all expectations that the log leaves open.
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

bool fits_number(const Expectation& expected, std::int64_t value) {
  return fits_values(expected, [&](const std::string& wanted) {
    std::int64_t number = 0;
    std::from_chars(wanted.data(), wanted.data() + wanted.size(), number);
    return value < number ? -1 : value > number ? 1 : 0;
  });
}

bool fits_version(const Expectation& expected, std::string_view value) {
  return fits_values(expected, [&](const std::string& wanted) {
    const bool begins = value.starts_with(wanted);
    const char next = begins && value.size() > wanted.size() ? value[wanted.size()] : '.';
    if (begins && (next < '0' || next > '9')) return 0;
    return lower_version(value, wanted) ? -1 : 1;
  });
}

bool fits_text(const Expectation& expected, std::string_view value) {
  return fits_values(expected,
                     [&](const std::string& wanted) { return lower_case(value).compare(lower_case(wanted)); });
}

CheckStatus status_of(bool fits) { return fits ? CheckStatus::pass : CheckStatus::fail; }

ExpectationAnswer passed(std::string detail) { return {CheckStatus::pass, std::move(detail), {}, {}}; }
ExpectationAnswer unknown(std::string detail) { return {CheckStatus::unknown, std::move(detail), {}, {}}; }

ExpectationAnswer sum_up(const ExpectationCase& asked, const std::vector<Subject>& subjects, std::string_view noun,
                         const Silence& silence) {
  const std::string nothing(silence.what);
  const std::string remedy = silence.remedy.empty() ? std::string{} : concat("; ", silence.remedy);
  if (subjects.empty()) return unknown(nothing + remedy);
  Groups groups;
  for (const Subject& subject : subjects) {
    const std::string value = subject.value.empty() ? nothing : subject.value;
    Group& group = groups[{group_order(subject.status), value}];
    ++group.count;
    if (const std::string_view host = host_name(asked.model, subject.process); !host.empty()) group.hosts.insert(host);
  }
  ExpectationAnswer answer;
  const int worst = groups.begin()->first.first;
  answer.status = worst == 0 ? CheckStatus::fail : worst == 1 ? CheckStatus::unknown : CheckStatus::pass;
  for (const Subject& subject : subjects) {
    if (subject.status != answer.status || answer.status == CheckStatus::pass) continue;
    answer.processes.push_back(subject.process);
    if (answer.status == CheckStatus::fail) answer.evidence.add(subject.evidence);
  }
  std::vector<std::string> parts;
  for (const auto& [key, group] : groups)
    parts.push_back(group_text(key.second, group, subjects.size(), key.first < 2, noun));
  const std::size_t shown = std::min(parts.size(), max_groups);
  for (std::size_t i = 0; i < shown; ++i) answer.detail += concat(i == 0 ? "" : "; ", parts[i]);
  if (shown < parts.size()) answer.detail += concat("; and ", count_text(parts.size() - shown, "other value"));
  if (answer.status == CheckStatus::unknown) answer.detail += remedy;
  return answer;
}

std::vector<char> working_processes(const Model& model) {
  std::vector<char> working(model.processes.size(), 0);
  bool some = false;
  for (const Communicator& comm : model.communicators) {
    for (const Rank& rank : comm.ranks) {
      if (process_of(model, rank.process) == nullptr) continue;
      working[static_cast<std::size_t>(rank.process)] = 1;
      some = true;
    }
  }
  if (!some) std::fill(working.begin(), working.end(), 1);
  return working;
}

const Communicator* largest_communicator(const Model& model) {
  const Communicator* largest = nullptr;
  for (const Communicator& comm : model.communicators)
    if (!comm.inferred && comm.nranks > 0 && (largest == nullptr || comm.nranks > largest->nranks)) largest = &comm;
  return largest;
}

void check_expectations(const Model& model, std::span<const Expectation> expectations,
                        std::span<const Rule* const> rules, Report& report) {
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
}

}  // namespace nccl_analyze
