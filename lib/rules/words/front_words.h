#pragma once
/// The words that the front of a rule's document may have, which the program that writes the rules checks.

#include <array>
#include <string_view>

namespace nccl_analyze {

/// In the order of Severity.
inline constexpr auto severity_words = std::to_array<std::string_view>({"info", "warning", "error"});
/// In the order of Stage.
inline constexpr auto stage_words = std::to_array<std::string_view>(
    {"configuration", "hardware", "setup", "program", "process", "network", "hang", "symptom", "performance", "note"});
/// The questions that a report answers about every job, in its order (lib/rules/checks.cc).
inline constexpr auto check_words =
    std::to_array<std::string_view>({"network", "transports", "versions", "ranks", "rings", "init", "progress"});

}  // namespace nccl_analyze
