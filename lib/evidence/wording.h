#pragma once
// Words and numbers of the output of other tools.

#include <charconv>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace nccl_analyze::evidence {

/// The words of a line, separated by blanks and tabs.
std::vector<std::string_view> words_of(std::string_view line);

/// The value; 0, which means unknown, if it is negative, not finite or above 10^12.
double measured(double value);

/// A number in hexadecimal: `0x19000`.
std::string hex(std::uint64_t value);

/// Reads all of `text` as a hexadecimal number, with or without `0x`. Returns false if it is not one.
bool read_hex(std::string_view text, std::uint64_t& value);

/// Reads a PCI address (`0000:19:00.0`, `19:00.0`, `00000000:19:00.0`) as the number that NCCL uses, which has the
/// digits of all parts of the address: 0x19000. Returns false if `text` is no address.
bool read_bus_id(std::string_view text, std::uint64_t& bus_id);

/// Reads all of `text` as a number. Returns false if it is not one.
template <class Number>
bool read_number(std::string_view text, Number& value) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc{} && end == text.data() + text.size();
}

}  // namespace nccl_analyze::evidence
