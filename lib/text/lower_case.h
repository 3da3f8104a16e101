#pragma once
/// Letters of ASCII alike, for words that versions and libraries spell differently.

#include <string>
#include <string_view>

namespace nccl_analyze {

/// `text` with A to Z as a to z; other bytes stay.
inline std::string lower_case(std::string_view text) {
  std::string out(text);
  for (char& c : out)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return out;
}

}  // namespace nccl_analyze
