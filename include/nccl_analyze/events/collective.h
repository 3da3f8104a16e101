#pragma once
/// Events of collective calls.

#include <cstdint>
#include <string_view>

#include "nccl_analyze/events/field.h"
#include "nccl_analyze/events/lists.h"

namespace nccl_analyze {

/// A rank called a collective (subsystem COLL).
struct CollectiveCalled {
  static constexpr std::string_view name = "collective_called";
  std::string_view operation;             ///< `AllReduce`, `Send`, …
  Hex op_count;                           ///< NCCL's opCount: calls or launches, depending on the release.
  std::int64_t count = -1;                ///< Number of elements.
  int datatype = -1, op = -1, root = -1;  ///< ncclDataType_t, ncclRedOp_t, and the root, or the peer of Send and Recv.
  Hex comm;
  int nranks = -1;
  NCCL_ANALYZE_FIELDS(CollectiveCalled, operation, op_count, count, datatype, op, root, comm, nranks)
};

/// The algorithm and protocol that NCCL chose for a collective call (subsystem TUNING).
struct AlgorithmChosen {
  static constexpr std::string_view name = "algorithm_chosen";
  std::string_view operation;
  std::int64_t bytes = -1;
  std::string_view algorithm, protocol;  ///< As printed: a name such as RING or LL128, or its number.
  NCCL_ANALYZE_FIELDS(AlgorithmChosen, operation, bytes, algorithm, protocol)
};

/// The two ends of a network message disagree on its size, because the ranks made different calls or have different
/// settings.
struct CollectiveMismatched {
  static constexpr std::string_view name = "collective_mismatched";
  std::string_view network, peer;
  std::int64_t local_size = -1, remote_size = -1;  ///< Bytes.
  int rank = -1;                                   ///< The rank that NCCL suspects (2.4 to 2.7.6); -1: not printed.
  NCCL_ANALYZE_FIELDS(CollectiveMismatched, network, peer, local_size, remote_size, rank)
};

}  // namespace nccl_analyze
