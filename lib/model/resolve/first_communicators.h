#pragma once
// Which communicator stands for a process where one is asked for.

#include "nccl_analyze/model.h"

namespace nccl_analyze {

/// Sets Process::communicator of every process, anew where Model::communicators has changed.
void find_first_communicators(Model& model);

}  // namespace nccl_analyze
