// An error trail without a better cause.

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <utility>

#include "rules/failure.h"
#include "rules/rdma.h"
#include "rules/rule_support.h"

namespace nccl_analyze {

namespace {

std::string_view result_text(std::int64_t result) {
  constexpr std::array<std::string_view, 9> names = {"success",        "unhandled CUDA error", "unhandled system error",
                                                     "internal error", "invalid argument",     "invalid usage",
                                                     "remote error",   "in progress",          "timeout"};
  return result >= 0 && result < static_cast<std::int64_t>(names.size()) ? names[static_cast<std::size_t>(result)]
                                                                         : std::string_view("unknown result");
}

/// Warnings of a job that goes on; other rules tell of them.
bool passes_by(const Model& model, const Incident& incident) {
  switch (incident.kind) {
    case IncidentKind::ib_async_event:
      return !is_rdma_failure(model, incident);
    case IncidentKind::handshake_refused:
      return !is_wrong_type(incident);
    // has_root_failure() knows which of what other programs say explains a failure
    case IncidentKind::program_raised:
    case IncidentKind::nccl_error_raised:
    case IncidentKind::process_ended:
    case IncidentKind::job_cancelled:
    case IncidentKind::host_setting_missing:
    case IncidentKind::ib_rails_mismatched:
    case IncidentKind::ib_router_lid_missing:
    case IncidentKind::ib_device_unusable:
    case IncidentKind::ib_device_failed:
      return true;
    default:
      return false;
  }
}

/// Everything that another rule reports; what is left is a warning in words that nobody has a rule for.
bool has_better_cause(const Model& model) {
  const auto named = [&](const Incident& incident) {
    return !lacks_rule(incident) && !passes_by(model, incident) && incident.kind != IncidentKind::error_propagated &&
           incident.kind != IncidentKind::proxy_failed && incident.kind != IncidentKind::connect_retried &&
           incident.kind != IncidentKind::service_closed && incident.kind != IncidentKind::env_rejected &&
           incident.kind != IncidentKind::p2p_disabled_pcie && incident.kind != IncidentKind::host_setting_missing &&
           (incident.level == Level::warn || incident.level == Level::abort);
  };
  if (std::any_of(model.incidents.begin(), model.incidents.end(), named)) return true;
  const bool aborted =
      std::any_of(model.communicators.begin(), model.communicators.end(), [](const Communicator& comm) {
        return std::any_of(comm.ranks.begin(), comm.ranks.end(),
                           [](const Rank& rank) { return rank.state == RankState::aborted; });
      });
  return aborted;
}

/// The trail was handled: the process finished its initialisation behind it, or ended in order.
bool went_on(const Model& model, const Incident& trail) {
  if (trail.evidence.lines.empty()) return false;
  const LineRef last = trail.evidence.lines.back();
  for (const Communicator& comm : model.communicators)
    for (const Rank& rank : comm.ranks) {
      if (rank.process != trail.process) continue;
      if (rank.state == RankState::destroyed) return true;
      if (rank.state == RankState::complete && rank.ended_at.source == last.source && last < rank.ended_at) return true;
    }
  return false;
}

bool has_connections_after(const Model& model, const Incident& trail) {
  for (const Communicator& comm : model.communicators)
    for (const Rank& rank : comm.ranks)
      if (rank.process == trail.process)
        for (const Evidence& evidence : comm.transport_evidence)
          for (const LineRef line : evidence.lines)
            if (!trail.evidence.lines.empty() && line.source == trail.evidence.lines.back().source &&
                trail.evidence.lines.back() < line)
              return true;
  return false;
}

/// NCCL passes an error up through several functions; a single line is an error that the next function handled.
bool is_single_line(const Model& model, const Incident& trail) {
  return std::none_of(model.incidents.begin(), model.incidents.end(), [&](const Incident& incident) {
    return incident.kind == IncidentKind::error_propagated && incident.process == trail.process &&
           incident.message != trail.message;
  });
}

struct Trail {
  std::vector<Index> processes;
  Evidence evidence;
};

/// The last warning before the trail in the same process: its cause in NCCL's words.
const Incident* warning_before(const Model& model, const Incident& trail) {
  const Incident* found = nullptr;
  for (const Incident& incident : model.incidents) {
    if (incident.process != trail.process || incident.evidence.lines.empty() || trail.evidence.lines.empty()) continue;
    if (!lacks_rule(incident) && incident.kind != IncidentKind::proxy_failed) continue;
    if (incident.evidence.lines.front() < trail.evidence.lines.front()) found = &incident;
  }
  return found;
}

Verdict check(const Model& model) {
  if (has_better_cause(model)) return {};
  std::map<std::string, Trail> trails;
  std::set<Index> done;
  for (const Incident& incident : model.incidents) {
    if (incident.kind != IncidentKind::error_propagated && incident.kind != IncidentKind::proxy_failed) continue;
    if (went_on(model, incident) || has_connections_after(model, incident)) continue;
    const Incident* cause = incident.kind == IncidentKind::proxy_failed ? &incident : warning_before(model, incident);
    if (cause != nullptr && known_warning(*cause) != KnownWarning::none) continue;  // its rule tells more
    if (is_socket_trail(model, incident)) done.insert(incident.process);            // NCA210
    if ((cause == nullptr || cause->level == Level::info) && is_single_line(model, incident)) continue;
    // One trail per process: its first line with the warning in front of it.
    if (!done.insert(incident.process).second) continue;
    std::string message = cause != nullptr ? cat("NCCL failed: ", shortened(cause->message))
                                           : cat("NCCL failed with ", result_text(incident.code),
                                                 " and no warning in front of it says why");
    Trail& trail = trails[std::move(message)];
    trail.processes.push_back(incident.process);
    if (cause != nullptr) trail.evidence.add(cause->evidence);
    if (cause != &incident) trail.evidence.add(incident.evidence);
  }
  for (const Incident& incident : model.incidents) {
    if (incident.kind != IncidentKind::nccl_error_raised || !trails.empty() || has_root_failure(model)) continue;
    Trail& trail = trails[cat("The program reports an error of NCCL (", shortened(incident.subject, 80),
                              "); NCCL's own words are not in this input")];
    trail.processes.push_back(incident.process);
    trail.evidence.add(incident.evidence);
  }
  Verdict verdict;
  for (auto& [message, trail] : trails) {
    if (trail.evidence.count == 0) continue;
    Occurrence& occurrence = verdict.occurrences.emplace_back();
    occurrence.message = message;
    occurrence.evidence = std::move(trail.evidence);
    concern(model, std::move(trail.processes), occurrence);
    if (!occurrence.ranks.empty()) occurrence.message += cat(", on ", ranks_text(occurrence.ranks));
  }
  return verdict;
}

}  // namespace

extern constinit const Rule internal_error{
    {.id = "NCA607",
     .name = "internal-error",
     .severity = Severity::error,
     .waits_for_end = true,
     .title = "NCCL failed for a reason that no other rule knows",
     .explanation =
         R"(Behind a failure NCCL prints one line for each function that passes it on: `init.cc:1437 -> 2`. The
number is the result: 1 CUDA, 2 system call, 3 internal, 4 argument, 5 usage, 6 remote (a peer failed), 8
timeout. The trail says where, not why; the warning in front of it says why. Here it is none that this tool has
a rule for, or it is not in the input (`NCCL_DEBUG` below WARN at that time, a log that is cut, an excerpt).)",
     .fix =
         R"(1. Where a warning is quoted, it is NCCL's own reason: read it. Where none is, repeat with `NCCL_DEBUG=INFO` and give
   the logs of all ranks.
2. Result 6 (remote error): look at the other ranks first, this one is a witness.
3. Result 2 (system): a call to the kernel failed, the words at the end of the warning are errno's.
   `Driver/library version mismatch` from NVML: the node's driver was updated under a running container; restart
   the pod, or the node.
4. The file and line are those of the NCCL version that is printed at the start: its source says what was tried.)"},
    check};

}  // namespace nccl_analyze
