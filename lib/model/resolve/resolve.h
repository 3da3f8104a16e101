#pragma once
// The passes that complete the model after the whole log has been read.

#include <span>
#include <string_view>

#include "model/build/state.h"

namespace nccl_analyze::builder {

struct Pass {
  std::string_view name;
  void (*run)(BuilderState& state);
};

/// In the order in which they run.
std::span<const Pass> passes();

/// Runs all passes. What they make of the state is the finished model.
Model resolve(BuilderState state);

}  // namespace nccl_analyze::builder
