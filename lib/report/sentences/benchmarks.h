#pragma once
/// Describes the runs of nccl-tests in words, and writes them as JSON.

#include <string>
#include <vector>

#include "nccl_analyze/model.h"
#include "text/json_writer.h"

namespace nccl_analyze {

/// Returns two lines for each run (operation, ranks, transports, peak and average bus bandwidth, and the number of
/// wrong values; bandwidth by size), and a line for each operation that was run on different numbers of hosts. The
/// lines are raw log text; lines beyond a limit are only counted.
std::vector<std::string> describe_benchmarks(const Model& model);

/// Writes the `benchmarks` member of the JSON report.
void write_benchmarks(JsonWriter& json, const Model& model);

}  // namespace nccl_analyze
