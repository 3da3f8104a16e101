#pragma once
// Splits and parses words and numbers in the output of other tools.

#include <charconv>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace nccl_analyze::evidence {

/// Returns the words of a line. Blanks, tabs and carriage returns separate them.
std::vector<std::string_view> words_of(std::string_view line);

/// Returns the position at which the last `count` words before `at` begin; npos if there are fewer words.
std::size_t start_of_words_before(std::string_view line, std::size_t at, int count);

/// Returns the value, or 0 for unknown if the value is negative, not finite or above 10^12.
double measured(double value);

/// Returns the number in hexadecimal: `0x19000`.
std::string hex(std::uint64_t value);

/// Reads all of `text` as a hexadecimal number, with or without `0x`. Returns false if it is not one.
bool read_hex(std::string_view text, std::uint64_t& value);

/// Reads a PCI address (`0000:19:00.0`, `19:00.0`, `00000000:19:00.0`) as NCCL's number for it, which joins the
/// hexadecimal digits of domain, bus, device and function: 0x19000. Returns false if `text` is no address.
bool read_bus_id(std::string_view text, std::uint64_t& bus_id);

/// Whether `text` has the form of a GID, which is that of an IPv6 address.
bool is_gid(std::string_view text);

/// Reads all of `text` as a number. Returns false if it is not one.
template <class Number>
bool read_number(std::string_view text, Number& value) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc{} && end == text.data() + text.size();
}

}  // namespace nccl_analyze::evidence
