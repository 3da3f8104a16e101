#pragma once
// Scans the values of holes: numbers, flags, lists. Each scan reads from `at`, never beyond `end`, and returns the end
// of the value, or null if there is no valid value at `at`. The functions are inline, because matching spends most of
// its time here.

#include <array>
#include <bit>
#include <charconv>
#include <cstdint>
#include <cstring>
#include <string_view>

#include "messages/list_cursor.h"
#include "messages/row.h"
#include "text/digits.h"
#include "text/sixteen.h"

namespace nccl_analyze {

namespace detail {

/// Whether the sizeof(Word) bytes at `at` and at `literal` are equal.
template <class Word>
inline bool same_word(const char* at, const char* literal) {
  Word a, b;
  std::memcpy(&a, at, sizeof a);
  std::memcpy(&b, literal, sizeof b);
  return a == b;
}

/// Compares `size` bytes. Literals are short, so comparing eight bytes at a time is faster than calling memcmp. The
/// last comparison overlaps the previous one, which avoids a remainder.
[[gnu::always_inline]] inline bool same_literal(const char* at, const char* literal, std::size_t size) {
  if (size >= 8) {
    for (std::size_t from = 0; from + 8 < size; from += 8)
      if (!same_word<std::uint64_t>(at + from, literal + from)) return false;
    return same_word<std::uint64_t>(at + size - 8, literal + size - 8);
  }
  if (size >= 4)
    return same_word<std::uint32_t>(at, literal) && same_word<std::uint32_t>(at + size - 4, literal + size - 4);
  for (std::size_t i = 0; i < size; ++i)
    if (at[i] != literal[i]) return false;
  return true;
}

}  // namespace detail

[[gnu::always_inline]] inline bool begins_with(const char* at, const char* end, std::string_view literal) {
  return static_cast<std::size_t>(end - at) >= literal.size() &&
         detail::same_literal(at, literal.data(), literal.size());
}

namespace detail {

/// Returns the position of the first blank or `stop`; `end` if there is none.
[[gnu::always_inline]] inline const char* find_end_of_word(const char* at, const char* end, char stop) {
  if (end - at >= 16) {
    const Bytes16 bytes = load_16(at);
    if (const ByteMask ends(is(bytes, stop) | is(bytes, ' ')); !ends.none()) return at + ends.first();
    at += 16;
  }
  while (at != end && *at != stop && *at != ' ') ++at;
  return at;
}

inline const char* skip_blanks(const char* at, const char* end) {
  while (at != end && *at == ' ') ++at;
  return at;
}

/// Scans an integer of up to 18 digits and the blanks before it, with which NCCL pads numbers (`%3d`). A simple loop is
/// faster than from_chars for the one to three digits of a rank.
[[gnu::always_inline]] inline const char* scan_integer(const char* at, const char* end, std::int64_t& value) {
  bool negative = false;
  if (at != end && !is_digit(*at)) {
    at = skip_blanks(at, end);
    negative = at != end && *at == '-';
    if (negative) ++at;
  }
  const char* const first = at;
  std::uint64_t sum = 0;
  for (unsigned digit = 0; at != end && (digit = static_cast<unsigned>(*at) - '0') <= 9; ++at) sum = sum * 10 + digit;
  constexpr std::size_t max_digits = 18;
  if (static_cast<std::size_t>(at - first) - 1 >= max_digits) return nullptr;  // rejects zero digits too: 0 - 1 wraps
  value = negative ? -static_cast<std::int64_t>(sum) : static_cast<std::int64_t>(sum);
  return at;
}

[[gnu::always_inline]] inline const char* scan_int32(const char* at, const char* end, std::int64_t& value) {
  const char* const after = scan_integer(at, end, value);
  if (after == nullptr) return nullptr;
  return value == static_cast<int>(value) ? after : nullptr;
}

inline constexpr std::array<int, 256> hex_digits = [] {
  std::array<int, 256> values{};
  values.fill(-1);
  for (unsigned char c = '0'; c <= '9'; ++c) values[c] = c - '0';
  for (unsigned char c = 'a'; c <= 'f'; ++c) values[c] = c - 'a' + 10;
  for (unsigned char c = 'A'; c <= 'F'; ++c) values[c] = c - 'A' + 10;
  return values;
}();

/// Loads the first 16 of the bytes from `at` to `end`, padded with zeros. There must be at least eight bytes.
/// Little-endian only.
inline Bytes16 load_first_16(const char* at, const char* end) {
  const auto size = static_cast<std::size_t>(end - at);
  if (size >= 16) return load_16(at);
  std::uint64_t low, high;
  std::memcpy(&low, at, sizeof low);
  std::memcpy(&high, end - sizeof high, sizeof high);
  high = size == 8 ? 0 : high >> (8 * (16 - size));
  using Halves [[gnu::vector_size(16)]] = std::uint64_t;
  return reinterpret_cast<Bytes16>(Halves{low, high});
}

/// Packs sixteen nibbles, each in a byte of its own, into a number. The first byte becomes the highest digit.
inline std::uint64_t pack_nibbles(Bytes16 nibbles) {
  using Lanes [[gnu::vector_size(16)]] = std::uint16_t;
  using Bytes [[gnu::vector_size(8)]] = unsigned char;
  const auto lanes = reinterpret_cast<Lanes>(nibbles);
  const auto bytes = __builtin_convertvector((lanes << 4 | lanes >> 8) & 0xff, Bytes);
  return __builtin_bswap64(reinterpret_cast<std::uint64_t>(bytes));
}

/// Parses up to 17 hexadecimal digits into `value`. Returns the end of the digits, which is `at` if there are none.
[[gnu::always_inline]] inline const char* scan_hex_digits(const char* at, const char* end, std::uint64_t& value) {
  if (std::endian::native == std::endian::little && end - at >= 8) {  // the common case: pointers have twelve digits
    const Bytes16 bytes = load_first_16(at, end);
    const Bytes16 letters = in_range(bytes | splat(0x20), 'a', 6);
    const std::size_t count = ByteMask(in_range(bytes, '0', 10) | letters).before_first_false();
    if (count == 0) return at;
    if (count < 16) {
      // the low nibble of `a` is 1, so adding 9 gives 10
      const Bytes16 nibbles = (bytes & splat(0x0f)) + (letters & splat(9));
      value = pack_nibbles(nibbles) >> (64 - 4 * count);
      return at + count;
    }
  }
  const char* const limit = end - at > 17 ? at + 17 : end;
  for (int digit = 0; at != limit && (digit = hex_digits[static_cast<unsigned char>(*at)]) >= 0; ++at)
    value = value << 4 | static_cast<std::uint64_t>(digit);
  return at;
}

/// Scans up to 16 digits with or without `0x`, `(nil)`, or an anonymised pointer. Always inlined, so that the compiler
/// removes the conversion if the value is ignored.
[[gnu::always_inline]] inline const char* scan_hex(const char* at, const char* end, std::uint64_t& value) {
  const char* const begin = at;
  value = 0;
  if (end - at >= 2 && same_word<std::uint16_t>(at, "0x")) at += 2;
  const char* const first = at;
  at = scan_hex_digits(at, end, value);
  if (at - first > 16) return nullptr;
  if (at != first && (at == end || *at == ' ')) return at;
  if (at != end && (*at == '.' || *at == 'x' || *at == 'X' || *at == '*') && first != begin) {
    const char* stop = at;  // an anonymised pointer, such as `0x...`, `0xXXXX`, `0x7f..`
    while (stop != end && (*stop == '.' || *stop == 'x' || *stop == 'X' || *stop == '*')) ++stop;
    if (stop - at >= 2) {
      value = 0;
      return stop;
    }
  }
  if (at != first) return at;
  constexpr std::string_view nil = "(nil)";
  return begins_with(begin, end, nil) ? begin + nil.size() : nullptr;
}

/// Scans a decimal number. With up to 15 digits, the digits without the point and the power of ten are exact doubles,
/// and therefore their quotient is correctly rounded, like the result of from_chars. Longer numbers are left to
/// from_chars.
inline const char* scan_real(const char* at, const char* end, double& value) {
  constexpr std::array<double, 16> powers = {1e0, 1e1, 1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                             1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15};
  at = skip_blanks(at, end);
  const char* next = at;
  const bool negative = next != end && *next == '-';
  if (negative) ++next;
  std::uint64_t digits = 0;
  std::size_t count = 0, decimals = 0;
  for (; next != end && is_digit(*next) && count < 16; ++next, ++count)
    digits = digits * 10 + static_cast<std::uint64_t>(*next - '0');
  if (count == 0) return nullptr;
  if (next != end && *next == '.') {
    for (++next; next != end && is_digit(*next) && count < 16; ++next, ++count, ++decimals)
      digits = digits * 10 + static_cast<std::uint64_t>(*next - '0');
  }
  // `%g` prints small times with an exponent: 6.2093e-05.
  const bool has_exponent = end - next > 2 && *next == 'e' && (next[1] == '-' || next[1] == '+') && is_digit(next[2]);
  if (count < 16 && !has_exponent) {
    const double magnitude = static_cast<double>(digits) / powers[decimals];
    value = negative ? -magnitude : magnitude;
    return next;
  }
  const auto format = has_exponent ? std::chars_format::general : std::chars_format::fixed;
  const auto [after, error] = std::from_chars(at, end, value, format);
  return error == std::errc{} && value - value == 0 ? after : nullptr;
}

/// Scans ranks separated by blanks. NCCL ends a truncated list with `...`.
inline const char* scan_ranks(const char* at, const char* end, Capture& capture) {
  const char* stop = at;
  bool any = false;
  for (; stop != end && (*stop == ' ' || is_digit(*stop)); ++stop) any = any || *stop != ' ';
  if (std::string_view(stop, static_cast<std::size_t>(end - stop)).starts_with("...")) stop += 3;
  while (stop != at && stop[-1] == ' ') --stop;
  capture.set_text({at, static_cast<std::size_t>(stop - at)});
  return any ? stop : nullptr;
}

inline constexpr std::array<bool, 256> tree_chars = [] {
  std::array<bool, 256> allowed{};
  for (const char c : std::string_view("[]0123456789/->|. ")) allowed[static_cast<unsigned char>(c)] = true;
  return allowed;
}();

/// Scans a list of trees (TreeList). The last item may be truncated, because NCCL prints the list into a buffer of
/// fixed size.
inline const char* scan_trees(const char* at, const char* end, Capture& capture) {
  at = skip_blanks(at, end);
  const auto skip_items = [](std::string_view text) {
    TreeList list{text};
    TreeLink link;
    while (list.next(link)) {
    }
    return list.text();
  };
  std::string_view tail = skip_items({at, static_cast<std::size_t>(end - at)});
  const char* stop = tail.data();
  while (stop != end && tree_chars[static_cast<unsigned char>(*stop)]) ++stop;
  while (stop != at && stop[-1] == ' ') --stop;
  const std::string_view text(at, static_cast<std::size_t>(stop - at));
  if (stop != end) tail = skip_items(text);  // other text follows, and must not become part of the last item
  capture.set_text(text);
  return tail.size() != text.size() && tail.find('[') == tail.rfind('[') ? stop : nullptr;
}

inline const char* scan_blank(const char* at, const char* end, Capture& capture) {
  const char* const stop = skip_blanks(at, end);
  capture.set_text({at, static_cast<std::size_t>(stop - at)});
  return stop;
}

}  // namespace detail

/// Scans an optional literal; never returns null.
inline const char* scan_flag(std::string_view literal, const char* at, const char* end, Capture& capture) {
  capture.flag = begins_with(at, end, literal);
  return capture.flag ? at + literal.size() : at;
}

/// Scans an optional number between two literals; the value is -1 if the number is missing. Never returns null.
inline const char* scan_optional_int(std::string_view before, std::string_view after, const char* at, const char* end,
                                     Capture& capture) {
  capture.integer = -1;
  if (!begins_with(at, end, before)) return at;
  std::string_view rest(at + before.size(), static_cast<std::size_t>(end - at) - before.size());
  int value = -1;
  if (!detail::read_number(rest, value, after)) return at;
  capture.integer = value;
  return rest.data();
}

/// Scans a hole whose shape alone determines what it matches: all shapes except words, free text, choices, flags and
/// optional numbers.
template <Shape shape>
[[gnu::always_inline]] inline const char* scan_as(const char* at, const char* end, Capture& capture) {
  using namespace detail;
  if constexpr (shape == Shape::int32) return scan_int32(at, end, capture.integer);
  if constexpr (shape == Shape::int64) return scan_integer(at, end, capture.integer);
  if constexpr (shape == Shape::hex) return scan_hex(at, end, capture.hex);
  if constexpr (shape == Shape::real) return scan_real(at, end, capture.real);
  if constexpr (shape == Shape::ranks) return scan_ranks(at, end, capture);
  if constexpr (shape == Shape::trees) return scan_trees(at, end, capture);
  if constexpr (shape == Shape::blank) return scan_blank(at, end, capture);
}

}  // namespace nccl_analyze
