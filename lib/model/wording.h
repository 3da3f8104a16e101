#pragma once
// What is the same in messages that differ in their numbers alone.

#include <string>
#include <string_view>

namespace nccl_analyze {

/// The message with each number, decimal or hexadecimal, as `#`.
std::string fold_numbers(std::string_view message);

}  // namespace nccl_analyze
