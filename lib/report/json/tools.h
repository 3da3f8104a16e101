#pragma once
/// The members of the JSON report that come from the output of other tools.

#include "nccl_analyze/model.h"
#include "text/json_writer.h"

namespace nccl_analyze {

/// Writes the `benchmarks` member of the JSON report.
void write_benchmarks(JsonWriter& json, const Model& model);
/// Writes the `bandwidth` member: for each run of nccl-tests, what its largest size reached and what the links can
/// carry.
void write_bandwidth(JsonWriter& json, const Model& model);
/// Writes the `machines` member of the JSON report.
void write_machines(JsonWriter& json, const Model& model);
/// Writes the `pods` member of the JSON report.
void write_pods(JsonWriter& json, const Model& model);
/// Writes the `recordings` member of the JSON report, unless there are no recordings.
void write_recordings(JsonWriter& json, const Model& model);

}  // namespace nccl_analyze
