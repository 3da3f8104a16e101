#pragma once
// Collectives that ranks call.

#include <cstddef>
#include <cstdint>
#include <map>
#include <utility>

#include "model/build/context.h"

namespace nccl_analyze::builder {

class Collectives {
 public:
  void apply(Context& context, const CollectiveCalled& event);

 private:
  /// A call of a communicator that the log of its process does not name.
  void add_unnamed_call(Context& context, const CollectiveCalled& event, const CollectiveCall& call);

  std::map<std::pair<Index, std::uint64_t>, std::size_t> index_;  ///< Of Model::unnamed_calls by process and pointer.
};

}  // namespace nccl_analyze::builder
