#pragma once
// Converts COLL lines to calls in the model.

#include <optional>

#include "nccl_analyze/event.h"
#include "nccl_analyze/model.h"

namespace nccl_analyze::builder {

/// Converts a COLL line to a call. nullopt for any operation other than collectives, `Send` and `Recv`, such as the
/// one-sided operations (2.29+), which involve only one rank.
std::optional<CollectiveCall> call_of(const CollectiveCalled& event, LineRef at);

/// Whether Calls::total counts the call: it does not count `Send`, `Recv` and collectives of 0 elements.
bool is_counted(const CollectiveCall& call);

}  // namespace nccl_analyze::builder
