#pragma once
/// Completes the evidence, ranks, processes and suspects of a finding where its rule did not set them.

#include "nccl_analyze/rule.h"

namespace nccl_analyze {

/// Adds the lines that prove that the finding's ranks belong to its communicator: Init START, else the line about the
/// rank's end. Without them a comparison of ranks proves nothing. Stops at Evidence::max_lines.
void add_membership(const Model& model, Finding& finding);

/// Adds the processes of the finding's ranks. Adds suspects if the rule set none. Completes suspects that have only a
/// rank or only a process.
void complete_suspects(const Model& model, Finding& finding);

}  // namespace nccl_analyze
