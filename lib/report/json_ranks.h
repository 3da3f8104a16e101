#pragma once
/// Part of the JSON report: what is asked of ranks most, without a look into other lists.

#include <span>

#include "nccl_analyze/model.h"
#include "report/json_writer.h"
#include "rules/support/progress.h"

namespace nccl_analyze {

/// Every rank of every communicator with its address, flat.
void write_ranks(JsonWriter& json, const Model& model, std::span<const CallProgress> progress);
/// How the ranks of each communicator reach each other.
void write_paths(JsonWriter& json, const Model& model);
void write_progress(JsonWriter& json, const Model& model, std::span<const CallProgress> progress);

}  // namespace nccl_analyze
