#include "rules/failure.h"

#include <algorithm>

#include "rules/rule_support.h"
#include "rules/topics.h"

namespace nccl_analyze {

namespace {

/// A trail that begins right behind a warning belongs to it, even when a few lines of other processes stand between.
constexpr std::uint64_t trail_distance = 12;

}  // namespace

bool has_trail(const Model& model, const Incident& warning) {
  if (warning.evidence.lines.empty()) return false;
  const LineRef at = warning.evidence.lines.back();
  return std::any_of(model.incidents.begin(), model.incidents.end(), [&](const Incident& incident) {
    if (incident.kind != IncidentKind::error_propagated || incident.process != warning.process) return false;
    return std::any_of(incident.evidence.lines.begin(), incident.evidence.lines.end(), [&](LineRef line) {
      return line.source == at.source && line.line > at.line && line.line - at.line <= trail_distance;
    });
  });
}

bool went_on(const Model& model, const Incident& incident) {
  const Process* process = process_of(model, incident.process);
  if (process == nullptr || incident.evidence.lines.empty()) return false;
  const LineRef last = incident.evidence.lines.back();
  return process->progress.source == last.source && last < process->progress;
}

bool is_printed_by_nccl(const Incident& incident) {
  switch (incident.kind) {
    case IncidentKind::program_raised:
    case IncidentKind::nccl_error_raised:
    case IncidentKind::process_ended:
    case IncidentKind::job_cancelled:
    case IncidentKind::gpu_faulted:
    case IncidentKind::phrase_seen:
      return false;
    default:
      return true;
  }
}

bool is_wrong_type(const Incident& handshake) { return contains(handshake.message, "wrong type"); }

bool is_socket_trail(const Model& model, const Incident& trail) {
  if (trail.kind != IncidentKind::error_propagated || trail.code != 2 || !contains(trail.subject, "socket.cc") ||
      trail.evidence.lines.empty())
    return false;
  return std::none_of(model.incidents.begin(), model.incidents.end(), [&](const Incident& other) {
    return is_warning(other) || (other.kind == IncidentKind::error_propagated && other.process == trail.process &&
                                 !other.evidence.lines.empty() && other.evidence.lines[0] < trail.evidence.lines[0]);
  });
}

}  // namespace nccl_analyze
