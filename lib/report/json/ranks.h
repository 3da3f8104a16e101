#pragma once
/// The `ranks`, `paths` and `progress` members of the JSON report: the data that programs need most, in flat lists, so
/// that programs need not join several lists.

#include <span>

#include "nccl_analyze/model.h"
#include "queries/progress.h"
#include "text/json_writer.h"

namespace nccl_analyze {

/// Writes every rank of every communicator, with its address, as one flat list.
void write_ranks(JsonWriter& json, const Model& model, std::span<const CallProgress> progress);
/// Writes the transports between the ranks of each communicator.
void write_paths(JsonWriter& json, const Model& model);
void write_progress(JsonWriter& json, const Model& model, std::span<const CallProgress> progress);

}  // namespace nccl_analyze
