// Runs the rules, assigns the remaining incidents to rules by wording or place, and links findings to their causes.

#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <string>
#include <utility>

#include "messages/meanings.h"
#include "nccl_analyze/events/fault.h"
#include "nccl_analyze/rule_parts.h"
#include "queries/attempts.h"
#include "rules/advice/advise.h"
#include "rules/causes.h"
#include "rules/checks.h"
#include "rules/outcome.h"
#include "rules/proven_failures.h"
#include "rules/support/failure.h"
#include "rules/support/unspecific.h"
#include "rules/suspects.h"
#include "rules/topics.h"
#include "text/lower_case.h"
#include "text/message_text.h"
#include "text/search.h"

namespace nccl_analyze {

namespace {

/// Collects the findings of each rule. Findings of a rule with the same message are merged, so that a fault of many
/// communicators is reported once.
class Collector {
 public:
  Collector(const Model& model, std::vector<Finding>& findings) : model_(model), findings_(findings) {}

  void add(const RuleInfo& rule, std::vector<Finding> findings) {
    std::map<std::string, std::size_t> by_message;
    const std::size_t begin = findings_.size();
    for (Finding& finding : findings) {
      if (finding.evidence.count == 0) continue;
      const auto [same, is_new] = by_message.try_emplace(finding.message, findings_.size());
      finding.rule = &rule;
      if (is_new)
        findings_.push_back(std::move(finding));
      else
        merge(findings_[same->second], std::move(finding));
    }
    for (std::size_t i = begin; i < findings_.size(); ++i) finish(findings_[i]);
  }

 private:
  static void merge(Finding& into, Finding&& from) {
    if (from.severity() > into.severity()) into.own_severity = from.own_severity;
    into.evidence.add(from.evidence);
    into.survived = into.survived && from.survived;
    append(into.communicators, from.communicators);
    append(into.processes, from.processes);
    append(into.ranks, from.ranks);
    append(into.incidents, from.incidents);
    append(into.suspects, from.suspects);
  }

  template <class T>
  static void append(std::vector<T>& into, std::vector<T>& from) {
    into.insert(into.end(), std::make_move_iterator(from.begin()), std::make_move_iterator(from.end()));
  }

  template <class T>
  static void sort_once(std::vector<T>& items) {
    if (!std::is_sorted(items.begin(), items.end())) std::ranges::sort(items);
    items.erase(std::unique(items.begin(), items.end()), items.end());
  }

  void finish(Finding& finding) const {
    sort_once(finding.communicators);
    sort_once(finding.processes);
    sort_once(finding.ranks);
    sort_once(finding.incidents);
    // The lines of a watchdog name their ranks, so no further lines are needed to prove that the ranks belong to the
    // communicator.
    const bool needs_membership = finding.incidents.empty() && finding.stage() != Stage::hang;
    if (finding.severity() != Severity::info && needs_membership) add_membership(model_, finding);
    complete_suspects(model_, finding);
  }

  const Model& model_;
  std::vector<Finding>& findings_;
};

/// Returns one flag for each element of Model::incidents: whether a finding accounts for the incident. Findings of
/// severity info count only if they state that the processes continued.
std::vector<bool> claimed_incidents(const Model& model, const std::vector<Finding>& findings) {
  std::vector<bool> claimed(model.incidents.size());
  for (const Finding& finding : findings)
    if (finding.severity() != Severity::info || finding.survived)
      for (const Index incident : finding.incidents) claimed[static_cast<std::size_t>(incident)] = true;
  return claimed;
}

/// Whether the incident is an error trace of a process that did not continue. Traces that follow from an abort by the
/// program do not count.
bool is_open_trail(const Incident& incident) {
  return incident.kind == IncidentKind::error_propagated && !incident.survived && !follows_program_abort(incident);
}

/// Whether the message passes on a failure of its process: of the service thread, of a call to it, or of a call before.
bool passes_on(const Incident& incident) {
  const bool is_of_operation = contains(incident.message, "Failed to execute operation") ||
                               contains(incident.message, "Error encountered progressing operation");
  return (incident.kind == IncidentKind::proxy_failed && is_of_operation) ||
         incident.message.starts_with("Proxy Call to rank ") || incident.message.starts_with("Socket recv failed") ||
         incident.message.starts_with("Attempt to use communicator before");
}

bool has_meaning(const Incident& incident, MessageClass kind) {
  const Meaning* const meaning = meaning_of(incident.message);
  return meaning != nullptr && meaning->kind == kind;
}

/// Whether the job goes on as if the warning had not been printed: by its meaning, or because NCCL's RAS prints it.
bool is_of_no_account(const Incident& incident) {
  const Topic topic = topic_of(incident);
  return (topic.rule == "none" && topic.source == TopicSource::place) ||
         (!incident.failed && has_meaning(incident, MessageClass::harmless));
}

/// Returns the place and result of an error trace, the same on each rank that fails in the same way.
std::string place_and_result(const Incident& incident) {
  const auto& event = incident.event.as<ErrorPropagated>();
  const std::string_view file = event.file;
  return concat(file.substr(file.rfind('/') + 1), ":", event.line, " ", event.result);
}

/// What the findings say about the failure, to recognise lines that only repeat it.
class ExplainedLines {
 public:
  ExplainedLines(const Model& model, const std::vector<Finding>& findings, const std::vector<bool>& claimed) {
    for (const Finding& finding : findings)
      if (finding.severity() != Severity::info)
        quoted_.insert(finding.evidence.lines.begin(), finding.evidence.lines.end());
    for (std::size_t i = 0; i < claimed.size(); ++i) {
      const Incident& incident = model.incidents[i];
      if (!claimed[i] || incident.evidence.lines.empty()) continue;
      sources_.insert(incident.evidence.lines.front().source);
      if (incident.process >= 0) processes_.insert(incident.process);
    }
    for (const Incident& incident : model.incidents)
      if (incident.kind == IncidentKind::error_propagated && processes_.contains(incident.process))
        trails_.insert(place_and_result(incident));
  }

  /// Whether a finding quotes the line, or explains what the line passes on.
  bool covers(const Incident& incident) const {
    if (incident.evidence.lines.empty()) return false;
    const LineRef at = incident.evidence.lines.front();
    if (quoted_.contains(at)) return true;
    if (incident.kind == IncidentKind::error_propagated) return trails_.contains(place_and_result(incident));
    if (passes_on(incident)) return processes_.contains(incident.process);
    return sources_.contains(at.source) && (incident.echo || has_meaning(incident, MessageClass::echo));
  }

 private:
  std::set<LineRef> quoted_;
  std::set<SourceId> sources_;    ///< Of incidents that a finding claims.
  std::set<Index> processes_;     ///< Of such incidents.
  std::set<std::string> trails_;  ///< The error traces of these processes.
};

/// Returns the warnings and notices of the current attempt that are not in claimed_incidents(), add something to the
/// findings and are not harmless, in the order of Model::incidents. For a process about which nothing else is reported,
/// also returns the first line of its error trace.
std::vector<Index> unexplained_warnings(const Model& model, const Attempts& attempts,
                                        const std::vector<Finding>& findings) {
  const std::vector<bool> claimed = claimed_incidents(model, findings);
  const ExplainedLines explained(model, findings, claimed);
  std::set<Index> reported;  // Processes about which something is reported.
  for (std::size_t i = 0; i < model.incidents.size(); ++i)
    if (claimed[i] || (is_printed_by_nccl(model.incidents[i]) && is_notable(model.incidents[i].level)))
      reported.insert(model.incidents[i].process);
  std::vector<Index> left;
  for (std::size_t i = 0; i < model.incidents.size(); ++i) {
    const Incident& incident = model.incidents[i];
    if (attempts.is_earlier(incident)) continue;
    const bool is_warned =
        !claimed[i] && is_printed_by_nccl(incident) && is_notable(incident.level) && !is_of_no_account(incident);
    const bool is_left = is_warned || (is_open_trail(incident) && reported.insert(incident.process).second);
    if (is_left && !explained.covers(incident)) left.push_back(static_cast<Index>(i));
  }
  return left;
}

/// Whether a job may survive a failure like this finding without harm. False if the setup of the network failed, and
/// for resources that NCCL goes on without, because such failures make the job slower even if it survives.
bool may_be_outlived(const Finding& finding) {
  const Stage stage = finding.stage();
  return stage == Stage::program || stage == Stage::network || stage == Stage::symptom ||
         (stage == Stage::setup && finding.severity() == Severity::error && finding.rule->check != "network");
}

/// Whether the process of the incident continued after the incident. False for the end of a process that the host
/// reports.
bool went_on_behind(const Incident& incident) {
  const bool is_reported_by_host =
      incident.kind == IncidentKind::process_ended || incident.kind == IncidentKind::memory_killed ||
      incident.kind == IncidentKind::job_cancelled || incident.kind == IncidentKind::node_lost;
  return incident.survived && !is_reported_by_host;
}

/// Turns failures that NCCL or a program reports into notes if the job completed, and if the processes continued or had
/// already ended all of their communicators. Findings whose rule has set `survived` itself are left alone.
void set_outlived_aside(const Model& model, const Attempts& attempts, std::vector<Finding>& findings) {
  const std::vector<LineRef> ends = last_communicator_ends(model);
  const auto is_late = [&](const Incident& incident) {
    if (!is_printed_by_nccl(incident) || process_of(model, incident.process) == nullptr ||
        incident.evidence.lines.empty())
      return false;
    const LineRef end = ends[static_cast<std::size_t>(incident.process)], at = incident.evidence.lines.front();
    return end.line > 0 && end.source == at.source && end < at;
  };
  const auto job_survived = [&](const Finding& finding) {
    return finding.severity() != Severity::info && !finding.survived && !finding.incidents.empty() &&
           std::ranges::all_of(finding.incidents, [&](Index index) {
             const Incident& incident = model.incidents[static_cast<std::size_t>(index)];
             return is_late(incident) || (may_be_outlived(finding) && went_on_behind(incident));
           });
  };
  if (std::ranges::none_of(findings, job_survived) || find_completion(model, attempts).empty() ||
      !find_failure_proofs(model, attempts).empty())
    return;
  for (Finding& finding : findings) {
    if (!job_survived(finding)) continue;
    finding.own_severity = Severity::info;
    finding.survived = true;
    finding.message += "; the job completed";
  }
}

/// Turns warnings of NCCL into errors if behind each of them an error trace of the process reached its program: what is
/// harmless elsewhere ended this process.
void raise_failed(const Model& model, const Attempts& attempts, std::vector<Finding>& findings) {
  std::set<Index> failed;  // Processes to whose program NCCL returned an error.
  for (const FailureProof& proof : find_failure_proofs(model, attempts))
    if (model.incidents[static_cast<std::size_t>(proof.incident)].kind == IncidentKind::error_propagated)
      failed.insert(proof.process);
  const auto has_failed = [&](Index index) {
    const Incident& incident = model.incidents[static_cast<std::size_t>(index)];
    return incident.failed && incident.error_trace >= 0 && !incident.survived && !incident.echo &&
           is_printed_by_nccl(incident) && incident.process >= 0 && failed.contains(incident.process);
  };
  for (Finding& finding : findings)
    if (finding.severity() == Severity::warning && !finding.survived && finding.stage() <= Stage::symptom &&
        !finding.incidents.empty() && std::ranges::all_of(finding.incidents, has_failed))
      finding.own_severity = Severity::error;
}

/// Turns warnings into errors if only the ends of processes say that the job failed, and the warnings quote lines above
/// these that speak of an error: a launcher prints that a process ended, and the process before it why. What is missing
/// or slow may be another matter, and stays a warning.
void raise_before_end(const Model& model, std::vector<Finding>& findings) {
  const auto at = [&](Index index) -> const std::vector<LineRef>& {
    return model.incidents[static_cast<std::size_t>(index)].evidence.lines;
  };
  std::vector<LineRef> ends;
  for (const Finding& finding : findings) {
    if (finding.severity() != Severity::error || finding.survived) continue;
    if (finding.stage() != Stage::symptom) return;
    for (const Index index : finding.incidents) {
      if (model.incidents[static_cast<std::size_t>(index)].kind != IncidentKind::process_ended) return;
      if (!at(index).empty()) ends.push_back(at(index).front());
    }
  }
  const auto is_error_above_end = [&](Index index) {
    const Incident& incident = model.incidents[static_cast<std::size_t>(index)];
    return incident.kind == IncidentKind::phrase_seen && !at(index).empty() &&
           contains(lower_case(model.quote(at(index).front())), "error") &&
           std::ranges::any_of(ends, [&](const LineRef& end) {
             return end.source == at(index).front().source && at(index).front() < end;
           });
  };
  for (Finding& finding : findings)
    if (finding.severity() == Severity::warning && !finding.survived && finding.rule->severity == Severity::error &&
        !finding.incidents.empty() && std::ranges::all_of(finding.incidents, is_error_above_end))
      finding.own_severity = Severity::error;
}

/// Turns errors into warnings if training steps follow each of their lines in the same log: whatever NCCL returned, the
/// program did not need it.
void set_trained_over_aside(const Model& model, std::vector<Finding>& findings) {
  const auto is_trained_over = [&](Index index) {
    const Incident& incident = model.incidents[static_cast<std::size_t>(index)];
    return went_on_behind(incident) && !incident.evidence.lines.empty() &&
           model.training_continues_after(incident.evidence.lines.back());
  };
  for (Finding& finding : findings) {
    if (finding.severity() != Severity::error || finding.survived || finding.incidents.empty() ||
        !std::ranges::all_of(finding.incidents, is_trained_over))
      continue;
    finding.own_severity = Severity::warning;
    finding.survived = true;
    finding.message += "; training steps follow";
  }
}

/// Removes findings of rules that are not in `rules`. A consequence of a removed finding becomes a top-level finding.
void keep_wanted(std::vector<Finding>& findings, std::span<const Rule* const> rules) {
  const auto is_wanted = [&](const Finding& finding) {
    return std::ranges::any_of(rules, [&](const Rule* rule) { return &rule->info == finding.rule; });
  };
  std::vector<Finding> kept;
  for (Finding& finding : findings) {
    std::vector<Finding> below;
    for (Finding& consequence : finding.consequences)
      if (is_wanted(consequence)) below.push_back(std::move(consequence));
    if (is_wanted(finding)) {
      finding.consequences = std::move(below);
      kept.push_back(std::move(finding));
    } else {
      std::move(below.begin(), below.end(), std::back_inserter(kept));
    }
  }
  findings = std::move(kept);
  order_findings(findings);
}

}  // namespace

Report analyze(const Model& model, std::span<const Rule* const> rules) {
  Report report;
  Collector collector(model, report.findings);
  const auto run = [&](const Rule& rule, RuleResult result) {
    collector.add(rule.info, std::move(result.findings));
    if (std::find(rules.begin(), rules.end(), &rule) == rules.end()) return;
    for (NotEvaluated& open : result.not_evaluated) {
      open.rule = rule.info.id;
      report.not_evaluated.push_back(std::move(open));
    }
  };
  // All built-in rules run, even those not in `rules`, because the cause of a finding may belong to another rule. The
  // caller's own rules follow.
  std::vector<const Rule*> every(all_rules().begin(), all_rules().end());
  std::copy_if(rules.begin(), rules.end(), std::back_inserter(every), [](const Rule* rule) {
    return std::find(all_rules().begin(), all_rules().end(), rule) == all_rules().end();
  });
  for (const Rule* rule : rules) report.judged.push_back(&rule->info);
  for (const Rule* rule : every)
    if (rule->check) run(*rule, rule->check(model));
  for (auto& [rule, findings] : unspecific_findings(model, claimed_incidents(model, report.findings), report.findings))
    collector.add(rule->info, std::move(findings));
  for (const Rule* rule : every)
    if (rule->check_rest != nullptr) run(*rule, rule->check_rest(model, claimed_incidents(model, report.findings)));
  const Attempts attempts(model);
  set_earlier_attempts_aside(attempts, report.findings);
  set_outlived_aside(model, attempts, report.findings);
  raise_failed(model, attempts, report.findings);
  raise_before_end(model, report.findings);
  set_trained_over_aside(model, report.findings);
  ensure_error(model, attempts, report.findings);
  order_findings(report.findings);
  report.checks = answer_checks(model, report.findings);
  report.unexplained_warnings = unexplained_warnings(model, attempts, report.findings);
  drop_guesses(report.findings);
  name_shown_findings(report.findings, report.checks);
  link_causes(model, report.findings);
  keep_wanted(report.findings, rules);
  advise(model, report.findings);
  return report;
}

}  // namespace nccl_analyze
