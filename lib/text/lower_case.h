#pragma once
// Conversion to lower case, for words that versions and libraries capitalise differently.

#include <string>
#include <string_view>

namespace nccl_analyze {

/// Converts the ASCII letters of `text` to lower case.
inline std::string lower_case(std::string_view text) {
  std::string out(text);
  for (char& c : out)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return out;
}

}  // namespace nccl_analyze
