#pragma once
// What a summary needs to keep of a record, by the kind of its event.

#include <cstdint>

#include "nccl_analyze/event.h"
#include "nccl_analyze/parser.h"

namespace nccl_analyze::builder {

/// Nothing of it is in the model but that its process printed a line.
bool is_unused(const Record& record);

/// Begins or ends the life of a communicator: what follows in the process is of another time.
bool is_turn(const Event& event);

/// The communicator whose life such an event begins or ends.
Hex turning_comm(const Event& event);

/// A part of the graph, of which every text counts.
bool is_graph(const Event& event);

/// A line of a topology dump.
bool is_dump(const Event& event);

/// The model takes lines of this kind for one, whatever peers, ports and counts of tries they hold. It keeps warnings
/// that no row reads apart.
bool is_retry(const Record& record);

}  // namespace nccl_analyze::builder
