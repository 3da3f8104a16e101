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

/// At most three: the repair or the look that the first finding asks for, the proof that is missing where no fault
/// explains the failure, the check that the repair worked. Empty for a job that is OK. The names in the commands are
/// harmless in a shell.
std::vector<NextStep> next_steps(const Model& model, const Report& report);

}  // namespace nccl_analyze
