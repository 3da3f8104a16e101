#pragma once
/// The families of rules. The rules of a family have ids with the same first digit, and a subject in common.

#include <array>
#include <string_view>

namespace nccl_analyze {

struct RuleFamily {
  std::string_view prefix;  ///< The prefix of the ids in the family.
  std::string_view about;
};
inline constexpr std::array<RuleFamily, 9> rule_families{{
    {"NCA1", "the input itself"},
    {"NCA2", "start-up"},
    {"NCA3", "network"},
    {"NCA4", "inside a host"},
    {"NCA5", "topology and graph"},
    {"NCA6", "failures and hangs"},
    {"NCA7", "settings"},
    {"NCA8", "what was expected"},
    {"NCA9", "outside NCCL"},
}};

}  // namespace nccl_analyze
