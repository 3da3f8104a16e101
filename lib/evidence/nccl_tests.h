#pragma once
// The code shared by the readers of the table and of the JSON of nccl-tests.

#include <string_view>

namespace nccl_analyze::evidence {

inline constexpr std::string_view in_place_words = "in-place", out_of_place_words = "out-of-place";

/// Returns the name of a program of nccl-tests without its folder: `all_reduce_perf`.
inline std::string_view benchmark_program(std::string_view path) { return path.substr(path.rfind('/') + 1); }

}  // namespace nccl_analyze::evidence
