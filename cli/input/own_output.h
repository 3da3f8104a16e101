#pragma once
/// Recognises output of this program, which must not be read as a log.

#include <string_view>

namespace nccl_analyze {

/// The kind of output that begins with `head`, in words that end a sentence (`a summary: nccl-analyze merge reads it`);
/// empty for a possible log.
std::string_view own_output(std::string_view head);

}  // namespace nccl_analyze
