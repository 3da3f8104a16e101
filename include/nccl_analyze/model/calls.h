#pragma once
/// The calls of collectives, `send` and `recv` by ranks, as NCCL_DEBUG_SUBSYS=COLL prints them.

#include <cstdint>
#include <string_view>
#include <vector>

#include "nccl_analyze/containers.h"
#include "nccl_analyze/model/line.h"

namespace nccl_analyze {

/// The operation of a COLL line. All ranks of a communicator call the same operation, except for `send` and `recv`.
enum class Operation : std::uint8_t {
  all_reduce,
  all_gather,
  reduce_scatter,
  broadcast,
  reduce,
  all_to_all,  ///< 2.28.3+, like `gather` and `scatter`
  gather,
  scatter,
  send,
  recv
};
/// Returns the name as NCCL prints it: `AllReduce`.
std::string_view to_string(Operation operation);
/// Whether the operation reduces elements instead of only moving them.
bool reduces(Operation operation);
/// Returns the name of an ncclDataType_t, such as `float32` for 7; empty for unknown numbers.
std::string_view datatype_name(int datatype);
/// Returns the size of one element of an ncclDataType_t in bytes; 0 for unknown numbers.
std::int64_t datatype_size(int datatype);
/// Returns the name of an ncclRedOp_t, such as `sum` for 0; empty for operators that a program defined itself.
std::string_view redop_name(int op);

/// One call of a rank, as NCCL_DEBUG_SUBSYS=COLL prints it (2.4.2+).
struct CollectiveCall {
  LineRef at;
  /// NCCL's opCount. What it counts depends on the release: calls up to 2.7.8, nothing in 2.8, launches from 2.9.6 on,
  /// and from 2.27.3 on only launches that use the proxy, so that launches within a single host are not counted. Ranks
  /// that make the same calls may therefore print different numbers.
  std::uint64_t op_count = 0;
  std::int64_t count = -1;  ///< Number of elements that the program passed.
  int root = -1;            ///< The peer for `send` and `recv`; -1 for operations without a root.
  Operation operation{};
  std::int8_t datatype = -1;  ///< ncclDataType_t; -1 = unknown.
  std::int8_t op = -1;        ///< ncclRedOp_t; -1 = defined by the program, or no reduction.
};

/// The calls of one rank since its communicator started.
struct Calls {
  static constexpr std::size_t max_recent = 32;
  /// Number of collectives called. `send`, `recv` and calls with zero elements are not counted; NCCL does not count
  /// empty calls either.
  std::uint64_t total = 0;
  /// Whether `total` is complete: one log has the end of the initialisation and all later calls.
  bool from_start = false;
  /// `op_count` of the first collective; the maximum of std::uint64_t if the calls are spread over several logs, so
  /// that opCount cannot number them.
  std::uint64_t first_op_count = 0;
  CollectiveCall last;  ///< The last call, which may be a `send` or `recv`.
  /// Returns the collective with this number, counted from 0; null if it is not among the last `max_recent`. Valid
  /// until add().
  const CollectiveCall* find(std::uint64_t number) const;
  /// Adds `times` collectives that end with `call`. A `send`, a `recv` or a call with zero elements only replaces
  /// `last`.
  void add(const CollectiveCall& call, std::uint64_t times);

 private:
  std::vector<CollectiveCall> recent_;  ///< A ring buffer: collective n is at n modulo `max_recent`.
};

/// The calls of one rank of a communicator that only COLL lines show, because only NCCL_DEBUG_SUBSYS=COLL was set or
/// the head of the log is missing.
struct UnnamedCalls {
  Index process = -1;
  std::uint64_t comm = 0;  ///< NCCL's pointer to the communicator.
  int nranks = -1;
  int device = -1;  ///< The CUDA device in the prefix of the lines.
  Calls calls;
};

}  // namespace nccl_analyze
