#pragma once
/// Shortens lists of host names by folding their numbers.

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace nccl_analyze {

/// Folds names that differ only in the number at their end into one item, as Slurm does: `llama-worker-[0-8,10-15]`.
/// Names of items beyond the first `most` are only counted.
std::string folded_names(const std::vector<std::string_view>& names, std::size_t most);

}  // namespace nccl_analyze
