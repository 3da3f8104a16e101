#pragma once
// Narrows the NCCL releases that a process may run, by the wording of its messages.

#include "nccl_analyze/event.h"
#include "nccl_analyze/model.h"

namespace nccl_analyze::builder {

/// The bit of an event in ProcessState::dated, or -1 if the event is not used for narrowing. The events used are rare,
/// are printed only by NCCL itself, and have changed their wording often.
int dating_kind(const Event& event);

/// Narrows `releases` to those with the wording of `message`, which is in line `at`. Returns whether they changed.
bool narrow(Releases& releases, std::string_view message, LineRef at);

}  // namespace nccl_analyze::builder
