#pragma once
// Reads the value of a hole: numbers, choices, lists. Each scan returns where the value ends, or nullptr. In a header
// because the matcher spends its time here.

#include <array>
#include <bit>
#include <charconv>
#include <cstdint>
#include <cstring>
#include <limits>
#include <string_view>

#include "messages/row.h"
#include "text/sixteen.h"

namespace nccl_analyze {

namespace detail {

/// Whether the bytes from `at` on that make up a Word are those of the literal.
template <class Word>
inline bool same_word(const char* at, const char* literal) {
  Word a, b;
  std::memcpy(&a, at, sizeof a);
  std::memcpy(&b, literal, sizeof b);
  return a == b;
}

/// Literals are short: comparing eight bytes at a time beats the call of memcmp. What is left of one is compared as
/// the last bytes, once more in part.
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

inline bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// The first blank or `stop`; `end` where there is none.
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

/// NCCL pads numbers with blanks (`%3d`). Plain loop: faster than from_chars on the one to three digits of a rank.
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
  if (static_cast<std::size_t>(at - first) - 1 >= max_digits) return nullptr;  // or there is none
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

/// The first 16 bytes; where there are only eight or more, zeros behind them. Where numbers begin with their low byte.
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

/// The number that the low halves of sixteen bytes make up, the first of them its highest digit.
inline std::uint64_t number_of_halves(Bytes16 halves) {
  using Lanes [[gnu::vector_size(16)]] = std::uint16_t;
  using Bytes [[gnu::vector_size(8)]] = unsigned char;
  const auto lanes = reinterpret_cast<Lanes>(halves);
  const auto bytes = __builtin_convertvector((lanes << 4 | lanes >> 8) & 0xff, Bytes);
  return __builtin_bswap64(reinterpret_cast<std::uint64_t>(bytes));
}

/// Reads up to 17 hexadecimal digits into `value`; returns behind them.
[[gnu::always_inline]] inline const char* scan_hex_digits(const char* at, const char* end, std::uint64_t& value) {
  if (std::endian::native == std::endian::little && end - at >= 8) {  // pointers have twelve digits
    const Bytes16 bytes = load_first_16(at, end);
    const Bytes16 letters = in_range(bytes | splat(0x20), 'a', 6);
    const std::size_t count = ByteMask(in_range(bytes, '0', 10) | letters).before_first_false();
    if (count == 0) return at;
    if (count < 16) {
      const Bytes16 halves = (bytes & splat(0x0f)) + (letters & splat(9));  // a letter's low half begins at 1
      value = number_of_halves(halves) >> (64 - 4 * count);
      return at + count;
    }
  }
  const char* const limit = end - at > 17 ? at + 17 : end;
  for (int digit = 0; at != limit && (digit = hex_digits[static_cast<unsigned char>(*at)]) >= 0; ++at)
    value = value << 4 | static_cast<std::uint64_t>(digit);
  return at;
}

/// Inlined where nobody wants the value, most of it goes away.
[[gnu::always_inline]] inline const char* scan_hex(const char* at, const char* end, std::uint64_t& value) {
  const char* const begin = at;
  value = 0;
  if (end - at >= 2 && same_word<std::uint16_t>(at, "0x")) at += 2;
  const char* const first = at;
  at = scan_hex_digits(at, end, value);
  if (at - first > 16) return nullptr;
  if (at != first && (at == end || *at == ' ')) return at;
  if (at != end && (*at == '.' || *at == 'x' || *at == 'X' || *at == '*') && first != begin) {
    const char* stop = at;  // a pointer that was made anonymous: `0x...`, `0xXXXX`, `0x7f..`
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

/// NCCL prints plain decimals. Up to 15 digits the quotient of two exact numbers is the nearest double, as from_chars
/// would give it; longer ones are left to from_chars.
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
  if (count < 16) {
    const double magnitude = static_cast<double>(digits) / powers[decimals];
    value = negative ? -magnitude : magnitude;
    return next;
  }
  const auto [after, error] = std::from_chars(at, end, value, std::chars_format::fixed);
  return error == std::errc{} && value - value == 0 ? after : nullptr;
}

/// A list goes as far as its characters do; `...` ends one that NCCL cut.
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

/// A cut last item is legal: NCCL fills a fixed buffer.
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
  if (stop != end) tail = skip_items(text);  // an item ends where the list does
  capture.set_text(text);
  return tail.size() != text.size() && tail.find('[') == tail.rfind('[') ? stop : nullptr;
}

inline const char* scan_blank(const char* at, const char* end, Capture& capture) {
  const char* const stop = skip_blanks(at, end);
  capture.set_text({at, static_cast<std::size_t>(stop - at)});
  return stop;
}

/// Reads the small parts of lists, one behind the other.
struct Cursor {
  const char* at;
  const char* end;

  explicit Cursor(std::string_view text) : at(text.data()), end(text.data() + text.size()) {}
  std::string_view rest() const { return {at, static_cast<std::size_t>(end - at)}; }

  [[gnu::always_inline]] bool skip(char c) {
    const bool stands = at != end && *at == c;
    if (stands) ++at;
    return stands;
  }
  [[gnu::always_inline]] bool skip(char first, char second) {
    const bool stands = end - at >= 2 && at[0] == first && at[1] == second;
    if (stands) at += 2;
    return stands;
  }
  [[gnu::always_inline]] bool number(int& value) {
    const bool negative = skip('-');
    const char* const first = at;
    std::uint64_t sum = 0;
    for (unsigned digit = 0; at != end && (digit = static_cast<unsigned>(*at) - '0') <= 9; ++at) sum = sum * 10 + digit;
    constexpr std::uint64_t highest = std::numeric_limits<int>::max();
    if (at == first || at - first > 10 || sum > highest + (negative ? 1 : 0)) return false;
    value = static_cast<int>(negative ? -static_cast<std::int64_t>(sum) : static_cast<std::int64_t>(sum));
    return true;
  }
};

/// An alias has a colon of its own in its name: what stands before an IPv4 address belongs to the interface,
/// `eth0:1:10.0.0.7<0>`. The views stand side by side, a colon between them.
void move_interface_alias(std::string_view& interface, std::string_view& address);

/// Reads one number off the front of `rest`, then the literal `after`.
inline bool take(std::string_view& rest, int& value, std::string_view after) {
  Cursor cursor(rest);
  if (!cursor.number(value)) return false;
  rest = cursor.rest();
  if (!rest.starts_with(after)) return false;
  rest.remove_prefix(after.size());
  return true;
}

}  // namespace detail

/// A literal that may be missing.
inline const char* scan_flag(std::string_view literal, const char* at, const char* end, Capture& capture) {
  capture.flag = begins_with(at, end, literal);
  return capture.flag ? at + literal.size() : at;
}

/// A number between two literals; all of it may be missing.
inline const char* scan_optional_int(std::string_view before, std::string_view after, const char* at, const char* end,
                                     Capture& capture) {
  capture.integer = -1;
  if (!begins_with(at, end, before)) return at;
  std::string_view rest(at + before.size(), static_cast<std::size_t>(end - at) - before.size());
  int value = -1;
  if (!detail::take(rest, value, after)) return at;
  capture.integer = value;
  return rest.data();
}

/// A hole whose shape says all about it: not words, text, choices and what is optional.
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
