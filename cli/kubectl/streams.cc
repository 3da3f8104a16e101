// Compares time stamps to drop the lines that a repeated call prints again.

#include "cli/kubectl/streams.h"

#include <algorithm>
#include <array>
#include <ctime>

namespace nccl_analyze::kubectl {

namespace {

constexpr std::string_view seconds_form = "0000-00-00T00:00:00";

bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// Returns a key whose alphabetical order is the order of time. Container runtimes leave out trailing zeros of the
/// fraction.
std::string sort_key(std::string_view time) {
  std::string key(time.substr(0, seconds_form.size()));
  std::string_view rest = time.substr(key.size());
  std::string digits;
  if (rest.starts_with('.')) {
    rest.remove_prefix(1);
    digits = rest.substr(0, static_cast<std::size_t>(std::ranges::find_if_not(rest, is_digit) - rest.begin()));
  }
  constexpr std::size_t nanoseconds = 9;
  digits.resize(nanoseconds, '0');
  return key + digits;
}

}  // namespace

void Streams::begin(const StreamName& name) {
  Stream& stream = streams_[name];
  stream.repeating = !stream.last.empty();
  stream.repeated = 0;
}

bool Streams::doubt(const StreamName& name, std::string_view time) {
  std::string& doubted = streams_[name].doubted;
  // A line without a time stamp may have been cut, so it is always held back.
  if (!time.empty() && doubted == time) return false;
  doubted = time;
  return true;
}

bool Streams::may_follow(const StreamName& name, std::string_view time) const {
  const Stream* const stream = find(name);
  return stream == nullptr || stream->last.empty() || sort_key(time) >= sort_key(stream->last);
}

const Stream* Streams::find(const StreamName& name) const {
  const auto found = streams_.find(name);
  return found == streams_.end() ? nullptr : &found->second;
}

void Streams::add(const StreamName& name, std::string_view line, std::string_view time) {
  Stream& stream = streams_[name];
  const auto order =
      stream.last.empty() || time.empty() ? std::strong_ordering::greater : sort_key(time) <=> sort_key(stream.last);
  if (stream.repeating && order < 0) return;
  if (stream.repeating && order == 0 && stream.repeated < stream.times) {
    stream.repeating = ++stream.repeated < stream.times;
    return;
  }
  if (stream.repeating && stream.repeated == 0) stream.gap = true;
  stream.repeating = false;
  if (order == 0) {
    ++stream.times;
  } else if (order > 0 && !time.empty()) {
    stream.last = time;
    stream.times = 1;
  }
  ++stream.lines;
  sink_(name, line);
}

std::string_view leading_time(std::string_view text) {
  if (text.size() < seconds_form.size()) return {};
  for (std::size_t i = 0; i < seconds_form.size(); ++i)
    if (seconds_form[i] == '0' ? !is_digit(text[i]) : text[i] != seconds_form[i]) return {};
  const std::string_view time = text.substr(0, text.find(' '));
  constexpr std::size_t longest = 40;
  constexpr std::string_view rest = "0123456789.:+-Z";
  const bool fits =
      time.size() <= longest && time.find_first_not_of(rest, seconds_form.size()) == std::string_view::npos;
  return fits && time.size() < text.size() && time.size() > seconds_form.size() ? time : std::string_view{};
}

std::string shortly_before(std::string_view time) {
  constexpr std::time_t shortly = 2;
  if (leading_time(std::string(time) + " ").empty()) return {};
  std::tm parts{};
  if (::strptime(std::string(time.substr(0, seconds_form.size())).c_str(), "%Y-%m-%dT%H:%M:%S", &parts) == nullptr)
    return {};
  const std::time_t before = ::timegm(&parts) - shortly;
  std::array<char, 32> text{};
  const std::size_t size =
      ::gmtime_r(&before, &parts) == nullptr ? 0 : std::strftime(text.data(), text.size(), "%Y-%m-%dT%H:%M:%S", &parts);
  const std::size_t zone = time.find_first_of("Z+-", seconds_form.size());
  return zone == std::string_view::npos ? std::string()
                                        : std::string(text.data(), size) + std::string(time.substr(zone));
}

}  // namespace nccl_analyze::kubectl
