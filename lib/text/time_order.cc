#include "text/time_order.h"

#include <algorithm>

#include "text/json_lines.h"
#include "text/line_time.h"

namespace nccl_analyze {

namespace {

bool is_json(std::string_view line) { return !line.empty() && (line.front() == '{' || line.front() == '['); }

/// Whether the text begins with a JSON document of more than one line.
bool begins_document(std::string_view text) {
  JsonLines json(text.size());
  const std::string_view line = text.substr(0, text.find('\n'));
  json.take(line, [](const JsonLine&) {});
  return is_json(line) && json.state() == JsonLines::State::open;
}

}  // namespace

void TimeOrder::add(Timestamp time) {
  if (time.microseconds < 0) return;
  if (first_.microseconds < 0) first_ = time;
  // A larger step means that a number at the start of a line was mistaken for a time.
  constexpr std::int64_t longest_step = std::int64_t{31} * 24 * 3600 * 1'000'000;
  const std::int64_t step = time.microseconds - last_.microseconds;
  if (last_.microseconds >= 0 && last_.dated == time.dated && step < longest_step && step > -longest_step) {
    back_ += step < 0 ? 1 : 0;
    forward_ += step > 0 ? 1 : 0;
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
