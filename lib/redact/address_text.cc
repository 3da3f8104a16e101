// Finds addresses in text. A part of a longer word is no address.

#include <algorithm>
#include <array>
#include <bit>

#include "redact/addresses.h"
#include "redact/bytes.h"

namespace nccl_analyze::redact {

namespace {

int hex_value(char c) { return is_digit(c) ? c - '0' : lower(c) - 'a' + 10; }

/// Whether an address may end before `text`: before the full stop of a sentence, `10.0.0.1.`, but not before another
/// number, `10.0.0.1.5`.
bool ends_word(std::string_view text) {
  if (text.empty()) return true;
  if (is_digit(text[0]) || is_letter(text[0]) || text[0] == '_' || is_other_letter(text[0])) return false;
  return text[0] != '.' || text.size() == 1 || !is_digit(text[1]);
}

/// Reads the groups of an IPv6 address. `gap`: the number of groups before `::`; 8 if there is no `::`. `longest`: the
/// most digits that a group has without leading zeros. `tail`: the length of an IPv4 address at the end.
struct GroupReader {
  std::string_view text;
  std::array<std::uint32_t, 8> groups{};
  std::size_t at = 0, count = 0, gap = 8, longest = 0, tail = 0;

  bool read() {
    if (text.starts_with("::")) gap = 0, at = 2;
    while (count < 8 && at < text.size() && is_hex(text[at])) {
      std::uint32_t ipv4 = 0;
      if (const std::size_t size = count <= 6 ? ipv4_length(text.substr(at), '.', ipv4) : 0; size > 0) {
        tail = size;
        groups[count++] = ipv4 >> 16U;
        groups[count++] = ipv4 & 0xffffU;
        at += size;
        break;
      }
      if (!read_group()) return false;
      if (text.substr(at).starts_with("::") && gap == 8) {
        gap = count;
        at += 2;
      } else if (at + 1 < text.size() && text[at] == ':' && is_hex(text[at + 1]) && count < 8) {
        ++at;
      } else {
        break;
      }
    }
    return gap < 8 ? count < 8 : count == 8;
  }

  bool read_group() {
    const std::size_t end = end_of(text, at, is_hex);
    if (end - at > 4) return false;
    std::uint32_t value = 0;
    for (; at < end; ++at) value = value << 4U | static_cast<std::uint32_t>(hex_value(text[at]));
    longest = std::max(longest, static_cast<std::size_t>(4 - std::countl_zero(value << 16U | 0x8000U) / 4));
    groups[count++] = value;
    return true;
  }

  Ipv6 address() const {
    std::array<std::uint64_t, 8> all{};
    for (std::size_t i = 0; i < count; ++i) all[i < gap ? i : i + 8 - count] = groups[i];
    return {all[0] << 48U | all[1] << 32U | all[2] << 16U | all[3],
            all[4] << 48U | all[5] << 32U | all[6] << 16U | all[7]};
  }
};

}  // namespace

std::size_t ipv4_length(std::string_view text, char separator, std::uint32_t& address) {
  std::size_t at = 0;
  address = 0;
  for (int i = 0; i < 4; ++i) {
    if (i > 0 && (at >= text.size() || text[at++] != separator)) return 0;
    const std::size_t end = end_of(text, at, is_digit);
    if (end == at || end - at > 3 || (end - at > 1 && text[at] == '0')) return 0;
    std::uint32_t number = 0;
    for (; at < end; ++at) number = number * 10 + static_cast<std::uint32_t>(text[at] - '0');
    if (number > 255) return 0;
    address = address << 8U | number;
  }
  return ends_word(text.substr(at)) ? at : 0;
}

bool is_half_masked_address(std::string_view word) {
  const bool has_form = std::ranges::count(word, '.') == 3 && end_of(word, 0, [](char c) {
                                                                return is_digit(c) || lower(c) == 'x' || c == '.';
                                                              }) == word.size();
  return has_form && digits_in(word) > 0 && digits_in(word) + 3 < word.size();
}

std::size_t ipv6_length(std::string_view text, Ipv6& address, std::size_t& tail) {
  constexpr std::size_t shortest_longest = 3;
  GroupReader reader{.text = text};
  if (!reader.read() || !ends_word(text.substr(reader.at)) || text.substr(reader.at).starts_with(':')) return 0;
  if (reader.tail == 0 && reader.longest < shortest_longest && reader.gap < 8) return 0;
  address = reader.address();
  tail = reader.tail;
  return reader.at;
}

std::size_t pairs_length(std::string_view text, std::uint64_t& value) {
  constexpr std::size_t mac = 17, guid = 23;
  const char separator = text.size() > 2 ? text[2] : ' ';
  if (separator != ':' && separator != '-') return 0;
  std::size_t at = 0;
  value = 0;
  while (at + 2 <= text.size() && at < guid && is_hex(text[at]) && is_hex(text[at + 1])) {
    value = value << 8U | static_cast<std::uint64_t>(hex_value(text[at]) << 4 | hex_value(text[at + 1]));
    at += 2;
    if (at >= text.size() || text[at] != separator) break;
    ++at;
  }
  return (at == mac || at == guid) && ends_word(text.substr(at)) ? at : 0;
}

std::uint32_t reversed_ipv4(std::uint64_t value) {
  const bool is_mapped = (value & 0xffff'ffffU) == 0xffff'0000U && value >> 32U != 0;
  return is_mapped ? static_cast<std::uint32_t>(HexTable::swapped(value)) : 0;
}

}  // namespace nccl_analyze::redact
