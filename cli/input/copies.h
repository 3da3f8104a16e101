#pragma once
/// Logs that somebody copied: files of equal bytes under different names.

#include <cstddef>
#include <vector>

#include "cli/input/inputs.h"

namespace nccl_analyze {

/// For each input the first one that holds the same bytes, itself when there is none before. Files are opened only
/// when their size is not 0 and equal to another's; a file that cannot be read equals none.
std::vector<std::size_t> find_copies(const std::vector<Input>& inputs);

}  // namespace nccl_analyze
