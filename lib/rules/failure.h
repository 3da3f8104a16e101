#pragma once
/// Questions about an incident that several rules ask.

#include "nccl_analyze/model.h"

namespace nccl_analyze {

/// NCCL or a plugin printed it; not a framework, a launcher or the kernel.
bool is_printed_by_nccl(const Incident& incident);

/// A trail that begins with a failed system call on a socket, where no warning tells more.
bool is_socket_trail(const Model& model, const Incident& trail);

/// The peer was gone: refused, reset, broken pipe. Other errors of a connect say that there is no way to it.
bool says_peer_gone(const Incident& incident);

}  // namespace nccl_analyze
