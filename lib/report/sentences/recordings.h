#pragma once
/// What RAS reports, flight recorders and the NCCL Inspector show, in the job's part of reports.

#include <string>
#include <vector>

#include "nccl_analyze/model.h"

namespace nccl_analyze {

/// A line for each RAS report, each process group of flight recorders and each communicator of the Inspector.
std::vector<std::string> describe_recordings(const Model& model);

}  // namespace nccl_analyze
