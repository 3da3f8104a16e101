// Implements predicates on incidents that several rules share.

#include "rules/support/failure.h"

#include <algorithm>

#include "nccl_analyze/events/fault.h"
#include "rules/topics.h"
#include "text/message_text.h"
#include "text/search.h"

namespace nccl_analyze {

bool is_printed_by_nccl(const Incident& incident) {
  switch (incident.kind) {
    case IncidentKind::program_raised:
    case IncidentKind::nccl_error_raised:
    case IncidentKind::process_ended:
    case IncidentKind::memory_killed:
    case IncidentKind::job_cancelled:
    case IncidentKind::gpu_faulted:
    case IncidentKind::node_lost:
    case IncidentKind::device_faulted:
    case IncidentKind::phrase_seen:
      return false;
    default:
      return true;
  }
}

bool hides_cuda_error(const Incident& incident) {
  return incident.event.as<AllocationFailed>().what.starts_with("CUDA ");
}

bool says_peer_gone(const Incident& incident) {
  return incident.error_number == 111 || incident.error_number == 104 || incident.error_number == 32;
}

namespace {

/// Whether the warning only passes on another failure: the proxy could not perform a request, or a peer is gone.
bool gives_no_reason(const Incident& incident) {
  return incident.kind == IncidentKind::proxy_failed || incident.kind == IncidentKind::connection_closed;
}

}  // namespace

bool is_socket_error_trace(const Model& model, const Incident& trail) {
  const auto& event = trail.event.as<ErrorPropagated>();
  if (event.result != 2 || !contains(event.file, "socket.cc") || trail.evidence.lines.empty()) return false;
  return std::ranges::none_of(model.incidents, [&](const Incident& other) {
    const bool is_before = other.process == trail.process && !other.evidence.lines.empty() &&
                           other.evidence.lines[0] < trail.evidence.lines[0];
    if (other.kind == IncidentKind::error_propagated || gives_no_reason(other)) return is_before;
    return is_warning(other);
  });
}

RaisedErrors::RaisedErrors(const Model& model) : model_(model) {
  for (const Incident& incident : model.incidents) {
    if (incident.kind != IncidentKind::nccl_error_raised || incident.evidence.lines.empty()) continue;
    const LineRef at = incident.evidence.lines.back();
    LineRef& last = last_[{at.source, incident.process}];
    last = std::max(last, at);
  }
}

bool RaisedErrors::after(const Incident& warning) const {
  if (warning.evidence.lines.empty() || warning.survived) return false;
  const LineRef at = warning.evidence.lines.front();
  const bool is_unnamed = warning.process < 0 || model_.processes[warning.process].pid < 0;
  const auto is_later = [&](Index process) {
    const auto found = last_.find({at.source, process});
    return found != last_.end() && (at < found->second || (process < 0 && is_unnamed));
  };
  return is_later(warning.process) || is_later(-1);
}

bool follows_program_abort(const Incident& trail) {
  constexpr int internal_error = 3;
  const auto& event = trail.event.as<ErrorPropagated>();
  return event.result == internal_error && contains(event.file, "socket.cc");
}

std::string driver_code_text(const Incident& incident) {
  const int code = incident.event.as<CudaFailed>().code;
  return when(code >= 0, " (error ", code, ")");
}

}  // namespace nccl_analyze
