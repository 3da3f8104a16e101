#pragma once
// Records what a line proves by being printed: that the subsystem INIT was on, and that a communicator was set up.

#include "model/build/context.h"

namespace nccl_analyze::builder {

/// See note_subsystem().
void note_first_lines(Context& context);

/// Updates init_seen, setup_seen and announced_ranks of the current process. Does nothing if init_seen and setup_seen
/// are already set.
inline void note_subsystem(Context& context) {
  if (!context.facts->init_seen || !context.facts->setup_seen) [[unlikely]]
    note_first_lines(context);
}

}  // namespace nccl_analyze::builder
