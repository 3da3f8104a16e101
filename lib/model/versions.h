#pragma once
// Compares version numbers.

#include <string_view>

namespace nccl_analyze {

/// Whether version `a` is lower than `b`. Runs of digits compare as numbers of any length: 2.4.8 is lower than 2.18.3.
bool lower_version(std::string_view a, std::string_view b);

/// 100·major + minor: 219 for NCCL `2.19.3`. 0 if the version does not start with `2.` and a number.
int release_of(std::string_view version);

}  // namespace nccl_analyze
