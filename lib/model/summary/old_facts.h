#pragma once
// Reads facts of other tools in summaries of versions 1 and 2, which stored facts as sentences.

#include <string_view>

#include "nccl_analyze/event.h"

namespace nccl_analyze::builder {

/// Whether the message is a fact in the sentence form of these summaries. If so, stores its event, whose texts are
/// views of the message.
bool read_old_fact(std::string_view message, Event& event);

}  // namespace nccl_analyze::builder
