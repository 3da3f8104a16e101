#pragma once
/// Describes the job's environment variables in a few lines.

#include <string>
#include <vector>

#include "nccl_analyze/model.h"

namespace nccl_analyze {

/// The first line lists variables with the same value in all processes; further lines list variables that differ or
/// that some process does not print, with the hosts of each value. Empty if the log shows no variable. NCCL prints a
/// variable only when it reads the variable, so a set variable may be missing here.
std::vector<std::string> describe_settings(const Model& model);

}  // namespace nccl_analyze
