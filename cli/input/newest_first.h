#pragma once
/// Reads logs that are newest first, as logcli, gcloud, Kibana and Grafana print them unless they are told otherwise.

#include "cli/input/inputs.h"
#include "cli/input/source.h"
#include "nccl_analyze/model/line.h"

namespace nccl_analyze {

/// Reads one input as read_input() does, but a source that is newest first from its end: a file by seeking, a stream or
/// a packed log from a temporary file. Where that fails, the source is passed on as it is, and SourceSink::failed
/// tells.
void read_log_input(const Input& input, const SourceSink& sink);

/// Adds to the counts of a source what SourceSink::reversed told about it.
void add_reversal(ParseStats& stats, const LinePlaces& places);

}  // namespace nccl_analyze
