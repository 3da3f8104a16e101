#pragma once
/// What became of a process after an incident.

#include "nccl_analyze/model.h"

namespace nccl_analyze {

/// NCCL passed the error up right behind this warning: what it tried failed.
bool has_trail(const Model& model, const Incident& warning);

/// The process is seen at work behind it (Process::progress): it survived.
bool went_on(const Model& model, const Incident& incident);

/// NCCL or a plugin printed it; not a framework, a launcher or the kernel.
bool is_printed_by_nccl(const Incident& incident);

/// A trail that begins with a failed system call on a socket, where no warning tells more.
bool is_socket_trail(const Model& model, const Incident& trail);

/// A refused handshake that NCCL does not survive: the peer is of this job and asks for something else.
bool is_wrong_type(const Incident& handshake);

}  // namespace nccl_analyze
