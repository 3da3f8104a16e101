#pragma once
// Reads the lists inside messages, item by item: numbers, separators, names of interfaces.

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string_view>

namespace nccl_analyze::detail {

/// A position in a list. Each function reads one thing and moves behind it, or returns false if something else stands
/// there. After a false number() the position is undefined.
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
  /// Reads an int without blanks before it.
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

/// Moves an interface's alias from the front of `address` to the end of `interface`: `eth0:1:10.0.0.7<0>` was split at
/// its first colon, but names `eth0:1`. Both views are parts of one text with that colon between them.
void move_interface_alias(std::string_view& interface, std::string_view& address);

/// Reads a number and the literal `after` from the front of `rest`.
inline bool read_number(std::string_view& rest, int& value, std::string_view after) {
  Cursor cursor(rest);
  if (!cursor.number(value)) return false;
  rest = cursor.rest();
  if (!rest.starts_with(after)) return false;
  rest.remove_prefix(after.size());
  return true;
}

}  // namespace nccl_analyze::detail
