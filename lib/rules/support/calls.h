#pragma once
/// Compares the COLL lines of a communicator's ranks call by call, since all ranks make the same collectives in the
/// same order. NCCL's opCount cannot identify a call; see CollectiveCall.

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
  bool may_be_earlier = false;    ///< Some earlier calls are no longer kept and may differ as well.
  std::vector<CallGroup> groups;  ///< The smallest group comes first.
};
/// Nothing when all calls agree, or when call lines may be missing in a log.
std::optional<Parting> find_parting(const Model& model, const Communicator& comm);

/// Ranks with fewer calls than the others in a job whose watchdog reported a timeout. Without a timeout nothing is
/// returned, since ranks are a few calls apart at the end of any running job's log.
struct Stragglers {
  std::vector<const Rank*> behind, others;
};
std::optional<Stragglers> find_stragglers(const Model& model, const Communicator& comm);

/// The number of collectives and the last collective of each rank; empty when known for no rank.
std::string last_calls_text(const Model& model, const Communicator& comm);

}  // namespace nccl_analyze
