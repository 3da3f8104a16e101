#pragma once
/// Code points of untrusted bytes.

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace nccl_analyze {

struct Rune {
  std::uint32_t value = 0;
  std::size_t size = 1;  ///< In bytes.
  bool valid = false;    ///< False: one byte that is no UTF-8.
};

/// Whether a byte goes on with a code point.
constexpr bool continues(unsigned char byte) { return (byte & 0xC0U) == 0x80U; }

/// The first code point of `text`, which is not empty; strict: no overlong forms, no surrogates.
Rune first_rune(std::string_view text);

/// Whether every byte belongs to a code point.
bool is_utf8(std::string_view text);

}  // namespace nccl_analyze
