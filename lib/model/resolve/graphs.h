#pragma once
// Builds and checks the rings and trees of a communicator under construction.

#include "model/build/state.h"

namespace nccl_analyze::builder {

/// Build the rings from ring lists, `Ring` lines and connections, and the trees from tree edges.
void build_rings(CommState& comm);
void build_trees(CommState& comm);

/// Finds contradictions in the printed rings and trees. Must be called last, because it reorders the edges.
void find_contradictions(CommState& comm);

}  // namespace nccl_analyze::builder
