#pragma once
// Scans a line and passes the words and addresses in it to a visitor.

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "redact/addresses.h"
#include "redact/bytes.h"

namespace nccl_analyze::redact {

/// Returns the value of a word of 9 to 16 hexadecimal digits, such as a GUID; 0 for other words. Sets `skip` to the
/// length of `0x`; 0 if the word does not begin with it.
inline std::uint64_t long_hex(std::string_view word, std::size_t& skip) {
  constexpr std::size_t fewest = 9, most = 16;
  skip = word.starts_with("0x") ? 2 : 0;
  word.remove_prefix(skip);
  if (word.size() < fewest || word.size() > most || end_of(word, 0, is_hex) != word.size()) return 0;
  std::uint64_t value = 0;
  std::from_chars(word.data(), word.data() + word.size(), value, 16);
  return value;
}

/// Whether the text before four numbers with dots shows that they are a version, not an address.
inline bool follows_version(std::string_view before) {
  return before.ends_with("==") || before.ends_with("ersion ") || before.ends_with("ersion: ") ||
         before.ends_with("ersion : ");
}

/// Returns the length of an escape in a string of JSON (`\n`, `\u003c`, `\u001b[32m`) at the start of `text`; 0 if
/// there is none. Its letters do not belong to the word after it.
inline std::size_t escape_length(std::string_view text) {
  if (text.size() < 2 || text[0] != '\\') return 0;
  if (text[1] == 'u' && text.size() > 6 && lower(text[5]) == 'b' && text.substr(2, 3) == "001" && text[6] == '[')
    return std::min(end_of(text, 7, [](char c) { return is_digit(c) || c == ';'; }) + 1, text.size());
  if (text[1] == 'u') return text.size() >= 6 && end_of(text.substr(0, 6), 2, is_hex) == 6 ? 6 : 0;
  return std::string_view{"ntrbf\"\\/"}.find(text[1]) == std::string_view::npos ? 0 : 2;
}

/// Whether a line may hold a GUID among the numbers of NCCL's own wordings.
inline bool holds_guid(std::string_view line) {
  return line.find("UID") != std::string_view::npos || line.find("GID ") != std::string_view::npos ||
         line.find("guid") != std::string_view::npos;
}

/// Whether an address may begin at `at`. It must not continue a word. A colon may precede it only after the name of an
/// interface, as NCCL prints it: `eth0:fe80::1`.
inline bool may_begin_address(std::string_view line, std::size_t at) {
  if (at == 0) return true;
  const char before = line[at - 1];
  if (is_name_byte(before)) return false;
  if (before != ':') return true;
  std::size_t begin = at - 1;
  while (begin > 0 && is_name_byte(line[begin - 1])) --begin;
  return std::ranges::any_of(line.substr(begin, at - 1 - begin), [](char c) { return is_letter(c) && !is_hex(c); });
}

/// Calls the visitor for each address and word from `begin` to the end of a line, from left to right: ipv4(at, size,
/// address), ipv6(at, size, tail, address), hex(at, size, value), word(at, end). The visitor may overwrite letters and
/// digits in that range with other letters and digits.
template <class Visitor>
void scan_line(std::string_view line, std::size_t begin, Visitor& visitor) {
  std::size_t behind_escape = begin;
  for (std::size_t at = begin; at < line.size();) {
    if (const std::size_t escape = escape_length(line.substr(at)); escape > 0) {
      at += escape;
      behind_escape = at;
      continue;
    }
    const bool continues_word = at != behind_escape && is_name_byte(line[at - 1]);
    // An address may follow: `-10.0.4.51`.
    if (is_separator(line[at]) && !continues_word && (at == begin || at != behind_escape)) {
      ++at;
      continue;
    }
    const std::size_t digits = end_of(line, at, is_hex);
    const char behind = digits < line.size() ? line[digits] : ' ';
    const bool may_go_on = behind == ':' || (behind == '-' && digits == at + 2);
    if (may_go_on && (at == behind_escape || may_begin_address(line, at))) {
      Ipv6 address;
      std::size_t tail = 0;
      std::uint64_t value = 0;
      std::size_t size = behind == ':' ? ipv6_length(line.substr(at), address, tail) : 0;
      if (size > 0) visitor.ipv6(at, size, tail, address);
      if (size == 0 && (size = pairs_length(line.substr(at), value)) > 0) visitor.hex(at, size, value);
      at += size;
      if (size > 0) continue;
    }
    const std::size_t end = end_of(line, at, is_name_byte);
    std::uint32_t address = 0;
    const std::size_t size = end > at && is_digit(line[at]) ? ipv4_length(line.substr(at), '.', address) : 0;
    if (size > 0 && !follows_version(line.substr(0, at)))
      visitor.ipv4(at, size, address);
    else if (end > at)
      visitor.word(at, end);
    at = size > 0 ? at + size : end > at ? end : at + 1;
  }
}

}  // namespace nccl_analyze::redact
