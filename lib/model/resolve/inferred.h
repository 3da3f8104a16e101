#pragma once
// Infers communicators that appear in the log only by their connections.

#include <map>
#include <vector>

#include "model/build/state.h"

namespace nccl_analyze::builder {

/// Joins the processes of a source into one inferred communicator if their ranks differ. A repeated rank belongs to
/// another inferred communicator.
class InferredCommunicators {
 public:
  explicit InferredCommunicators(BuilderState& state) : state_(state) {}

  /// Adds a batch that fits no known communicator to an inferred one. Returns false if a limit is reached.
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
