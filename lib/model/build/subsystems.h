#pragma once
// Records what a line proves by being printed: that the subsystem INIT was on, and that a communicator was set up.

#include "model/build/context.h"

namespace nccl_analyze::builder {

/// Updates init_seen, setup_seen and announced_ranks of the current process.
void note_subsystem(Context& context);

}  // namespace nccl_analyze::builder
