#pragma once
/// Recognises output of this program, which must not be read as a log.

#include <string_view>

namespace nccl_analyze {

/// Describes the output that starts with `head`, in words that complete the sentence `it is …`. Empty if `head` may be
/// the start of a log.
std::string_view own_output(std::string_view head);

}  // namespace nccl_analyze
