#pragma once
/// Environment variables in few words.

#include <string>
#include <vector>

#include "nccl_analyze/model.h"

namespace nccl_analyze {

/// Those that all processes print alike in one line, then those that differ, with who has which. Empty where none is
/// printed. NCCL prints a variable when it reads it, so that one may be set and not be here.
std::vector<std::string> describe_settings(const Model& model);

}  // namespace nccl_analyze
