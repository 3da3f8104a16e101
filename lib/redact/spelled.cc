#include "redact/spelled.h"

#include <algorithm>
#include <array>
#include <charconv>

#include "redact/bytes.h"

namespace nccl_analyze::redact {

namespace {

/// Reads a number of at most three digits at `at`. Returns its length, or 0 if there is none or if it is above `most`.
std::size_t read_number(std::string_view text, std::size_t at, int most, int& number) {
  constexpr std::size_t longest = 3;
  const std::size_t size = end_of(text, at, is_digit) - at;
  if (size == 0 || size > longest) return 0;
  std::from_chars(text.data() + at, text.data() + at + size, number);
  return number <= most ? size : 0;
}

/// Whether a byte with this number belongs to a name. Bytes beyond ASCII do, as part of a letter.
bool is_of_name(unsigned number) {
  const char c = static_cast<char>(number);
  return number < 256 && (is_letter(c) || is_digit(c) || is_other_letter(c));
}

struct Encoding {
  std::string_view begin;
  int base;
  std::size_t digits;
};

/// Returns the length of an encoded byte of a name (`code.begin`, then `code.digits` digits) at the start of `text`; 0
/// if there is none.
std::size_t length_of_code(std::string_view text, const Encoding& code) {
  if (!text.starts_with(code.begin)) return 0;
  unsigned number = 0;
  const std::size_t begin = code.begin.size(), end = std::min(begin + code.digits, text.size());
  const auto read = std::from_chars(text.data() + begin, text.data() + end, number, code.base);
  const auto size = static_cast<std::size_t>(read.ptr - text.data());
  return size == begin + code.digits && is_of_name(number) ? size : 0;
}

/// Returns the length of a character reference of HTML, `&#97;` or `&#x61;`, that stands for a byte of a name; else 0.
std::size_t length_of_reference(std::string_view text) {
  constexpr std::size_t longest = 8;
  if (!text.starts_with("&#")) return 0;
  const std::size_t semicolon = text.substr(0, longest).find(';');
  const bool is_hexadecimal = text.size() > 2 && lower(text[2]) == 'x';
  const std::size_t begin = is_hexadecimal ? 3 : 2;
  if (semicolon == std::string_view::npos || semicolon <= begin) return 0;
  unsigned number = 0;
  const auto read = std::from_chars(text.data() + begin, text.data() + semicolon, number, is_hexadecimal ? 16 : 10);
  return read.ptr == text.data() + semicolon && (is_of_name(number) || number > 255) ? semicolon + 1 : 0;
}

}  // namespace

std::size_t defanged_length(std::string_view text) {
  constexpr std::array<std::string_view, 8> points = {".",     "[.]",   "(.)",   "\\.",
                                                      "\\\\.", "[dot]", "(dot)", "\xe2\x80\xa4"};
  constexpr std::string_view first = ".[(\\\xe2";
  constexpr int most = 255;
  constexpr std::size_t fewest = 3;
  int number = 0;
  std::size_t at = read_number(text, 0, most, number), numbers = 1;
  bool is_defanged = false;
  while (at > 0 && at < text.size() && first.find(text[at]) != first.npos) {
    const std::string_view rest = text.substr(at);
    const auto point = std::ranges::find_if(points, [&](std::string_view one) { return rest.starts_with(one); });
    const std::size_t size = point == points.end() ? 0 : read_number(rest, point->size(), most, number);
    if (size == 0) break;
    is_defanged = is_defanged || point != points.begin();
    at += point->size() + size;
    ++numbers;
  }
  return is_defanged && numbers >= fewest ? at : 0;
}

std::size_t address_tuple_length(std::string_view text) {
  constexpr int most = 255, most_of_small = 31;
  constexpr std::size_t alone = 4, with_port = 6, fewest_large = 2;
  std::size_t at = 0, numbers = 0, large = 0;
  while (true) {
    int number = 0;
    const std::size_t size = read_number(text, at, most, number);
    if (size == 0) return 0;
    at += size;
    ++numbers;
    large += number > most_of_small ? 1 : 0;
    if (at == text.size() || text[at] != ',') break;
    ++at;
  }
  const bool is_address = (numbers == alone || numbers == with_port) && large >= fewest_large;
  return is_address && (at == text.size() || text[at] == ')') ? at : 0;
}

std::size_t byte_list_length(std::string_view text) {
  constexpr int first = 9, last = 126;  // from the tab to the last printable byte
  constexpr std::size_t fewest = 6;
  std::size_t at = 0, end = 0, numbers = 0, letters = 0;
  int before = 0;
  bool is_rising = true;
  while (true) {
    int number = 0;
    const std::size_t size = read_number(text, at, last, number);
    if (size == 0 || number < first) break;
    is_rising = is_rising && number >= before;
    letters += is_letter(static_cast<char>(number)) ? 1 : 0;
    ++numbers;
    before = number;
    end = at + size;
    if (end == text.size() || text[end] != ',') break;
    at = end + (text.substr(end).starts_with(", ") ? 2 : 1);
  }
  return numbers >= fewest && 2 * letters > numbers && !is_rising ? end : 0;
}

bool is_byte_of_journal(std::string_view line) {
  constexpr int most = 255;
  constexpr std::string_view tabs = "\t\t";
  if (!line.starts_with(tabs)) return false;
  int number = 0;
  const std::size_t size = read_number(line, tabs.size(), most, number);
  const std::string_view behind = line.substr(std::min(tabs.size() + size, line.size()));
  return size > 0 && (behind.empty() || behind == ",");
}

std::size_t encoded_length(std::string_view text) {
  // In a string of JSON, the backslash is escaped.
  constexpr std::array<Encoding, 5> codes = {
      {{"\\x", 16, 2}, {"\\", 8, 3}, {"\\\\x", 16, 2}, {"\\\\", 8, 3}, {"\\u00", 16, 2}}};
  constexpr std::string_view first = "%\\&";
  if (text.empty() || first.find(text[0]) == first.npos) return 0;
  if (text.size() >= 3 && text[0] == '%' && is_hex(text[1]) && is_hex(text[2])) return 3;
  if (text.starts_with('&')) return length_of_reference(text);
  if (text.size() < 3 || text[0] != '\\') return 0;
  for (const Encoding& code : codes)
    if (const std::size_t size = length_of_code(text, code); size > 0) return size;
  const bool is_beyond = text.size() >= 6 && text[1] == 'u' && end_of(text.substr(0, 6), 2, is_hex) == 6;
  return is_beyond && text.substr(2, 2) != "00" ? 6 : 0;
}

}  // namespace nccl_analyze::redact
