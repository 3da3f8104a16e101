#pragma once
// Reads and compares version numbers.

#include <string>
#include <string_view>

namespace nccl_analyze {

/// Whether version `a` is lower than `b`. Runs of digits compare as numbers of any length: 2.4.8 is lower than 2.18.3.
bool lower_version(std::string_view a, std::string_view b);

/// Returns the release that a printed version denotes. Up to PyTorch 1.11, getNcclVersion() (c10d/NCCLUtils.cpp)
/// decodes version codes as before NCCL 2.9. It therefore prints the code 21104, which is 2.11.4, as `21.1.4`. Any
/// other text is returned unchanged.
std::string meant_version(std::string_view printed);

/// Returns 100 * major + minor: 219 for NCCL `2.19.3`. 0 if the version does not start with `2.` and a number up to
/// 999.
int release_of(std::string_view version);

}  // namespace nccl_analyze
