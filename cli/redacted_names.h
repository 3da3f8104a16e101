#pragma once
/// Names of the files that `nccl-analyze redact -o DIR` writes.

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace nccl_analyze {

/// Returns a path below DIR for each source, in their order, which is that of their paths. `rewrite` replaces the names
/// in a part of a path. What all paths begin with is left out, and so is the ending of a compressed file. The paths
/// sort as those of the sources do, so that reports number the sources alike; where the stand-ins alone do not, numbers
/// stand before them. No two paths are equal, and none leads out of DIR.
std::vector<std::string> redacted_names(const std::vector<std::string>& sources,
                                        const std::function<std::string(std::string_view part)>& rewrite);

}  // namespace nccl_analyze
