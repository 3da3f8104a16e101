// Recognises wrappers by the form of their first words, and other decoration word by word.

#include "text/wrapper.h"

#include <algorithm>

#include "text/blanks.h"
#include "text/digits.h"

namespace nccl_analyze {

namespace {

constexpr std::size_t max_wrapper = 128;  // bytes

/// Whether the word begins with a time of day: `10:00:00`.
bool is_time_of_day(std::string_view word) {
  return word.size() >= 8 && is_digit(word[0]) && is_digit(word[1]) && word[2] == ':' && is_digit(word[3]) &&
         is_digit(word[4]) && word[5] == ':' && is_digit(word[6]) && is_digit(word[7]);
}

/// Whether the word is a date with a time of the day: `2026-01-31T10:00:00.123Z`.
bool is_timestamp(std::string_view word) {
  constexpr std::size_t date = 11;
  return word.size() > date && word[4] == '-' && word[7] == '-' && (word[10] == 'T' || word[10] == 't') &&
         is_time_of_day(word.substr(date));
}

bool is_month(std::string_view word) {
  constexpr std::string_view months[] = {"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                         "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
  return std::ranges::find(months, word) != std::end(months);
}

/// Whether the word names a program and its pid as syslog does: `python[123]:`.
bool is_printer(std::string_view word) {
  const std::size_t open = word.find('[');
  if (open == 0 || open == std::string_view::npos || !word.ends_with("]:")) return false;
  const std::string_view pid = word.substr(open + 1, word.size() - open - 3);
  return !pid.empty() && std::ranges::all_of(pid, is_digit);
}

/// Returns the length of a stream's name such as `<stderr>:` at the start of the text; 0 if there is none.
std::size_t stream_size(std::string_view text) {
  constexpr std::string_view streams[] = {"<stdout>:", "<stderr>:", "<stddiag>:"};
  for (const std::string_view stream : streams)
    if (text.starts_with(stream)) return stream.size();
  return 0;
}

/// Returns the text after syslog's `Nov 25 10:00:00 node1 python[123]: `; all of `text` if it does not begin with that.
std::string_view behind_syslog(std::string_view text) {
  std::string_view rest = text;
  std::string_view word = take_column(rest);
  if (is_month(word)) {
    const std::string_view day = take_column(rest);
    if (day.empty() || day.size() > 2 || !std::ranges::all_of(day, is_digit)) return text;
    if (!is_time_of_day(take_column(rest))) return text;
  } else if (!is_timestamp(word)) {
    return text;
  }
  take_column(rest);  // the host
  return is_printer(take_column(rest)) ? rest : text;
}

/// Returns the text after the container runtime's `2026-01-31T10:00:00.1Z stderr F `; all of `text` if it does not
/// begin with that.
std::string_view behind_stream(std::string_view text) {
  std::string_view rest = text;
  if (!is_timestamp(take_column(rest))) return text;
  const std::string_view stream = take_column(rest);
  if (stream != "stdout" && stream != "stderr") return text;
  const std::size_t mark = rest.starts_with("F ") || rest.starts_with("P ") ? 2 : 0;
  return mark > 0 ? rest.substr(mark) : text;
}

/// Returns the text after `[1,0]<stderr>:` or the kernel's `[Mon Nov 24 10:00:00 2025] `; all of `text` if it does not
/// begin with that.
std::string_view behind_brackets(std::string_view text) {
  const std::size_t close = text.starts_with('[') ? text.find(']') : std::string_view::npos;
  if (close == std::string_view::npos || close > max_wrapper) return text;
  const std::string_view behind = text.substr(close + 1);
  if (const std::size_t stream = stream_size(behind); stream > 0) return behind.substr(stream);
  std::string_view inside = text.substr(1, close - 1);
  const std::string_view day = take_column(inside);
  return day.size() == 3 && is_month(take_column(inside)) && behind.starts_with(' ') ? behind.substr(1) : text;
}

/// Whether launchers, collectors and loggers print words like `word` before a message: brackets, a time, a rank or a
/// level.
bool is_decoration_word(std::string_view word) {
  constexpr std::string_view levels[] = {"ERROR", "E", "F", "P", "|", "-", ">", "stderr", "stdout", "[stderr]"};
  return word.empty() || word.front() == '[' || word.front() == '(' || word.back() == ']' || word.back() == ')' ||
         word.back() == ':' || std::any_of(word.begin(), word.end(), is_digit) ||
         std::find(std::begin(levels), std::end(levels), word) != std::end(levels);
}

/// Returns the end of the brackets at the start of a word, including a colon after them: the end of `[rank0|0]:` in
/// `[rank0|0]:ncclSocketInit:`. Without brackets, returns the end of the word.
std::size_t bracket_end(std::string_view word) {
  const std::size_t close = word.front() == '[' ? word.find(']') : word.front() == '(' ? word.find(')') : word.size();
  if (close >= word.size()) return word.size();
  return close + (word.substr(close + 1, 1) == ":" ? 2 : 1);
}

}  // namespace

std::size_t wrapper_size(std::string_view line) {
  for (std::string_view (*const behind)(std::string_view) : {behind_syslog, behind_stream, behind_brackets})
    if (const std::string_view rest = behind(line); rest.size() < line.size()) return line.size() - rest.size();
  return 0;
}

std::string_view without_decoration(std::string_view line) {
  while (true) {
    line = trimmed(line);
    line = trimmed(line.substr(wrapper_size(line)));
    const std::size_t end = line.find(' ');
    if (end == std::string_view::npos) return line;
    const std::string_view word = line.substr(0, end);
    // `[rank3]: ` and `10: ` are decoration, but `RuntimeError: ` is not.
    const bool name = word.back() == ':' && std::none_of(word.begin(), word.end(),
                                                         [](char c) { return is_digit(c) || c == '[' || c == '('; });
    if (name || !is_decoration_word(word)) return line;
    line.remove_prefix(word.empty() ? end : bracket_end(word));
  }
}

}  // namespace nccl_analyze
