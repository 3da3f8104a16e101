#include "text/line_time.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <string>

#include "nccl_analyze/model/line.h"
#include "text/blanks.h"
#include "text/digits.h"
#include "text/json_fields.h"
#include "text/json_lines.h"

namespace nccl_analyze {

namespace {

constexpr std::size_t max_before = 64;  // bytes of a line before its time
constexpr std::size_t max_head = 160;   // bytes of a line in which its time must end
constexpr std::size_t max_cell = 36;    // bytes of a cell that contains only a time
constexpr std::string_view end_of_cell = "\",";
constexpr std::string_view digit_chars = "0123456789";

/// The forms of dates before a time of day, except that of ISO 8601. `Y` is the year, `m` and `d` are month and day
/// with one or two digits, `b` is the name of the month, `w` is the name of the day, and every other character
/// represents itself. The value of a date without a year is not used.
constexpr std::string_view date_forms[] = {"b d, Y @ ", "b d, Y ", "b d Y ", "m/d/Y ", "m/d/Y, ", "Y/m/d ", "d/b/Y:",
                                           "d/b/Y ",    "d b Y ",  "d-b-Y ", "d.m.Y ", "d b Y, ", "b d ",   "w b d "};

struct PrintedDate {
  bool read = false;
  int year = 0, month = 0, day = 0;
};

/// Removes a number of at most `most` digits from the front of `text` and returns it; -1 if there is none. A number of
/// two digits may have a blank in place of a leading zero.
int take_number(std::string_view& text, std::size_t most) {
  if (most == 2 && text.size() > 1 && text[0] == ' ') text.remove_prefix(1);
  int value = 0;
  const std::size_t size = std::min({text.find_first_not_of(digit_chars), text.size(), most});
  for (const char c : text.substr(0, size)) value = value * 10 + (c - '0');
  text.remove_prefix(size);
  return size == 0 ? -1 : value;
}

/// Removes a name of three letters from the front of `text` and returns its position in `names`, from 1; -1 if it is
/// none of `names`.
int take_name(std::string_view& text, std::string_view names) {
  constexpr std::size_t letters = 3;
  if (text.size() < letters) return -1;
  const std::size_t at = names.find(text.substr(0, letters));
  if (at == std::string_view::npos || at % letters != 0) return -1;
  text.remove_prefix(letters);
  return static_cast<int>(at / letters) + 1;
}

/// Removes the part of the date that a letter of a form represents. Returns false if the text does not begin with such
/// a part.
bool take_part(char letter, std::string_view& text, PrintedDate& date) {
  switch (letter) {
    case 'Y':
      return (date.year = take_number(text, 4)) >= 0;
    case 'm':
      return (date.month = take_number(text, 2)) >= 0;
    case 'd':
      return (date.day = take_number(text, 2)) >= 0;
    case 'b':
      return (date.month = take_name(text, "JanFebMarAprMayJunJulAugSepOctNovDec")) > 0;
    case 'w':
      return take_name(text, "MonTueWedThuFriSatSun") > 0;
    default:
      if (!text.starts_with(letter)) return false;
      text.remove_prefix(1);
      return true;
  }
}

/// Reads all of the text as a date. If the form begins with the month, a number above 12 can only be the day.
PrintedDate date_in(std::string_view text) {
  for (const std::string_view form : date_forms) {
    PrintedDate date;
    std::string_view rest = text;
    date.read = std::ranges::all_of(form, [&](char letter) { return take_part(letter, rest, date); }) && rest.empty();
    if (!date.read) continue;
    if (date.month > 12 && form.starts_with('m')) std::swap(date.month, date.day);
    return date;
  }
  return {};
}

bool is_of_ascii_word(char c) { return is_digit(c) || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z'); }

/// Returns the date at the end of `text`, which precedes a time of day; PrintedDate::read is false if there is none. A
/// date without a year counts only if `text` begins with it.
PrintedDate date_before_time(std::string_view text) {
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (!is_of_ascii_word(text[at]) || (at > 0 && is_of_ascii_word(text[at - 1]))) continue;
    const PrintedDate date = date_in(text.substr(at));
    if (date.read && (at == 0 || date.year > 0)) return date;
  }
  return {};
}

/// Removes the marks that loggers print before a time: `[`, `"`.
std::string_view without_open_marks(std::string_view text) {
  text.remove_prefix(std::min(text.find_first_not_of("[\"'"), text.size()));
  return text;
}

/// Whether the text is a date as glog prints it, whose year is missing or not used: `I0131 `, `I20260131 `.
bool is_glog_date(std::string_view text) {
  const bool has_size = text.size() == 6 || text.size() == 10;
  return has_size && std::string_view{"IWEF"}.find(text.front()) != std::string_view::npos && text.ends_with(' ') &&
         text.find_first_not_of(digit_chars, 1) == text.size() - 1;
}

/// Returns the position of the first time of day in a text, whose hour may have one or two digits; npos if there is
/// none.
std::size_t find_clock(std::string_view text) {
  const auto digit_at = [text](std::size_t at) { return at < text.size() && is_digit(text[at]); };
  for (std::size_t colon = text.find(':'); colon != std::string_view::npos; colon = text.find(':', colon + 1)) {
    if (colon == 0 || !digit_at(colon - 1) || !digit_at(colon + 1) || !digit_at(colon + 2) || !digit_at(colon + 5) ||
        !digit_at(colon + 4) || text[colon + 3] != ':')
      continue;
    const std::size_t start = colon > 1 && digit_at(colon - 2) ? colon - 2 : colon - 1;
    if (start == 0 || !digit_at(start - 1)) return start;
  }
  return std::string_view::npos;
}

/// Adds twelve hours to a time of day if `PM` follows it, and subtracts them from `12:00:00 AM`.
void apply_noon(std::string_view behind, Timestamp& time) {
  constexpr std::int64_t noon = std::int64_t{12} * 3600 * 1'000'000;
  behind.remove_prefix(std::min(behind.find_first_not_of("0123456789:., "), behind.size()));
  if (behind.size() > 2 && is_of_ascii_word(behind[2])) return;  // other words: `AMD`, `PMIX`
  if (behind.starts_with("PM") && time.microseconds < noon) time.microseconds += noon;
  if (behind.starts_with("AM") && time.microseconds >= noon) time.microseconds -= noon;
}

/// Reads the first time of day with the date before it in one of date_forms. Without a valid date, the time counts only
/// at the start of `head` or after a date without a usable year, and only if the hour has two digits; else the result
/// is unknown.
Timestamp read_printed_time(std::string_view head) {
  constexpr std::int64_t micros_of_day = std::int64_t{24} * 3600 * 1'000'000;
  const std::size_t start = find_clock(head);
  if (start == std::string_view::npos || start > max_before) return {};
  const bool has_one_digit = head[start + 1] == ':';
  const std::string_view clock = head.substr(start);
  Timestamp time = read_timestamp(has_one_digit ? std::string("0").append(clock) : std::string(clock));
  if (time.microseconds < 0) return {};
  apply_noon(clock, time);
  const std::string_view before = without_open_marks(head.substr(0, start));
  const PrintedDate date = date_before_time(before);
  const int days = date.year > 0 ? days_of(date.year, date.month, date.day) : -1;
  if (days >= 0) return {days * micros_of_day + time.microseconds, true};
  return !has_one_digit && (before.empty() || date.read || is_glog_date(before)) ? time : Timestamp{};
}

/// Reads a time since 1970 at the start of the text: seconds, with or without a fraction, or milli-, micro- or
/// nanoseconds. Other numbers at the start of a line are counts, so only times in the years from 2017 to 2099 are
/// accepted.
Timestamp read_epoch(std::string_view text) {
  constexpr std::string_view year_2017 = "1483228800", year_2100 = "4102444800";
  constexpr std::size_t seconds = year_2017.size(), digits_of_micros = 16;
  if (text.empty() || text.front() < '1' || text.front() > '4') return {};
  const std::size_t size = std::min(text.find_first_not_of(digit_chars), text.size());
  if (size != seconds && size != seconds + 3 && size != digits_of_micros && size != seconds + 9) return {};
  std::size_t end = size;
  if (end < text.size() && text[end] == '.') end = std::min(text.find_first_not_of(digit_chars, end + 1), text.size());
  const std::string_view number = text.substr(0, seconds);
  const bool ends = end == text.size() || std::string_view{" \t,;|\"']"}.find(text[end]) != std::string_view::npos;
  if (!ends || number < year_2017 || number >= year_2100) return {};
  std::string micros(text.substr(0, size));
  if (end > size) micros.append(text.substr(size + 1, end - size - 1));
  micros.resize(digits_of_micros, '0');
  return read_timestamp(micros);
}

/// Whether a time is the value of a YAML member that is not the time of its entry: `receiveTimestamp: '2026-…'`.
bool is_other_member(std::string_view before, std::string_view behind) {
  const std::size_t colon = before.find(": ");
  if (colon == std::string_view::npos || before.find_first_not_of(" '\"", colon + 1) != std::string_view::npos ||
      behind.find_first_not_of("'\"\r") != std::string_view::npos)
    return false;
  return before.find(' ') > colon && !is_time_path(before.substr(0, colon));
}

Timestamp time_in_head(std::string_view head) {
  const Timestamp epoch = read_epoch(without_open_marks(head));
  if (epoch.microseconds >= 0) return epoch;
  Origin origin;
  origin.decoration = head;
  const std::string_view time = collected_at(origin);
  const auto before = time.empty() ? std::size_t{0} : static_cast<std::size_t>(time.data() - head.data());
  const Timestamp read = read_timestamp(time);
  if (!read.dated) return read_printed_time(head);
  return before > max_before || is_other_member(head.substr(0, before), head.substr(before + time.size())) ? Timestamp{}
                                                                                                           : read;
}

/// Returns the position at which the last cell of a row begins, including its quote; npos if the text is no row of
/// cells, or has only one cell.
std::size_t start_of_last_cell(std::string_view row) {
  if (!row.ends_with('"')) {
    const std::size_t comma = row.rfind(',');
    return comma == std::string_view::npos ? comma : comma + 1;
  }
  std::size_t quote = row.size() > 1 ? row.rfind('"', row.size() - 2) : std::string_view::npos;
  while (quote != std::string_view::npos && quote > 1 && row[quote - 1] == '"') quote = row.rfind('"', quote - 2);
  return quote == 0 || quote == std::string_view::npos || row[quote - 1] != ',' ? std::string_view::npos : quote;
}

/// Reads a time with a date from the last eight cells of a row, because exports such as Splunk's have `_time` after
/// `_raw`. In a row without quotes, only the last cell is read, because messages contain commas too.
Timestamp time_in_cells(std::string_view row) {
  constexpr int most_cells = 8;
  if (row.find(',') == std::string_view::npos) return {};
  row = trimmed_end(row);
  const int most = row.find(end_of_cell) == std::string_view::npos ? 1 : most_cells;
  for (int cell = 0; cell < most; ++cell) {
    const std::size_t start = start_of_last_cell(row);
    if (start == std::string_view::npos) return {};
    std::string_view text = row.substr(start);
    row = row.substr(0, start - 1);
    if (text.empty() || text.size() > max_cell || (text.front() != '"' && !is_digit(text.front()))) continue;
    if (text.size() > 1 && text.front() == '"') text = text.substr(1, text.size() - 2);
    const Timestamp time = time_in_head(text);
    if (time.dated) return time;
  }
  return {};
}

bool may_be_json(std::string_view line) {
  return line.size() > 1 && (line[0] == '{' || (line[0] == '[' && (line[1] == '{' || line[1] == '"')));
}

/// Returns the time of the first entry of a line of JSON; unknown if the line is no complete document.
Timestamp time_of_json(std::string_view line) {
  Timestamp time;
  JsonLines json(line.size());
  json.take(line, [&](const JsonLine& one) {
    if (time.microseconds < 0) time = time_of_field(one.fields.time);
  });
  return json.state() == JsonLines::State::closed ? time : Timestamp{};
}

/// Returns the part of a line in which its time must end. This part stops at the end of a quoted cell, because the line
/// may be the last line of a quoted message.
std::string_view head_of(std::string_view line) {
  line = line.substr(0, max_head);
  return line.substr(0, line.find(end_of_cell));
}

std::string_view without_indent(std::string_view line) {
  line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size()));
  return line;
}

}  // namespace

Timestamp time_of_field(std::string_view text) {
  const Timestamp time = read_timestamp(text);
  return time.microseconds >= 0 || text.empty() ? time : time_in_head(text);
}

Timestamp time_of_line(std::string_view line) {
  line = without_indent(line);
  if (may_be_json(line)) return time_of_json(line);
  const Timestamp time = time_in_head(head_of(line));
  return time.microseconds >= 0 ? time : time_in_cells(line);
}

bool begins_entry(std::string_view line) {
  if (line.starts_with('{')) return true;
  const std::string_view text = without_indent(line);
  if (may_be_json(text)) return time_of_json(text).microseconds >= 0;
  if (time_in_head(head_of(text)).microseconds >= 0) return true;
  const bool has_open_quote = std::ranges::count(line, '"') % 2 != 0;
  if (!has_open_quote) return time_in_cells(line).microseconds >= 0;
  return line.size() > 1 && line[0] == '"' && line[1] != '"' && line[1] != ',';
}

}  // namespace nccl_analyze
