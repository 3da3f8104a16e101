#pragma once
// COLL lines as calls of the model.

#include <optional>

#include "nccl_analyze/event.h"
#include "nccl_analyze/model.h"

namespace nccl_analyze::builder {

/// The call of a COLL line. Nothing for an operation that is neither a collective nor `Send` or `Recv`: one-sided
/// operations (2.29+) concern one rank alone.
std::optional<CollectiveCall> call_of(const CollectiveCalled& event, LineRef at);

/// Whether Calls::total counts the call.
bool is_counted(const CollectiveCall& call);

}  // namespace nccl_analyze::builder
