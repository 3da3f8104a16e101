#pragma once
// ASCII digits. The standard functions for characters depend on the locale.

namespace nccl_analyze {

inline bool is_digit(char c) { return c >= '0' && c <= '9'; }

}  // namespace nccl_analyze
