#pragma once
// Distinguishes lines of programs that report a failure from lines that only mention one.

#include <string_view>

namespace nccl_analyze::builder {

/// Whether a line reports the failure that `words` name, of which it holds at least one copy. It does if the words
/// begin the message, or follow only names, numbers, places and a short label; if the line has the level of an error;
/// or if an error is named before them. It does not if its level is INFO or DEBUG, or if the words are an argument, as
/// in `on_error='CUDA error'`.
bool reports_failure(std::string_view line, std::string_view words);

}  // namespace nccl_analyze::builder
