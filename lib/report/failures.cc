// Finds the first failure of each process and their order, from the incidents that the findings claim.

#include "report/failures.h"

#include <algorithm>
#include <map>
#include <ostream>
#include <set>
#include <utility>

#include "report/aligned_rows.h"
#include "report/outcome.h"
#include "report/words.h"
#include "rules/support/address.h"
#include "rules/support/message_text.h"
#include "rules/support/ranks.h"

namespace nccl_analyze {

namespace {

void add_incidents(const Finding& finding, std::set<Index>& incidents) {
  if (finding.severity() == Severity::error && !finding.survived)
    incidents.insert(finding.incidents.begin(), finding.incidents.end());
  for (const Finding& consequence : finding.consequences) add_incidents(consequence, incidents);
}

LineRef line_of(const Incident& incident) {
  return incident.evidence.lines.empty() ? LineRef{} : incident.evidence.lines.front();
}

/// Whether the incident is a failure that happened at its line: retries and notes of the documents of other tools are
/// none.
bool is_failure(const Incident& incident) {
  return !incident.survived && !incident.evidence.lines.empty() && incident.kind != IncidentKind::connect_retried &&
         incident.kind != IncidentKind::call_retried;
}

/// The earliest incident of each process, in the order of sources and lines.
std::vector<ProcessFailure> earliest(const Model& model, const std::set<Index>& incidents) {
  std::vector<ProcessFailure> failures;
  std::map<Index, std::size_t> of_process;
  for (const Index index : incidents) {
    const Incident& incident = model.incidents[static_cast<std::size_t>(index)];
    if (!is_failure(incident)) continue;
    const bool is_known = incident.process >= 0;
    const auto [place, is_new] =
        is_known ? of_process.try_emplace(incident.process, failures.size()) : std::pair{of_process.end(), true};
    if (is_new) {
      failures.push_back({index, false});
    } else if (const Index other = failures[place->second].incident;
               line_of(incident) < line_of(model.incidents[static_cast<std::size_t>(other)])) {
      failures[place->second].incident = index;
    }
  }
  return failures;
}

bool have_one_clock(const Model& model, const std::vector<ProcessFailure>& failures) {
  const Moment& first = model.incidents[static_cast<std::size_t>(failures.front().incident)].first;
  return std::ranges::all_of(failures, [&](const ProcessFailure& failure) {
    const Moment& moment = model.incidents[static_cast<std::size_t>(failure.incident)].first;
    return moment.microseconds >= 0 && moment.dated == first.dated && moment.collected == first.collected;
  });
}

/// Whether the failures, sorted by line, stand in a source to which their processes wrote at the same time: each
/// process has a line before the first failure. Logs that were put one behind the other tell no order.
bool is_one_stream(const Model& model, const std::vector<ProcessFailure>& failures) {
  const LineRef first = line_of(model.incidents[static_cast<std::size_t>(failures.front().incident)]);
  return std::ranges::all_of(failures, [&](const ProcessFailure& failure) {
    const Process* const process =
        process_of(model, model.incidents[static_cast<std::size_t>(failure.incident)].process);
    return process != nullptr && process->first.source == first.source && !(first < process->first);
  });
}

/// `10:11:12.345`, the time of day.
std::string time_of_day(const Moment& moment) {
  constexpr std::int64_t millisecond = 1000, second = 1000 * millisecond, day = 86400 * second;
  const std::int64_t in_day = moment.microseconds % day;
  const auto digits = [](std::int64_t number, std::size_t width) {
    std::string text = std::to_string(number);
    return std::string(width - std::min(width, text.size()), '0') + text;
  };
  const std::int64_t seconds = in_day / second;
  return concat(digits(seconds / 3600, 2), ":", digits(seconds / 60 % 60, 2), ":", digits(seconds % 60, 2), ".",
                digits(in_day / millisecond % 1000, 3));
}

std::string who_failed(const Model& model, const Incident& incident) {
  Suspect suspect;
  suspect.rank = incident.rank;
  suspect.process = incident.process;
  const Index communicator = incident.communicator;
  const std::span<const Index> communicators(&communicator, communicator >= 0 ? 1 : 0);
  const std::string text = address_text(address_of(model, suspect, communicators));
  return text.empty() ? "a process that no line names" : text;
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

FailureList list_failures(const Model& model, const Report& report) {
  const Outcome outcome = outcome_of(model, report).outcome;
  if (outcome != Outcome::failed && outcome != Outcome::hung) return {};
  std::set<Index> incidents;
  for (const Finding& finding : report.findings) add_incidents(finding, incidents);
  FailureList list;
  list.failures = earliest(model, incidents);
  if (list.failures.empty()) return list;
  const auto incident_of = [&](const ProcessFailure& failure) -> const Incident& {
    return model.incidents[static_cast<std::size_t>(failure.incident)];
  };
  std::ranges::sort(list.failures, {}, [&](const ProcessFailure& failure) { return line_of(incident_of(failure)); });
  if (have_one_clock(model, list.failures)) {
    list.order = FailureOrder::time;
    std::ranges::stable_sort(list.failures, {},
                             [&](const ProcessFailure& failure) { return incident_of(failure).first.microseconds; });
  } else if (is_one_stream(model, list.failures)) {
    list.order = FailureOrder::line;
  }
  const bool is_alone = list.failures.size() == 1;
  const bool is_tie =
      !is_alone && list.order == FailureOrder::time &&
      incident_of(list.failures[0]).first.microseconds == incident_of(list.failures[1]).first.microseconds &&
      line_of(incident_of(list.failures[0])).source != line_of(incident_of(list.failures[1])).source;
  list.failures.front().is_first = is_alone || (list.order != FailureOrder::none && !is_tie);
  return list;
}

std::vector<std::vector<std::string>> failure_rows(const Model& model, const FailureList& list) {
  constexpr std::size_t most = 120;
  std::vector<std::vector<std::string>> rows;
  for (const ProcessFailure& failure : list.failures) {
    const Incident& incident = model.incidents[static_cast<std::size_t>(failure.incident)];
    const std::string when =
        list.order == FailureOrder::time ? time_of_day(incident.first) : place_of(model, line_of(incident));
    rows.push_back({failure.is_first ? "first" : "", when, who_failed(model, incident),
                    excerpt(incident.message.empty() ? incident.error : incident.message, most)});
  }
  return rows;
}

void write_failures(std::ostream& out, const Model& model, const Report& report) {
  const FailureList list = list_failures(model, report);
  if (list.failures.empty()) {
    out << "no line of this input shows the failure of a rank\n";
    return;
  }
  std::vector<std::vector<std::string>> rows = failure_rows(model, list);
  rows.insert(rows.begin(), {"", list.order == FailureOrder::time ? "time" : "line", "rank", "message"});
  write_aligned_rows(out, rows);
}

}  // namespace nccl_analyze
