#pragma once
/// Finds copied logs: different files with the same bytes.

#include <cstddef>
#include <vector>

#include "input/inputs.h"

namespace nccl_analyze {

/// Returns for each input the index of the first input with the same bytes; that is its own index if no earlier input
/// is equal. A file is opened only if its size is not 0 and another input has the same size. Standard input and files
/// that cannot be read are unequal to all others.
std::vector<std::size_t> find_copies(const std::vector<Input>& inputs);

}  // namespace nccl_analyze
