#pragma once
// Reads facts of other tools in summaries of versions 1 and 2, which stored facts as sentences.

#include <string_view>

#include "nccl_analyze/event.h"

namespace nccl_analyze::builder {

/// Whether the message is a sentence of these versions; if so, stores its event, which has views of the message.
bool read_old_fact(std::string_view message, Event& event);

}  // namespace nccl_analyze::builder
