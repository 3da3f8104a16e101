#pragma once
// The order of versions.

#include <string_view>

namespace nccl_analyze {

/// 2.4.8 before 2.18.3: runs of digits compare as numbers, whatever their length.
bool lower_version(std::string_view a, std::string_view b);

}  // namespace nccl_analyze
