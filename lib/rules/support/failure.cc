// Implements predicates on incidents that several rules share.

#include "rules/support/failure.h"

#include <algorithm>

#include "nccl_analyze/events/fault.h"
#include "rules/support/message_text.h"
#include "rules/support/search.h"
#include "rules/topics.h"

namespace nccl_analyze {

bool is_printed_by_nccl(const Incident& incident) {
  switch (incident.kind) {
    case IncidentKind::program_raised:
    case IncidentKind::nccl_error_raised:
    case IncidentKind::process_ended:
    case IncidentKind::memory_killed:
    case IncidentKind::job_cancelled:
    case IncidentKind::gpu_faulted:
    case IncidentKind::phrase_seen:
      return false;
    default:
      return true;
  }
}

bool says_peer_gone(const Incident& incident) {
  return incident.error_number == 111 || incident.error_number == 104 || incident.error_number == 32;
}

bool is_socket_trail(const Model& model, const Incident& trail) {
  const auto& event = trail.event.as<ErrorPropagated>();
  if (event.result != 2 || !contains(event.file, "socket.cc") || trail.evidence.lines.empty()) return false;
  return std::none_of(model.incidents.begin(), model.incidents.end(), [&](const Incident& other) {
    return is_warning(other) || (other.kind == IncidentKind::error_propagated && other.process == trail.process &&
                                 !other.evidence.lines.empty() && other.evidence.lines[0] < trail.evidence.lines[0]);
  });
}

std::string driver_code_text(const Incident& incident) {
  const int code = incident.event.as<CudaFailed>().code;
  return code >= 0 ? concat(" (error ", code, ")") : std::string();
}

}  // namespace nccl_analyze
