#pragma once
/// Collectives as they are called.

#include <cstdint>
#include <string_view>

#include "nccl_analyze/events/field.h"
#include "nccl_analyze/events/lists.h"

namespace nccl_analyze {

struct CollectiveCalled {
  static constexpr std::string_view name = "collective_called";
  std::string_view operation;
  Hex op_count;
  std::int64_t count = -1;
  int datatype = -1, op = -1, root = -1;
  Hex comm;
  int nranks = -1;
  NCCL_ANALYZE_FIELDS(CollectiveCalled, operation, op_count, count, datatype, op, root, comm, nranks)
};

struct AlgorithmChosen {
  static constexpr std::string_view name = "algorithm_chosen";
  std::string_view operation;
  std::int64_t bytes = -1;
  std::string_view algorithm, protocol;
  NCCL_ANALYZE_FIELDS(AlgorithmChosen, operation, bytes, algorithm, protocol)
};

/// Two ends of one message disagree on its size: different calls, or settings, of the ranks.
struct CollectiveMismatched {
  static constexpr std::string_view name = "collective_mismatched";
  std::string_view network, peer;
  std::int64_t local_size = -1, remote_size = -1;
  int rank = -1;  ///< 2.4–2.7.6
  NCCL_ANALYZE_FIELDS(CollectiveMismatched, network, peer, local_size, remote_size, rank)
};

}  // namespace nccl_analyze
