#include "text/time_order.h"

#include <algorithm>
#include <array>

#include "nccl_analyze/model/line.h"
#include "text/digits.h"
#include "text/json_lines.h"

namespace nccl_analyze {

namespace {

constexpr std::size_t max_before = 64;  // bytes of a line before its time
constexpr std::size_t max_head = 160;   // bytes of a line in which its time must end

bool is_json(std::string_view line) { return !line.empty() && (line.front() == '{' || line.front() == '['); }

/// Whether a time of day without a date of digits begins behind this text: `Jan 31 `, `I0131 `, `[`.
bool may_precede_time(std::string_view before) {
  while (!before.empty() && (before.front() == '[' || before.front() == '"')) before.remove_prefix(1);
  const auto is_digit_at = [before](std::size_t at) { return is_digit(before[at]); };
  if (before.empty()) return true;
  if (before.back() != ' ') return false;
  const bool glog = before.size() == 6 && std::string_view{"IWEF"}.find(before[0]) != std::string_view::npos &&
                    is_digit_at(1) && is_digit_at(2) && is_digit_at(3) && is_digit_at(4);
  const bool syslog = before.size() == 7 && before[3] == ' ' && (before[4] == ' ' || is_digit_at(4)) && is_digit_at(5);
  return glog || syslog;
}

/// The time of the first entry of a line of JSON; unknown if the line is no document.
Timestamp time_of_json(std::string_view line) {
  Timestamp time;
  JsonLines json(line.size());
  json.take(line, [&](const JsonLine& one) {
    if (time.microseconds < 0) time = read_timestamp(one.fields.time);
  });
  return json.state() == JsonLines::State::closed ? time : Timestamp{};
}

/// Whether the text begins with a JSON document that its first line does not end.
bool begins_document(std::string_view text) {
  JsonLines json(text.size());
  const std::string_view line = text.substr(0, text.find('\n'));
  json.take(line, [](const JsonLine&) {});
  return is_json(line) && json.state() == JsonLines::State::open;
}

}  // namespace

Timestamp time_of_line(std::string_view line) {
  line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size()));
  if (is_json(line) && line.size() > 1 && (line[1] == '{' || line[1] == '"' || line[0] == '{'))
    return time_of_json(line);
  Origin origin;
  origin.decoration = line.substr(0, max_head);
  const std::string_view time = collected_at(origin);
  if (time.empty()) return {};
  const std::string_view before = line.substr(0, static_cast<std::size_t>(time.data() - line.data()));
  const Timestamp read = read_timestamp(time);
  return before.size() <= max_before && (read.dated || may_precede_time(before)) ? read : Timestamp{};
}

void TimeOrder::add(Timestamp time) {
  if (time.microseconds < 0) return;
  if (first_.microseconds < 0) first_ = time;
  if (last_.microseconds >= 0 && last_.dated == time.dated) {
    back_ += time.microseconds < last_.microseconds ? 1 : 0;
    forward_ += time.microseconds > last_.microseconds ? 1 : 0;
  }
  last_ = time;
}

bool TimeOrder::newest_first() const {
  constexpr std::size_t few = 3, share = 8;
  return back_ >= few && back_ >= share * forward_ && last_.microseconds < first_.microseconds;
}

bool OrderProbe::newest_first(bool ended) const {
  std::string_view text = head_;
  text.remove_prefix(std::min(text.find_first_not_of(" \t\r\n"), text.size()));
  if (begins_document(text)) return false;
  TimeOrder order;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    if (end == std::string_view::npos && !ended) break;
    order.add(time_of_line(text.substr(0, end)));
    text.remove_prefix(std::min(end, text.size() - 1) + 1);
  }
  return order.newest_first();
}

}  // namespace nccl_analyze
