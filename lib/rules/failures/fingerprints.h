#pragma once
/// Reads the calls of ranks from the exception that PyTorch raises with TORCH_DISTRIBUTED_DEBUG=DETAIL if these calls
/// differ.

#include <string>
#include <string_view>
#include <vector>

#include "nccl_analyze/rule.h"

namespace nccl_analyze {

/// A call as `CollectiveFingerPrint(SequenceNumber=7, OpType=ALLGATHER, TensorShape=[41, 256], TensorDtypes=Float,
/// ...)` prints it. Members that are not printed, or are cut, are empty.
struct Fingerprint {
  int rank = -1;
  std::string number, operation, shape, type;
  auto operator<=>(const Fingerprint&) const = default;
};

/// Returns the calls in a message, each with the rank that the message names before it.
std::vector<Fingerprint> read_fingerprints(std::string_view message);

/// Adds a finding for the calls that PyTorch refused, if the input holds an exception that names them.
void compare_fingerprints(const Model& model, RuleResult& result);

}  // namespace nccl_analyze
