#pragma once
/// Questions about an incident that several rules ask.

#include <string>

#include "nccl_analyze/model.h"

namespace nccl_analyze {

/// NCCL or a plugin printed it; not a framework, a launcher or the kernel.
bool is_printed_by_nccl(const Incident& incident);

/// A trail that begins with a failed system call on a socket, where no warning tells more.
bool is_socket_trail(const Model& model, const Incident& trail);

/// The peer was gone: refused, reset, broken pipe. Other errors of a connect say that there is no way to it.
bool says_peer_gone(const Incident& incident);

/// ` (error 35)`: the number that the CUDA driver gave a failed call; empty when none was printed.
std::string driver_code_text(const Incident& incident);

}  // namespace nccl_analyze
