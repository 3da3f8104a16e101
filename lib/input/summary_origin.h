#pragma once
/// The job, step and node that a summary describes.

#include <optional>
#include <string>

#include "nccl_analyze/summary.h"

namespace nccl_analyze {

/// What the user wrote, named like the options of the command line.
struct OriginWords {
  std::optional<std::string> job = std::nullopt, step = std::nullopt, node = std::nullopt;
};

/// Returns the job, step and node of the words. Without these words, the job and the node are those of Slurm
/// ($SLURM_JOB_ID, $SLURMD_NODENAME); without Slurm, the node is the name of this machine. The step is never that of
/// Slurm, because the step that writes a summary is seldom the step that trained.
SummaryWriter writer_of(const OriginWords& words);

}  // namespace nccl_analyze
