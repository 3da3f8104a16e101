#pragma once
/// Lists of host names in the notation of Slurm: `dgx[001-080,100],login1`.

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace nccl_analyze {

/// The result of expand_host_list().
struct HostList {
  std::vector<std::string> names;  ///< In the order of the list; a name may occur more than once.
  std::string error;               ///< One line without line break; empty on success.
};

/// Limits of expand_host_list().
inline constexpr std::size_t max_hosts = 200'000, max_host_name = 255;

/// Expands a list of host names. A name may have several brackets (`rack[1-2]n[01-16]`); if the first number of a range
/// begins with 0, all numbers of the range are padded to its length (`[001-080]`). More than max_hosts names, names
/// longer than max_host_name bytes, and characters other than letters, digits, `-`, `_` and `.` are errors.
HostList expand_host_list(std::string_view list);

/// Folds names that differ only in their last number into one item: `llama-worker-[0-8,10-15], dgx[001-080]`. Only
/// `most` items are listed; the names in the others are counted: `a, b and 3 more`. Long prefixes and long lists of
/// numbers are truncated.
std::string fold_host_list(const std::vector<std::string_view>& names, std::size_t most);

}  // namespace nccl_analyze
