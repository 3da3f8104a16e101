#pragma once
/// Predicates on incidents that several rules share.

#include <string>

#include "nccl_analyze/model.h"

namespace nccl_analyze {

/// Whether NCCL or a plugin printed the line of the incident, rather than a framework, a launcher or the kernel.
bool is_printed_by_nccl(const Incident& incident);

/// Whether `trail`, an error_propagated incident, is the first line of its process's error trace and reports a failed
/// system call in NCCL's socket code, while the input has no warning.
bool is_socket_trail(const Model& model, const Incident& trail);

/// Whether the errno of the incident is one that a connection gets when the peer process is gone: ECONNREFUSED,
/// ECONNRESET or EPIPE. False for any other errno, such as that of an unreachable host.
bool says_peer_gone(const Incident& incident);

/// ` (error 35)` for the error number of a cuda_failed incident; empty if the line has no error number.
std::string driver_code_text(const Incident& incident);

}  // namespace nccl_analyze
