#include "text/traceback.h"

#include <algorithm>

#include "text/blanks.h"
#include "text/decoration.h"
#include "text/digits.h"

namespace nccl_analyze {

namespace {

constexpr int max_traceback = 200;
constexpr int max_announced = 3;                                    // lines between an announcement and its traceback
constexpr std::size_t max_before_head = 256, max_class_name = 128;  // bytes

constexpr std::string_view traceback_head = "Traceback (most recent call last):";
constexpr std::string_view traceback_frame = "  File \"";

bool begins_name(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_capital(char c) { return c >= 'A' && c <= 'Z'; }
bool is_name_part(char c) { return begins_name(c) || is_digit(c) || c == '.'; }

/// Whether the text is one or more names with dots between them.
bool is_dotted_name(std::string_view text) {
  bool begins = true;
  for (const char c : text) {
    if (begins ? !begins_name(c) : !is_name_part(c)) return false;
    begins = c == '.';
  }
  return !begins;
}

/// Whether the last part of a name has the form of an exception class: it begins with a capital, except in some of
/// Python's own modules (`socket.timeout`). In a name without dots, it must also end like an exception class.
bool is_exception_class(std::string_view name) {
  constexpr std::string_view endings[] = {"Error",   "Exception", "Exit",    "Interrupt",   "Iteration",
                                          "Failure", "Failed",    "Timeout", "VanishedRank"};
  constexpr std::string_view small[] = {"error", "timeout", "herror", "gaierror"};
  const std::size_t dot = name.rfind('.');
  const std::string_view last = dot == std::string_view::npos ? name : name.substr(dot + 1);
  if (dot != std::string_view::npos)
    return is_capital(last.front()) || std::ranges::find(small, last) != std::end(small);
  return is_capital(last.front()) &&
         std::ranges::any_of(endings, [&](std::string_view ending) { return last.ends_with(ending); });
}

/// What Python and its logging print before an exception that ends no process.
struct Announcement {
  std::string_view words;
  bool ended_nothing = false;  ///< False for the end of a thread, for which the others may wait.
};
constexpr Announcement announcements[] = {
    {"Exception ignored in", true}, {"--- Logging error ---", true}, {"Exception in thread ", false}};

/// Whether Python links the traceback before this line to the one behind it.
bool links_tracebacks(std::string_view line) {
  return line.find("During handling of the above exception") != std::string_view::npos ||
         line.find("was the direct cause of the following exception") != std::string_view::npos;
}

}  // namespace

RaisedLine read_raised(std::string_view text) {
  text = trimmed_end(text);
  const std::size_t end = std::min(text.find(':'), text.size());
  const std::string_view name = text.substr(0, end), behind = text.substr(std::min(end + 1, text.size()));
  if (name.empty() || name.size() > max_class_name || !is_dotted_name(name) || !is_exception_class(name)) return {};
  if (!behind.empty() && !is_blank(behind.front())) return {};
  const std::string_view words = trimmed(behind);
  const bool is_success = name == "SystemExit" && (words.empty() || words == "0");
  return is_success ? RaisedLine{} : RaisedLine{name, words, false};
}

void TracebackReader::announce(std::string_view line) {
  for (const Announcement& one : announcements) {
    const std::size_t at = line.find(one.words);
    if (at == std::string_view::npos || at > max_before_head) continue;
    harmless_left_ = max_announced + 1;
    announced_.assign(line.substr(0, at));
    ended_nothing_ = one.ended_nothing;
  }
}

bool TracebackReader::begin(std::string_view line, bool keyword) {
  if (keyword) announce(line);
  if (harmless_left_ > 0) --harmless_left_;
  const std::size_t at = keyword ? line.find(traceback_head) : std::string_view::npos;
  if (at == std::string_view::npos || at > max_before_head || trimmed_end(line).size() != at + traceback_head.size())
    return false;
  decoration_.assign(line.substr(0, at));
  // With other decoration it may be another rank's, or the time stamp is a later one: only rows then read its
  // exception.
  is_harmless_ = harmless_left_ > 0 && ended_nothing_ && decoration_ == announced_;
  lines_left_ = harmless_left_ == 0 || is_harmless_ ? max_traceback : 0;
  harmless_left_ = 0;
  has_frame_ = false;
  return true;
}

RaisedLine TracebackReader::take(std::string_view line) {
  if (chain_left_ > 0 && --chain_left_ > 0 && links_tracebacks(line)) harmless_left_ = max_announced + 1;
  if (lines_left_ == 0) return take_announced(line);
  if (--lines_left_ == 0) return {};
  const std::string_view own = without_decoration_like(line, decoration_);
  if (!decoration_.empty() && own.size() == line.size()) return {};
  if (own.starts_with(traceback_frame)) has_frame_ = true;
  RaisedLine raised = has_frame_ ? read_raised(own) : RaisedLine{};
  if (!raised) return {};
  lines_left_ = 0;
  raised.harmless = is_harmless_;
  if (is_harmless_) chain_left_ = max_announced + 1;
  return raised;
}

RaisedLine TracebackReader::take_announced(std::string_view line) {
  if (harmless_left_ == 0 || !ended_nothing_ || !line.starts_with(announced_)) return {};
  RaisedLine raised = read_raised(line.substr(announced_.size()));
  if (!raised) return {};
  harmless_left_ = 0;
  raised.harmless = true;
  return raised;
}

}  // namespace nccl_analyze
