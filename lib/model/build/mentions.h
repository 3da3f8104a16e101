#pragma once
// Distinguishes lines of programs that report a failure from lines that only mention one.

#include <string_view>

namespace nccl_analyze::builder {

/// Whether a line reports the failure that `words` name, rather than only mentioning it. The line contains `words` at
/// least once. It reports the failure in any of these cases: the words begin the message, or follow only names,
/// numbers, places and a short label; the line has the level of an error; an error is named before the words. It does
/// not if its level is INFO or DEBUG, or if the words are an argument, as in `on_error='CUDA error'`.
bool reports_failure(std::string_view line, std::string_view words);

/// Returns the class of the exception whose text contains `words`, as Python prints it at the beginning of a line:
/// `jaxlib.xla_extension.XlaRuntimeError` of `jaxlib.xla_extension.XlaRuntimeError: INTERNAL: ...`. Only names of
/// classes within a module count. Empty if the line begins otherwise.
std::string_view exception_around(std::string_view line, std::string_view words);

}  // namespace nccl_analyze::builder
