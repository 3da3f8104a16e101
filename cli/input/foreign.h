#pragma once
/// Recognises files of other tools that are known and not read, so that they can be named.

#include <string_view>

namespace nccl_analyze {

/// What the source is, and what to do instead, by its first bytes: `a pickle …`. Empty for other sources.
std::string_view foreign_words(std::string_view head);

}  // namespace nccl_analyze
