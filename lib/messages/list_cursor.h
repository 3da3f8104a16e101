#pragma once
// Parses the lists inside messages: numbers, separators, names of interfaces.

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string_view>

namespace nccl_analyze::detail {

/// A position in a list. Each function parses one token and moves to its end, or returns false if there is no such
/// token. If number() returns false, the position is unspecified.
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
  /// Parses an int without leading blanks.
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

/// Corrects an interface and its address that were split at the first colon, although the interface has an alias:
/// `eth0:1:10.0.0.7<0>` is the interface `eth0:1`. Moves the alias, if there is one, from the start of `address` to the
/// end of `interface`. Both views must be parts of one text, separated by that colon.
void move_interface_alias(std::string_view& interface, std::string_view& address);

/// Parses a number and the literal `after` at the start of `rest`, and removes them. Returns false if one of them is
/// missing; `rest` and `value` are unspecified then.
inline bool read_number(std::string_view& rest, int& value, std::string_view after) {
  Cursor cursor(rest);
  if (!cursor.number(value)) return false;
  rest = cursor.rest();
  if (!rest.starts_with(after)) return false;
  rest.remove_prefix(after.size());
  return true;
}

}  // namespace nccl_analyze::detail
