#pragma once
/// What to do next about a job that is not OK: commands with the names of this job.

#include <string>
#include <vector>

#include "nccl_analyze/model.h"
#include "nccl_analyze/rule.h"

namespace nccl_analyze {

/// A command, or settings for the next run, and what it is for.
struct NextStep {
  std::string why;
  std::string command;
  bool in_fix = false;  ///< Whether a step of the first fault has this command.
};

/// Returns at most three steps: a stack command or else the command of the first finding, the command for missing logs,
/// the settings of the next run if no fault explains the failure, and, if there is room, the comparison with a run
/// after the repair. Empty for a job that is OK. The names in the commands are harmless in a shell.
std::vector<NextStep> next_steps(const Model& model, const Report& report);

}  // namespace nccl_analyze
