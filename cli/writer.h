#pragma once
/// The node, job and step that a summary describes.

#include "cli/options.h"
#include "nccl_analyze/summary.h"

namespace nccl_analyze {

/// Returns the job, step and node of --job, --step and --node. Without these options, the job and the node are those of
/// Slurm; without Slurm, the node is the name of this machine. The step is never that of Slurm, because the step that
/// writes a summary is seldom the step that trained.
SummaryWriter writer_of(const Options& options);

}  // namespace nccl_analyze
