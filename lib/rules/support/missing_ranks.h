#pragma once
/// Words for ranks of which the input seems to have no line.

#include <cstddef>
#include <string>

#include "nccl_analyze/model.h"

namespace nccl_analyze {

/// `, unless lines that name no communicator, or damaged lines, are of these ranks`: the lines of the input that may
/// still be of the `missing` ranks of the communicator. Empty if there are none. `has_unplaced`: what
/// has_unplaced_lines() returned; it looks at all processes, so that a rule asks it once.
std::string unless_here(const Model& model, const Communicator& comm, std::size_t missing, bool has_unplaced);

}  // namespace nccl_analyze
