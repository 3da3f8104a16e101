#pragma once
/// Recognises files of other tools that cannot be read, so that a message can name them.

#include <string_view>

namespace nccl_analyze {

/// Describes a source by its first bytes, with advice on what to do instead: `a pickle …`. Empty for other sources.
std::string_view describe_unsupported(std::string_view head);

}  // namespace nccl_analyze
