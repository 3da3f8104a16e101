#pragma once
/// Compares the collectives of a communicator's ranks call by call, by their COLL lines. All ranks must call the same
/// collectives in the same order. NCCL's opCount cannot identify a call; see CollectiveCall.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "nccl_analyze/model.h"

namespace nccl_analyze {

/// `AllReduce (sum) of 1024 float32`, `Broadcast of 8 int64 from rank 0`.
std::string call_text(const CollectiveCall& call);

/// Ranks that made the same call.
struct CallGroup {
  CollectiveCall call;  ///< The call as the first rank printed it.
  std::vector<const Rank*> ranks;
};

/// The first collective at which the calls of the ranks differ.
struct Parting {
  std::uint64_t number = 0;       ///< Number of the collective, starting at 0.
  bool may_be_earlier = false;    ///< Whether earlier calls, which the model no longer keeps, may differ too.
  std::vector<CallGroup> groups;  ///< The smallest group comes first.
};
/// nullopt if all calls agree, or if call lines may be missing from a log.
std::optional<Parting> find_parting(const Model& model, const Communicator& comm);

/// Ranks that called fewer collectives than the other ranks.
struct Stragglers {
  std::vector<const Rank*> behind, others;
};
/// nullopt unless PyTorch's watchdog reported a timeout: when the log of a running job ends, its ranks are usually a
/// few calls apart.
std::optional<Stragglers> find_stragglers(const Model& model, const Communicator& comm);

/// How many collectives each rank called, and its last one; empty if this is known for no rank.
std::string last_calls_text(const Model& model, const Communicator& comm);

}  // namespace nccl_analyze
