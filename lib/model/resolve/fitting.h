#pragma once
// Decides whether a batch of connections can belong to a communicator.

#include <cstddef>
#include <map>
#include <utility>
#include <vector>

#include "model/build/state.h"

namespace nccl_analyze::builder {

/// The connections from a rank to its peers that an algorithm needs, according to the rings or trees in the log.
struct Expected {
  std::vector<Edge> sends;  ///< Sorted.
  bool known = false;       ///< Whether `sends` covers every channel of the communicator.
};

/// Computes the expected connections of ranks. Results are cached, because a rank has several batches.
class Expectations {
 public:
  explicit Expectations(const BuilderState& state) : state_(state) {}

  const Expected& rings(Index comm, int self) { return get(rings_, comm, self, &Expectations::expect_rings); }
  const Expected& trees(Index comm, int self) { return get(trees_, comm, self, &Expectations::expect_trees); }
  /// Returns how lines of the process name GPUs. The batches of a process are close together.
  DeviceNaming naming_in(Index process) {
    if (process != std::exchange(named_process_, process)) naming_ = state_.naming_in(process);
    return naming_;
  }

 private:
  using Cache = std::map<std::pair<Index, int>, Expected>;

  const Expected& get(Cache& cache, Index comm, int self, Expected (Expectations::*make)(const CommState&, int));
  Expected expect_rings(const CommState& comm, int self);
  Expected expect_trees(const CommState& comm, int self);
  const std::vector<Edge>& edges_by_child(const CommState& comm);

  const BuilderState& state_;
  Cache rings_, trees_;
  std::map<const CommState*, std::vector<Edge>> by_child_;
  Index named_process_ = -1;
  DeviceNaming naming_ = DeviceNaming::unknown;
};

/// Whether the batch can belong to the rank with this lifetime. Each check rejects only what NCCL cannot print.
bool fits(const BuilderState& state, const Batch& batch, const Lifetime& life, Expectations& expectations);

}  // namespace nccl_analyze::builder
