#pragma once
// The order of versions.

#include <string_view>

namespace nccl_analyze {

/// 2.4.8 before 2.18.3: runs of digits compare as numbers, whatever their length.
bool lower_version(std::string_view a, std::string_view b);

/// 219 of NCCL's `2.19.3`: 100·major + minor. 0 of a version that does not begin with `2.` and a number.
int release_of(std::string_view version);

}  // namespace nccl_analyze
