#pragma once
/// Who is at fault, with what of their address the rule left open.

#include "nccl_analyze/rule.h"

namespace nccl_analyze {

/// Adds to the evidence, as far as it has room, the lines that make its ranks members of their communicator: what
/// compares ranks proves nothing without them.
void add_membership(const Model& model, Finding& finding);

/// Fills in what follows from the rest: processes of the ranks, suspects from the processes where the rule names none,
/// ranks and processes of suspects.
void complete_address(const Model& model, Finding& finding);

}  // namespace nccl_analyze
