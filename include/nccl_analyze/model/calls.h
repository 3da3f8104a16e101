#pragma once
/// What ranks called, as NCCL_DEBUG_SUBSYS=COLL prints it.

#include <cstdint>
#include <string_view>
#include <vector>

#include "nccl_analyze/containers.h"
#include "nccl_analyze/model/line.h"

namespace nccl_analyze {

/// What a COLL line says that a rank calls. All ranks of a communicator call the same, but for `send` and `recv`.
enum class Operation : std::uint8_t {
  all_reduce,
  all_gather,
  reduce_scatter,
  broadcast,
  reduce,
  all_to_all,  ///< 2.28.3+, like the two below
  gather,
  scatter,
  send,
  recv
};
/// As NCCL prints it.
std::string_view to_string(Operation operation);
/// Whether it computes with the elements; else it moves bytes.
bool reduces(Operation operation);
/// `float32` of ncclDataType_t 7; empty when there is no such type.
std::string_view datatype_name(int datatype);
/// Bytes of an element; 0 when there is no such type.
std::int64_t datatype_size(int datatype);
/// `sum` of ncclRedOp_t 0; empty for operators that a program made itself.
std::string_view redop_name(int op);

/// One call of a rank, as NCCL_DEBUG_SUBSYS=COLL prints it (2.4.2+).
struct CollectiveCall {
  LineRef at;
  /// NCCL's own count: of calls to 2.7.8, nothing in 2.8, of launches since 2.9.6, of those that use the proxy since
  /// 2.27.3, which inside a host are none. Ranks that call the same may differ in it.
  std::uint64_t op_count = 0;
  std::int64_t count = -1;  ///< Elements, as the program gave them.
  int root = -1;            ///< Of `send` and `recv` the peer; -1 where the operation has none.
  Operation operation{};
  std::int8_t datatype = -1;  ///< ncclDataType_t; -1 = unknown.
  std::int8_t op = -1;        ///< ncclRedOp_t; -1 = the program's own, or the operation has none.
};

/// What a rank called, from the start of its communicator on.
struct Calls {
  static constexpr std::size_t max_recent = 32;
  /// Collectives that it called. `send` and `recv` are no collectives; empty ones NCCL leaves out, and so does this.
  std::uint64_t total = 0;
  bool from_start = false;  ///< The end of its initialisation and all calls since are in one log: `total` is all.
  std::uint64_t first_op_count =
      0;                ///< Of the first collective; the highest number: those after `last` may be missing.
  CollectiveCall last;  ///< Of all its calls.
  /// One of the last `max_recent` collectives by its number, from 0; null when it is none of them.
  const CollectiveCall* find(std::uint64_t number) const;
  /// `times` collectives of which the last is known, or a call that is none.
  void add(const CollectiveCall& call, std::uint64_t times);

 private:
  std::vector<CollectiveCall> recent_;  ///< Each at its number modulo `max_recent`.
};

/// The calls of one rank of a communicator of which the input has nothing else: NCCL_DEBUG_SUBSYS=COLL alone, or a log
/// without its head.
struct UnnamedCalls {
  Index process = -1;
  std::uint64_t comm = 0;  ///< NCCL's pointer.
  int nranks = -1;
  int device = -1;  ///< As the lines' prefix has it.
  Calls calls;
};

}  // namespace nccl_analyze
