#pragma once
/// Many names in few words.

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace nccl_analyze {

/// `llama-worker-[0-8,10-15]`, as Slurm writes lists of hosts: names that differ in their last number are one item.
/// Beyond `most` items only their number is told.
std::string folded_names(const std::vector<std::string_view>& names, std::size_t most);

}  // namespace nccl_analyze
