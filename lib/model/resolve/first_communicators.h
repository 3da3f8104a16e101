#pragma once
// Finds the first communicator of each process.

#include "nccl_analyze/model.h"

namespace nccl_analyze {

/// Sets Process::communicator of every process; -1 for a process that is no rank. Must be repeated whenever
/// Model::communicators changes.
void find_first_communicators(Model& model);

}  // namespace nccl_analyze
