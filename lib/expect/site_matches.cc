// Finds the processes that meet the conditions of a site rule.

#include <algorithm>
#include <utility>

#include "expect/site_conditions.h"
#include "nccl_analyze/rule_parts.h"
#include "queries/ranks.h"
#include "queries/settings.h"

namespace nccl_analyze {

namespace {

bool fits(const SiteCondition& condition, std::string_view value) {
  switch (condition.field == nullptr ? ValueKind::none : condition.field->kind) {
    case ValueKind::number: {
      std::int64_t number = 0;
      for (const char digit : value) number = number * 10 + (digit - '0');
      return fits_number(condition.wanted, number);
    }
    case ValueKind::version:
      return fits_version(condition.wanted, value);
    case ValueKind::text:
      return fits_text(condition.wanted, value);
    case ValueKind::none:
    case ValueKind::positive:
    case ValueKind::number_or_none:
    case ValueKind::seconds:
    case ValueKind::decimal:
    case ValueKind::hosts:
      break;
  }
  // Values of environment variables are compared exactly, unlike text fields, which ignore case.
  return condition.wanted.comparison == Comparison::present ||
         std::find(condition.wanted.values.begin(), condition.wanted.values.end(), value) !=
             condition.wanted.values.end();
}

bool is_of_communicator(const SiteCondition& condition) {
  return condition.field != nullptr && condition.field->of_communicator != nullptr;
}

/// The processes for which a condition on the answer to an expectation holds.
struct FactMatch {
  std::vector<char> holds;         ///< 1 if the condition holds for the process; indexed by process.
  std::vector<Evidence> evidence;  ///< Indexed by process; empty for processes for which the condition does not hold.
  bool is_known = false;           ///< Whether the log shows the answer for some process.
};

/// Judges the expectation and gives each process an answer: its own, that of its host, or that of the job, depending on
/// what the expectation is about.
FactMatch match_fact(const Model& model, const SiteCondition& condition) {
  const ExpectationAnswer answer = condition.fact->judge({model, Report{}, condition.wanted});
  FactMatch match{std::vector<char>(model.processes.size(), 0), std::vector<Evidence>(model.processes.size()), false};
  const bool of_hosts = condition.fact->subjects == Subjects::hosts;
  std::vector<const Subject*> by_host(model.hosts.size(), nullptr);
  std::vector<const Subject*> by_process(model.processes.size(), nullptr);
  for (const Subject& subject : answer.subjects) {
    by_process[static_cast<std::size_t>(subject.process)] = &subject;
    const Index host = model.processes[subject.process].host_index;
    if (of_hosts && host >= 0) by_host[static_cast<std::size_t>(host)] = &subject;
    match.is_known = match.is_known || subject.status != CheckStatus::unknown;
  }
  if (answer.subjects.empty()) match.is_known = answer.status != CheckStatus::unknown;
  for (std::size_t i = 0; i < by_process.size(); ++i) {
    const Index host = model.processes[i].host_index;
    const Subject* const subject = of_hosts && host >= 0 ? by_host[static_cast<std::size_t>(host)] : by_process[i];
    const CheckStatus status = subject != nullptr                          ? subject->status
                               : condition.fact->subjects == Subjects::job ? answer.status
                                                                           : CheckStatus::unknown;
    if (status != condition.holds_if) continue;
    match.holds[i] = 1;
    if (subject != nullptr) match.evidence[i] = subject->evidence;
  }
  return match;
}

class Matching {
 public:
  Matching(const Model& model, const std::vector<SiteCondition>& conditions)
      : model_(model), conditions_(conditions), facts_(conditions.size()), known_(conditions.size(), 0) {
    for (std::size_t i = 0; i < conditions.size(); ++i) {
      if (conditions[i].fact == nullptr) continue;
      facts_[i] = match_fact(model, conditions[i]);
      known_[i] = facts_[i].is_known ? 1 : 0;
    }
  }

  SiteMatch run() {
    const std::vector<char> in_communicator = find_members();
    SiteMatch match;
    for (std::size_t i = 0; i < model_.processes.size(); ++i) {
      Evidence evidence;
      const bool holds =
          process_fits(model_.processes[i], evidence) && facts_hold(i, evidence) && in_communicator[i] != 0;
      if (!holds) continue;
      if (evidence.count == 0) evidence = evidence_at(model_.processes[i].first);
      match.processes.push_back(static_cast<Index>(i));
      match.evidence.add(evidence);
    }
    for (std::size_t i = 0; i < conditions_.size() && match.unknown.empty(); ++i)
      if (known_[i] == 0 && conditions_[i].variable.empty()) match.unknown = name_of(conditions_[i]);
    return match;
  }

 private:
  /// Returns for each process 1 if one of its communicators meets all communicator conditions, else 0; 1 for all
  /// processes if there are no such conditions.
  std::vector<char> find_members() {
    const bool asked = std::any_of(conditions_.begin(), conditions_.end(), is_of_communicator);
    std::vector<char> members(model_.processes.size(), asked ? 0 : 1);
    if (!asked) return members;
    for (const Communicator& comm : model_.communicators) {
      if (!communicator_fits(comm)) continue;
      for (const Rank& rank : comm.ranks)
        if (process_of(model_, rank.process) != nullptr) members[static_cast<std::size_t>(rank.process)] = 1;
    }
    return members;
  }

  bool communicator_fits(const Communicator& comm) {
    bool all = true;
    for (std::size_t i = 0; i < conditions_.size(); ++i) {
      if (!is_of_communicator(conditions_[i])) continue;
      const std::vector<std::string> values = conditions_[i].field->of_communicator(comm);
      if (!values.empty()) known_[i] = 1;
      const auto value_fits = [&](const std::string& value) { return fits(conditions_[i], value); };
      // A communicator may have several values, such as transports. `!=` must hold for all of them, any other
      // comparison for at least one.
      const bool none_may = conditions_[i].wanted.comparison == Comparison::not_equal;
      const bool holds = !values.empty() && (none_may ? std::all_of(values.begin(), values.end(), value_fits)
                                                      : std::any_of(values.begin(), values.end(), value_fits));
      all = all && holds;
    }
    return all;
  }

  bool process_fits(const Process& process, Evidence& evidence) {
    bool all = true;
    for (std::size_t i = 0; i < conditions_.size(); ++i) {
      const SiteCondition& condition = conditions_[i];
      if (is_of_communicator(condition) || condition.fact != nullptr) continue;
      const EnvValue* const setting = condition.field == nullptr ? process.env.find(condition.variable) : nullptr;
      const std::string value = condition.field != nullptr ? condition.field->of_process(process)
                                : setting != nullptr       ? setting->value.str()
                                                           : std::string{};
      const bool is_known = condition.field == nullptr ? setting != nullptr : !value.empty();
      if (is_known) known_[i] = 1;
      const bool holds = is_known && fits(condition, value);
      all = all && holds;
      if (holds) add_line(evidence, condition.field != nullptr ? process.*condition.field->at : setting->at);
    }
    return all;
  }

  bool facts_hold(std::size_t process, Evidence& evidence) const {
    for (std::size_t i = 0; i < conditions_.size(); ++i) {
      if (conditions_[i].fact == nullptr) continue;
      if (facts_[i].holds[process] == 0) return false;
      evidence.add(facts_[i].evidence[process]);
    }
    return true;
  }

  static std::string name_of(const SiteCondition& condition) {
    return std::string(condition.fact != nullptr ? condition.fact->key.key : condition.field->name);
  }

  const Model& model_;
  const std::vector<SiteCondition>& conditions_;
  std::vector<FactMatch> facts_;  ///< Indexed by condition; empty for conditions on fields and variables.
  std::vector<char> known_;       ///< For each condition, whether the log shows a value for some process.
};

}  // namespace

SiteMatch find_matches(const Model& model, const std::vector<SiteCondition>& conditions) {
  return Matching(model, conditions).run();
}

}  // namespace nccl_analyze
