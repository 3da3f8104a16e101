#pragma once
/// Finds the names that a mistyped name may stand for, for messages to the user.

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace nccl_analyze {

/// Returns the names that differ from `word` by the fewest typing errors: a letter added, dropped or replaced, or two
/// adjacent letters swapped. One error is allowed for every three letters of `word`, and at least one. If no name is
/// that near, returns the names with a part between hyphens that begins with `word`. Case is ignored. Empty if more
/// than four names qualify, or if `word` has fewer than 2 or more than 64 characters.
std::vector<std::string_view> nearest_names(std::string_view word, std::span<const std::string_view> names);

/// Returns a question for the user: `; did you mean --format?`, `; did you mean p5.48xlarge or p5e.48xlarge?`; empty if
/// no name is near.
std::string did_you_mean(std::string_view word, std::span<const std::string_view> names);

}  // namespace nccl_analyze
