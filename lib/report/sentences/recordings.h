#pragma once
/// What RAS reports, flight recorders and the NCCL Inspector show, in the job's part of reports.

#include <string>
#include <vector>

#include "nccl_analyze/model.h"

namespace nccl_analyze {

/// Returns a line for each communicator of RAS reports, each process group of flight recorders, and each pair of a
/// communicator and an operation of the NCCL Inspector. Lines beyond a limit are only counted.
std::vector<std::string> describe_recordings(const Model& model);

}  // namespace nccl_analyze
