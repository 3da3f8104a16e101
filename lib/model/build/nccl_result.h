#pragma once
// Finds the error of NCCL in the text of an exception.

#include <string_view>

#include "messages/phrases.h"

namespace nccl_analyze::builder {

/// Extracts the NCCL error from a framework's exception: `unhandled system error` from `NCCL error in: FILE:LINE,
/// unhandled system error (run with ...`. Empty if the exception does not report an NCCL error. `found`: the phrase
/// that find_phrase() finds in `words`.
std::string_view nccl_result(std::string_view exception, std::string_view words, const FoundPhrase& found);

}  // namespace nccl_analyze::builder
