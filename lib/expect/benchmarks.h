#pragma once
/// Results of benchmarks in the input.

#include <optional>

#include "nccl_analyze/model.h"

namespace nccl_analyze {

/// The highest bus bandwidth, in GB/s, of all tables of nccl-tests in the input; empty if there is no table.
std::optional<double> best_busbw(const Model& model);

}  // namespace nccl_analyze
