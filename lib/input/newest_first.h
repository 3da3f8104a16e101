#pragma once
/// Reads logs that are newest first, which is the default order of logcli, gcloud, Kibana and Grafana.

#include "input/inputs.h"
#include "input/source.h"
#include "nccl_analyze/model/line.h"

namespace nccl_analyze {

/// Reads one input as read_input() does, but reads a source that is newest first from its end: a file by seeking, a
/// stream or a packed log through a temporary file. If that fails, calls SourceSink::failed and passes the source on in
/// its own order.
void read_log_input(const Input& input, const SourceSink& sink);

/// Notes in `stats` that the source was read from its end. `places`: the argument of SourceSink::reversed, through
/// which the line numbers in `stats` are mapped.
void add_reversal(ParseStats& stats, const LinePlaces& places);

}  // namespace nccl_analyze
