#pragma once
/// Reads values from the words of exceptions that frameworks raise.

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "nccl_analyze/model.h"

namespace nccl_analyze {

/// The values of placeholders: `port` that is in use; `free` and `total` memory of a GPU, and its free `share`.
std::vector<std::pair<std::string_view, std::string>> values_of_exception(std::string_view message);

/// Whether the words only say that the cause stands elsewhere in the log.
bool points_elsewhere(std::string_view message);

/// Whether NCCL printed a failure of its own.
bool reports_own_failure(const Model& model);

}  // namespace nccl_analyze
