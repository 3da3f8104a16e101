#pragma once
// What COLL lines say, as the model keeps it.

#include <optional>

#include "nccl_analyze/event.h"
#include "nccl_analyze/model.h"

namespace nccl_analyze::builder {

/// Nothing for an operation that is neither a collective nor `Send` or `Recv`: one-sided ones (2.29+) are a rank's own.
std::optional<CollectiveCall> call_of(const CollectiveCalled& event, LineRef at);

/// Whether Calls::total counts it.
bool is_counted(const CollectiveCall& call);

}  // namespace nccl_analyze::builder
