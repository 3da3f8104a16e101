#pragma once
// Classifies bytes. The passes use these classes to find where a word or a name begins and ends.

#include <algorithm>
#include <array>
#include <cstddef>
#include <string>
#include <string_view>

namespace nccl_analyze::redact {

constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }
constexpr bool is_upper(char c) { return c >= 'A' && c <= 'Z'; }
constexpr bool is_letter(char c) { return (c >= 'a' && c <= 'z') || is_upper(c); }
constexpr bool is_hex(char c) { return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'); }
/// Whether the byte belongs to a character beyond ASCII.
constexpr bool is_other_letter(char c) { return static_cast<unsigned char>(c) >= 0x80; }
constexpr char lower(char c) { return is_upper(c) ? static_cast<char>(c - 'A' + 'a') : c; }
/// Whether the byte separates parts of a name, as in `llama-worker-0`, `dgx_1`, `node1.cluster.local`.
constexpr bool is_separator(char c) { return c == '-' || c == '.' || c == '_'; }
namespace detail {
/// The passes look up the class of every byte several times, and a table is faster than comparisons.
inline constexpr std::array<bool, 256> name_bytes = [] {
  std::array<bool, 256> bytes{};
  for (int byte = 0; byte < 256; ++byte) {
    const char c = static_cast<char>(byte);
    bytes[static_cast<std::size_t>(byte)] = is_digit(c) || is_letter(c) || is_separator(c) || is_other_letter(c);
  }
  return bytes;
}();
}  // namespace detail

/// Whether the byte may be part of a name.
constexpr bool is_name_byte(char c) { return detail::name_bytes[static_cast<unsigned char>(c)]; }

inline bool is_among(const auto& words, std::string_view word) {
  return std::ranges::find(words, word) != std::ranges::end(words);
}

inline std::size_t digits_in(std::string_view text) {
  return static_cast<std::size_t>(std::ranges::count_if(text, is_digit));
}

inline std::string lowered(std::string_view text) {
  std::string out(text);
  std::ranges::transform(out, out.begin(), lower);
  return out;
}

/// Returns the end of the run of bytes of a class that begins at `at`; `at` itself if the byte there is of another
/// class.
template <class Class>
std::size_t end_of(std::string_view text, std::size_t at, Class&& is_of_class) {
  while (at < text.size() && is_of_class(text[at])) ++at;
  return at;
}

}  // namespace nccl_analyze::redact
