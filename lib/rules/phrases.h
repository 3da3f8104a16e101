#pragma once
// What a rule can say where a well-known phrase of its fault is all that the input has.

#include <string_view>
#include <vector>

#include "nccl_analyze/rule.h"

namespace nccl_analyze {

/// Of the incidents of kind phrase_seen that speak for the rule of this name: a warning for each phrase, which says how
/// little is known. None where there are none.
std::vector<Occurrence> phrase_occurrences(const Model& model, std::string_view rule_name);

}  // namespace nccl_analyze
