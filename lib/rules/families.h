#pragma once
/// The families of rules: what ids with the same first digit have in common.

#include <array>
#include <string_view>

namespace nccl_analyze {

struct RuleFamily {
  std::string_view prefix;  ///< What the ids of the family begin with.
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
