#pragma once
/// Reads values from the words of exceptions that frameworks raise.

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "nccl_analyze/model.h"

namespace nccl_analyze {

/// Returns values of placeholders that the message shows: `port`, which is in use; `free` and `total` memory of a GPU
/// in GiB, and `share`, the part of `total` that a program can use.
std::vector<std::pair<std::string_view, std::string>> values_of_exception(std::string_view message);

/// Whether the words only say that the cause stands elsewhere in the log.
bool points_elsewhere(std::string_view message);

/// Whether NCCL printed a warning of a failure that is not known to be harmless, and its process did not continue.
bool reports_own_failure(const Model& model);

}  // namespace nccl_analyze
