#pragma once
// ASCII letters in lower case, for words that versions and libraries capitalise differently.

#include <string>
#include <string_view>

namespace nccl_analyze {

/// `text` with A to Z as a to z; other bytes are unchanged.
inline std::string lower_case(std::string_view text) {
  std::string out(text);
  for (char& c : out)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return out;
}

}  // namespace nccl_analyze
