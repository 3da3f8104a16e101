#pragma once
// Whether a batch of connections can be of a communicator.

#include <cstddef>
#include <map>
#include <utility>
#include <vector>

#include "model/build/state.h"

namespace nccl_analyze::builder {

/// What a rank must connect for an algorithm, as far as the log has it: from the rank to each peer.
struct Expected {
  std::vector<Edge> sends;  ///< Sorted.
  bool known = false;       ///< `sends` covers every channel of the communicator.
};

/// What ranks must connect. A cache, because a rank has several batches.
class Expectations {
 public:
  explicit Expectations(const BuilderState& state) : state_(state) {}

  const Expected& rings(Index comm, int self) { return get(rings_, comm, self, &Expectations::expect_rings); }
  const Expected& trees(Index comm, int self) { return get(trees_, comm, self, &Expectations::expect_trees); }

 private:
  using Cache = std::map<std::pair<Index, int>, Expected>;

  const Expected& get(Cache& cache, Index comm, int self, Expected (Expectations::*make)(const CommState&, int));
  Expected expect_rings(const CommState& comm, int self);
  Expected expect_trees(const CommState& comm, int self);
  const std::vector<Edge>& edges_by_child(const CommState& comm);

  const BuilderState& state_;
  Cache rings_, trees_;
  std::map<const CommState*, std::vector<Edge>> by_child_;
};

/// Whether the batch can be of the rank that lived this life. Each test is a contradiction that NCCL's own order of
/// work excludes.
bool fits(const BuilderState& state, const Batch& batch, const Life& life, Expectations& expectations);

}  // namespace nccl_analyze::builder
