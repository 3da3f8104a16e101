#pragma once
/// Names the files that `nccl-analyze redact -o DIR` writes.

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace nccl_analyze {

/// Returns a path below DIR for each source. `sources` are sorted, and `rewrite` replaces the names in one part of a
/// path. A path lacks the folders that all sources share, and the ending of a compressed file. Paths sort as the
/// sources do, because reports number sources in this order; if the stand-ins would change the order, each part of
/// every path gets a number as its prefix. No two paths are equal, and none leads out of DIR.
std::vector<std::string> redacted_names(const std::vector<std::string>& sources,
                                        const std::function<std::string(std::string_view part)>& rewrite);

}  // namespace nccl_analyze
