#pragma once
// Records the collectives that ranks call.

#include "model/build/context.h"

namespace nccl_analyze::builder {

class Collectives {
 public:
  void apply(Context& context, const CollectiveCalled& event);

 private:
  /// Adds a call on a communicator whose initialisation is not in the log of the process.
  void add_unnamed_call(Context& context, const CollectiveCalled& event, const CollectiveCall& call);

  /// Index in Model::unnamed_calls, by process and pointer.
  IndexTable index_;
};

}  // namespace nccl_analyze::builder
