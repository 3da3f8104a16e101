#pragma once
/// Completes the scope of a finding: evidence lines, ranks, processes and suspects that the rule itself left open.

#include "nccl_analyze/rule.h"

namespace nccl_analyze {

/// Adds the Init START (or end) lines of the finding's ranks to the evidence, up to Evidence::max_lines. A comparison
/// of ranks proves nothing without the lines that make these ranks members of one communicator.
void add_membership(const Model& model, Finding& finding);

/// Fills in missing parts of the scope: the processes of the ranks, suspects when the rule names none, and the rank or
/// process of each suspect.
void complete_address(const Model& model, Finding& finding);

}  // namespace nccl_analyze
