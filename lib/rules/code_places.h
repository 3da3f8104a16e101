#pragma once
/// Explains a failure by the place of its message in the code of NCCL, RCCL or a plugin.

#include <string_view>

namespace nccl_analyze {

/// A part of NCCL's code.
struct CodePurpose {
  std::string_view what;   ///< The purpose of the code: `shared memory`.
  std::string_view needs;  ///< What it needs to work; follows `It needs`.
};
/// The part of the code that a place belongs to; null if it is not known. The place is `transport/nvls.cc:254` or the
/// name of a function.
const CodePurpose* code_purpose_at(std::string_view place);

/// The rule for failures at a place. Empty if no rule covers the place.
std::string_view rule_of_place(std::string_view place);

/// The rule for a message of unknown wording at a place. If the code of a place fails in ways that several rules
/// report, words of the message decide. Empty if no words decide, because the place alone is then no reason.
std::string_view rule_of_message_at_place(std::string_view place, std::string_view message);

}  // namespace nccl_analyze
