#pragma once
// Rings and trees of a communicator under construction.

#include "model/build/state.h"

namespace nccl_analyze::builder {

/// Rings of a communicator from lists, `Ring` lines and connections; trees from tree edges.
void build_rings(CommState& comm);
void build_trees(CommState& comm);

/// Finds what printed rings and trees hold that cannot all be true; comes last, because it sorts the edges anew.
void find_contradictions(CommState& comm);

}  // namespace nccl_analyze::builder
