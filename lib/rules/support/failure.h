#pragma once
/// Predicates on incidents that several rules share.

#include <string>

#include "nccl_analyze/model.h"

namespace nccl_analyze {

/// Whether NCCL or a plugin printed the line of the incident, rather than a framework, a launcher or the kernel.
bool is_printed_by_nccl(const Incident& incident);

/// Whether the incident is the first line of a process's error trace, a failed system call on a socket caused the
/// trace, and the input has no warning.
bool is_socket_trail(const Model& model, const Incident& trail);

/// Whether the errno shows that the peer process was gone (ECONNREFUSED, ECONNRESET, EPIPE). If a connect failed with
/// any other errno, the peer's host was unreachable.
bool says_peer_gone(const Incident& incident);

/// ` (error 35)` for the error number of a failed CUDA call; empty if the line has no error number.
std::string driver_code_text(const Incident& incident);

}  // namespace nccl_analyze
