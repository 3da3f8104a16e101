#pragma once
/// What this program has written itself, and must not take for a log.

#include <string_view>

namespace nccl_analyze {

/// What a source is by its first bytes, in words that end a sentence (`a summary: nccl-analyze merge reads it`); empty
/// for what may be a log.
std::string_view own_output(std::string_view head);

}  // namespace nccl_analyze
