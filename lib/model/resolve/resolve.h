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

/// Returns all passes in the order of their execution.
std::span<const Pass> passes();

/// Runs all passes on the state and returns the finished model.
Model resolve(BuilderState state);

}  // namespace nccl_analyze::builder
