#pragma once
/// The runs of nccl-tests in words and in JSON.

#include <string>
#include <vector>

#include "nccl_analyze/model.h"
#include "text/json_writer.h"

namespace nccl_analyze {

/// One line on each run: operation, ranks, the paths that carried it, peak and average bus bandwidth, wrong values.
/// Raw log text.
std::vector<std::string> describe_benchmarks(const Model& model);

/// Writes the `benchmarks` member of the JSON report.
void write_benchmarks(JsonWriter& json, const Model& model);

}  // namespace nccl_analyze
