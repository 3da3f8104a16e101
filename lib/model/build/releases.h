#pragma once
// Which releases of NCCL a process can be, by the wordings that it prints.

#include "nccl_analyze/event.h"
#include "nccl_analyze/model.h"

namespace nccl_analyze::builder {

/// Events whose wordings NCCL has changed often, that plugins and RCCL do not print, and that a process prints seldom.
/// Their bit in ProcessState::dated; -1 for all others.
int dating_kind(const Event& event);

/// Narrows the releases by the row that reads the message, in the line `at`. False when they stay as they are.
bool narrow(Releases& releases, std::string_view message, LineRef at);

}  // namespace nccl_analyze::builder
