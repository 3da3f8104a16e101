#pragma once
/// Links each finding to its root cause and orders the findings of a report.

#include <vector>

#include "nccl_analyze/rule.h"

namespace nccl_analyze {

/// Moves each finding whose root cause is among `findings` into the consequences of that root cause. If a finding
/// proves a failure, drops findings that only guess at one. Orders the root causes, the most likely first.
void link_causes(const Model& model, std::vector<Finding>& findings);

/// Drops guesses from sorted findings. If a finding proves a failure, drops the findings of all rules with
/// `only_if_unexplained`, and provisional findings of a stage after Stage::symptom. If none does, the explanations of
/// the rules with `only_if_unexplained` compete: of their findings above severity info, keeps only those of one rule.
void drop_guesses(std::vector<Finding>& sorted);

/// Whether the finding only says with which exit code a process ended, or that Slurm killed tasks: the reason is
/// elsewhere. An abort (signal 6) may be a fault of its own.
bool is_mere_end(const Finding& finding);

/// Sorts stably, the most likely root cause first.
void order_findings(std::vector<Finding>& findings);

}  // namespace nccl_analyze
