#pragma once
/// Finds what a mistyped name may have meant, for messages to the user.

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace nccl_analyze {

/// The names that differ from `word` by the fewest typing errors (a letter too many, missing, wrong, or two swapped),
/// at most one for each three letters; if there are none, the names of which `word` begins a part between hyphens.
/// Capitals count as small letters. Empty if more than four names are equally near.
std::vector<std::string_view> nearest_names(std::string_view word, std::span<const std::string_view> names);

/// `; did you mean --format?`, `; did you mean p5.48xlarge or p5e.48xlarge?`; empty if no name is near.
std::string did_you_mean(std::string_view word, std::span<const std::string_view> names);

}  // namespace nccl_analyze
