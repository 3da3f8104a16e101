#pragma once
// Strict UTF-8 decoding. A log may contain any bytes, but JSON output must be valid UTF-8.

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace nccl_analyze {

/// A decoded code point, or one invalid byte.
struct Rune {
  std::uint32_t value = 0;
  std::size_t size = 1;  ///< In bytes.
  bool valid = false;
};

/// Whether `byte` is a continuation byte: the second or a later byte of a code point.
constexpr bool continues(unsigned char byte) { return (byte & 0xC0U) == 0x80U; }

/// Decodes the first code point of `text`, which must not be empty. Overlong forms and surrogates are invalid.
Rune first_rune(std::string_view text);

/// Whether `text` is valid UTF-8.
bool is_utf8(std::string_view text);

}  // namespace nccl_analyze
