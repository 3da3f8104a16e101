#pragma once
// Classifies records by what a summary must keep of them.

#include <cstdint>

#include "nccl_analyze/event.h"
#include "nccl_analyze/parser.h"

namespace nccl_analyze::builder {

/// Whether the model uses nothing of the record except that its process printed a line.
bool is_unused(const Record& record);

/// Whether the event starts or ends a communicator. Equal records before and after such an event are kept separately.
bool is_lifecycle(const Event& event);

/// Returns the communicator that the event starts or ends; 0 for all other events.
Hex lifecycle_comm(const Event& event);

/// Whether the event describes communicators, connections, rings or trees, so that every different message must be
/// kept.
bool is_graph(const Event& event);

/// Whether the event is a line of a topology dump.
bool is_dump(const Event& event);

/// Whether the model counts records like this one as repetitions even if their numbers (peers, ports, attempts) differ.
/// False for warnings that no row of the message table matches.
bool is_retry(const Record& record);

}  // namespace nccl_analyze::builder
