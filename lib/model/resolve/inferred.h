#pragma once
// Communicators of which the log has nothing but connections.

#include <map>
#include <vector>

#include "model/build/state.h"

namespace nccl_analyze::builder {

/// One communicator is inferred for all processes of a source whose ranks differ.
class InferredCommunicators {
 public:
  explicit InferredCommunicators(BuilderState& state) : state_(state) {}

  /// Gives a batch that fits no communicator of its process to an inferred one. False beyond the limit.
  bool take(const Batch& batch);

 private:
  struct Inferred {
    Index comm = -1;
    std::map<Index, int> rank_of_process;
  };

  bool has_room(const Inferred& one, const Batch& batch) const;
  void add_rank(Inferred& one, const Batch& batch);

  BuilderState& state_;
  std::map<SourceId, std::vector<Inferred>> inferred_;
};

}  // namespace nccl_analyze::builder
