#pragma once
// Recognises the most frequent messages that hold NCCL's own words and numbers alone.

#include <string_view>

#include "nccl_analyze/event.h"

namespace nccl_analyze::redact {

/// Whether the message of a channel, a ring, a call or a chosen algorithm holds NCCL's own words and numbers alone, so
/// that it stays as it is whatever the names of the log are. False for any other message.
bool is_own_message(const Event& event);
bool is_own_message(std::string_view message);

}  // namespace nccl_analyze::redact
