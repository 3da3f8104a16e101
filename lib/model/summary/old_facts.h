#pragma once
// Facts of other tools in summaries of versions 1 and 2, which held them as sentences.

#include <string_view>

#include "nccl_analyze/event.h"

namespace nccl_analyze::builder {

/// Whether the message is such a sentence; if so, stores its event, with views of the message.
bool read_old_fact(std::string_view message, Event& event);

}  // namespace nccl_analyze::builder
