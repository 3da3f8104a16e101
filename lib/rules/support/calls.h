#pragma once
/// What the calls that ranks printed (COLL) prove of a communicator. Ranks are compared call by call: all of them make
/// the same collectives in the same order. NCCL's opCount does not serve for that; see CollectiveCall.

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
  CollectiveCall call;  ///< Of the first of them.
  std::vector<const Rank*> ranks;
};

/// The first collective at which ranks are seen to call different things.
struct Parting {
  std::uint64_t number = 0;       ///< From 0.
  bool may_be_earlier = false;    ///< Not all calls before it are kept.
  std::vector<CallGroup> groups;  ///< Smallest first.
};
/// Nothing where all agree, or where calls may be missing in a log.
std::optional<Parting> find_parting(const Model& model, const Communicator& comm);

/// Ranks that have not made the last call of all others, where a watchdog saw the job hang. In a log that merely ends,
/// ranks are a few calls apart.
struct Stragglers {
  std::vector<const Rank*> behind, others;
};
std::optional<Stragglers> find_stragglers(const Model& model, const Communicator& comm);

/// Which collective each rank of the communicator called last; empty where that is not known of any.
std::string last_calls_text(const Model& model, const Communicator& comm);

}  // namespace nccl_analyze
