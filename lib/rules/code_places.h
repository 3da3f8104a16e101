#pragma once
/// Explains a failure by the place of its message in the code of NCCL, RCCL or a plugin.

#include <string_view>

namespace nccl_analyze {

/// The purpose of a part of the code of NCCL, RCCL or a plugin.
struct CodePurpose {
  std::string_view what;   ///< The purpose of the code: `shared memory`.
  std::string_view needs;  ///< What the code needs to work: completes `It needs ...`.
};
/// Returns the purpose of the code at a place, which is `transport/nvls.cc:254` or the name of a function; null if it
/// is unknown.
const CodePurpose* code_purpose_at(std::string_view place);

/// Returns the name of the rule for failures at a place; empty if no rule covers the place.
std::string_view rule_of_place(std::string_view place);

/// Returns the name of the rule for a message of unknown wording at a place; `none` if it proves no failure. If several
/// rules report failures of this code, words of the message decide. Empty if no rule covers the place, or no words
/// decide.
std::string_view rule_of_message_at_place(std::string_view place, std::string_view message);

}  // namespace nccl_analyze
