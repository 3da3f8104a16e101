#pragma once
/// Predicates on incidents that several rules share.

#include <string>

#include "nccl_analyze/model.h"

namespace nccl_analyze {

/// Whether NCCL or a plugin printed the incident, and not a framework, a launcher or the kernel.
bool is_printed_by_nccl(const Incident& incident);

/// Whether an error trace starts with a failed system call on a socket, in an input without any warning.
bool is_socket_trail(const Model& model, const Incident& trail);

/// Whether the errno shows that the peer was gone (ECONNREFUSED, ECONNRESET, EPIPE). Other errors of a connect mean
/// that the peer is unreachable.
bool says_peer_gone(const Incident& incident);

/// ` (error 35)`, the error number of a failed CUDA call; empty when the line has none.
std::string driver_code_text(const Incident& incident);

}  // namespace nccl_analyze
