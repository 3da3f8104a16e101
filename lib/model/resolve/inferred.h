#pragma once
// Infers communicators that appear in the log only by their connections.

#include <map>
#include <utility>
#include <vector>

#include "model/build/state.h"

namespace nccl_analyze::builder {

/// Builds the inferred communicators of each source. The GPUs of all processes are assumed to be in one communicator as
/// long as their ranks differ; a GPU whose rank is taken joins another inferred communicator.
class InferredCommunicators {
 public:
  explicit InferredCommunicators(BuilderState& state) : state_(state) {}

  /// Adds a batch that fits no known communicator to an inferred one. Returns false if a limit is reached.
  bool take(const Batch& batch);

 private:
  struct Inferred {
    Index comm = -1;
    std::map<std::pair<Index, int>, int> rank_of_gpu;  ///< Keyed by process and the GPU of the thread.
    std::map<int, PeerDevice> devices;                 ///< The GPU of each rank, as connections print it.
  };

  bool has_room(const Inferred& one, const Batch& batch) const;
  void add_rank(Inferred& one, const Batch& batch);

  BuilderState& state_;
  std::map<SourceId, std::vector<Inferred>> inferred_;
};

}  // namespace nccl_analyze::builder
