// Finds the first failure of each process and their order, from the incidents of the findings.

#include "report/sentences/failures.h"

#include <algorithm>
#include <ostream>
#include <set>
#include <utility>

#include "model/stable_sort.h"
#include "nccl_analyze/rule_parts.h"
#include "queries/ranks.h"
#include "report/sentences/outcome.h"
#include "report/sentences/words.h"
#include "text/message_text.h"

namespace nccl_analyze {

namespace {

void add_incidents(const Finding& finding, std::set<Index>& incidents) {
  if (finding.severity() == Severity::error && !finding.survived)
    incidents.insert(finding.incidents.begin(), finding.incidents.end());
  for (const Finding& consequence : finding.consequences) add_incidents(consequence, incidents);
}

/// Whether the incident is a failure that happened at its line. Retries, survived incidents and incidents without a
/// line do not count.
bool is_failure(const Incident& incident) {
  return !incident.survived && !incident.evidence.lines.empty() && incident.kind != IncidentKind::connect_retried &&
         incident.kind != IncidentKind::call_retried;
}

ProcessFailure failure_of(const Incident& incident) {
  return {.process = incident.process,
          .rank = incident.rank,
          .communicator = incident.communicator,
          .at = incident.evidence.lines.front(),
          .when = incident.first,
          .message = incident.message.empty() ? incident.error : incident.message};
}

/// Returns the earliest failure of each process, sorted by source and line. Keeps every failure of an unknown process.
std::vector<ProcessFailure> earliest(const Model& model, const std::set<Index>& incidents) {
  std::vector<ProcessFailure> failures;
  for (const Index index : incidents)
    if (const Incident& incident = model.incidents[static_cast<std::size_t>(index)]; is_failure(incident))
      failures.push_back(failure_of(incident));
  sort_stably_by(failures, &ProcessFailure::at);
  // An exception repeats the warning of its process.
  const auto is_named = [&](const ProcessFailure& failure) {
    const Process* const process = process_of(model, failure.process);
    return failure.rank >= 0 || (process != nullptr && (process->pid >= 0 || !process->host.empty()));
  };
  std::set<std::string_view> named;
  for (const ProcessFailure& failure : failures)
    if (is_named(failure)) named.insert(failure.message);
  std::erase_if(failures,
                [&](const ProcessFailure& failure) { return !is_named(failure) && named.contains(failure.message); });
  std::set<Index> seen;
  std::erase_if(failures, [&](const ProcessFailure& failure) {
    return failure.process >= 0 && !seen.insert(failure.process).second;
  });
  return failures;
}

/// Returns the processes of the input that the rule process-died reports as errors and that are not in `failures`.
std::vector<ProcessFailure> silent_deaths(const Model& model, const Report& report,
                                          const std::vector<ProcessFailure>& failures) {
  std::vector<ProcessFailure> silent;
  for (const Finding& finding : report.findings) {
    if (finding.rule->name != "process-died" || finding.severity() != Severity::error) continue;
    for (const Suspect& suspect : finding.suspects) {
      const Process* const process = process_of(model, suspect.process);
      if (process == nullptr ||
          std::ranges::find(failures, suspect.process, &ProcessFailure::process) != failures.end())
        continue;
      silent.push_back({.process = suspect.process,
                        .rank = suspect.rank,
                        .communicator = finding.communicators.empty() ? -1 : finding.communicators.front(),
                        .at = process->last,
                        .when = {},
                        .message = {}});
    }
  }
  return silent;
}

bool have_one_clock(const std::vector<ProcessFailure>& failures) {
  const Moment& first = failures.front().when;
  return std::ranges::all_of(failures, [&](const ProcessFailure& failure) {
    return failure.when.microseconds >= 0 && failure.when.dated == first.dated &&
           failure.when.collected == first.collected;
  });
}

/// Whether all processes wrote to one source at the same time: each has a line in the source of the first failure, and
/// its first line is not after that failure. Otherwise the order of concatenated logs means nothing. `failures` must be
/// sorted by line.
bool is_one_stream(const Model& model, const std::vector<ProcessFailure>& failures) {
  const LineRef first = failures.front().at;
  return std::ranges::all_of(failures, [&](const ProcessFailure& failure) {
    const Process* const process = process_of(model, failure.process);
    return process != nullptr && process->first.source == first.source && !(first < process->first);
  });
}

/// Whether the processes ran on two hosts. Their clocks may differ, and a launcher joins their lines in the order of
/// arrival. False if a host is unknown.
bool are_on_two_hosts(const Model& model, const ProcessFailure& a, const ProcessFailure& b) {
  const Process* const one = process_of(model, a.process);
  const Process* const other = process_of(model, b.process);
  return one != nullptr && other != nullptr && !one->host.empty() && !other->host.empty() && one->host != other->host;
}

/// Sorts the failures by time if all have a time of the same clock, and marks the first one unless the order is unknown
/// or the first two tie. Returns the basis of the order.
FailureOrder put_in_order(const Model& model, std::vector<ProcessFailure>& failures) {
  FailureOrder order = FailureOrder::none;
  if (have_one_clock(failures)) {
    order = FailureOrder::time;
    sort_stably_by(failures, [](const ProcessFailure& failure) { return failure.when.microseconds; });
  } else if (is_one_stream(model, failures)) {
    order = FailureOrder::line;
  }
  const bool is_alone = failures.size() == 1;
  const bool is_tie = !is_alone && order == FailureOrder::time &&
                      failures[0].when.microseconds == failures[1].when.microseconds &&
                      (!is_one_stream(model, failures) || are_on_two_hosts(model, failures[0], failures[1]));
  failures.front().is_first = is_alone || (order != FailureOrder::none && !is_tie);
  return order;
}

constexpr std::int64_t in_second = 1'000'000;  // microseconds

/// Formats the time of day: `10:11:12.345`, or `10:11:12` without milliseconds.
std::string time_of_day(const Moment& moment, bool has_milliseconds) {
  const std::int64_t in_day = moment.microseconds % (86400 * in_second);
  const auto digits = [](std::int64_t number, std::size_t width) {
    std::string text = std::to_string(number);
    return std::string(width - std::min(width, text.size()), '0') + text;
  };
  const std::int64_t seconds = in_day / in_second;
  const std::string text =
      concat(digits(seconds / 3600, 2), ":", digits(seconds / 60 % 60, 2), ":", digits(seconds % 60, 2));
  return has_milliseconds ? concat(text, ".", digits(in_day / 1000 % 1000, 3)) : text;
}

std::string who_failed(const Model& model, const ProcessFailure& failure) {
  Suspect suspect;
  suspect.rank = failure.rank;
  suspect.process = failure.process;
  const std::span<const Index> communicators(&failure.communicator, failure.communicator >= 0 ? 1 : 0);
  const std::string text = address_text(address_of(model, suspect, communicators));
  return text.empty() ? "a process that is not identified" : text;
}

}  // namespace

std::string_view to_string(FailureOrder order) {
  switch (order) {
    case FailureOrder::time:
      return "time";
    case FailureOrder::line:
      return "line";
    case FailureOrder::none:
      break;
  }
  return "none";
}

std::string_view about(FailureOrder order) {
  switch (order) {
    case FailureOrder::time:
      return "in order of time";
    case FailureOrder::line:
      return "in order of lines";
    case FailureOrder::none:
      break;
  }
  return "in no known order";
}

FailureList list_failures(const Model& model, const Report& report) {
  const Outcome outcome = outcome_of(model, report).outcome;
  if (outcome != Outcome::failed && outcome != Outcome::hung) return {};
  std::set<Index> incidents;
  for (const Finding& finding : report.findings) add_incidents(finding, incidents);
  FailureList list;
  list.failures = earliest(model, incidents);
  std::vector<ProcessFailure> silent = silent_deaths(model, report, list.failures);
  if (!list.failures.empty()) list.order = put_in_order(model, list.failures);
  if (silent.empty()) return list;
  // The failure of another process may have followed from the death, whose time is not known.
  for (ProcessFailure& failure : list.failures) failure.is_first = false;
  list.failures.insert(list.failures.begin(), silent.begin(), silent.end());
  list.failures.front().is_first = list.failures.size() == 1;
  return list;
}

std::vector<std::vector<std::string>> failure_rows(const Model& model, const FailureList& list) {
  constexpr std::size_t most = 120;
  const bool has_milliseconds = std::ranges::any_of(
      list.failures, [](const ProcessFailure& failure) { return failure.when.microseconds % in_second != 0; });
  std::vector<std::vector<std::string>> rows;
  for (const ProcessFailure& failure : list.failures) {
    const bool has_time = list.order == FailureOrder::time && failure.when.microseconds >= 0;
    rows.push_back(
        {failure.is_first ? "first" : "",
         has_time ? time_of_day(failure.when, has_milliseconds) : place_of(model, failure.at),
         who_failed(model, failure),
         failure.message.empty() ? "its last line; it died without a message" : excerpt(failure.message, most)});
  }
  return rows;
}

}  // namespace nccl_analyze
