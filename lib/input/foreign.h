#pragma once
/// Recognises files of other tools that cannot be read, so that a message can name them.

#include <string_view>

namespace nccl_analyze {

/// Recognises an unsupported format by the first bytes of a source. Returns a description with advice on what to do:
/// `a pickle ...`. Empty for other sources.
std::string_view describe_unsupported(std::string_view head);

}  // namespace nccl_analyze
