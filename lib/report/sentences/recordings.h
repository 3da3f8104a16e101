#pragma once
/// What RAS reports, flight recorders and the NCCL Inspector show, in the job's part of reports and in JSON.

#include <string>
#include <vector>

#include "nccl_analyze/model.h"
#include "text/json_writer.h"

namespace nccl_analyze {

/// A line for each RAS report, each process group of flight recorders and each communicator of the Inspector.
std::vector<std::string> describe_recordings(const Model& model);
/// Writes the member `recordings` if there are any.
void write_recordings(JsonWriter& json, const Model& model);

}  // namespace nccl_analyze
