#pragma once
/// Adds single lines to evidence. A LineRef with line 0 is unknown and is ignored.

#include "nccl_analyze/model.h"

namespace nccl_analyze {

/// Evidence of a single line; empty when the line is unknown.
Evidence evidence_at(LineRef at);
/// Adds a line to the evidence unless the line is unknown.
void add_line(Evidence& evidence, LineRef at);

}  // namespace nccl_analyze
