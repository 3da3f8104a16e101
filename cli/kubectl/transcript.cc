// Cuts the output of kubectl into lines and finds the stream of each.

#include "cli/kubectl/transcript.h"

#include <algorithm>
#include <array>

namespace nccl_analyze::kubectl {

namespace {

constexpr std::size_t longest_line = std::size_t{1} << 20;  // bytes of a line that are kept in memory
constexpr std::string_view prefix_begin = "[pod/", error_begin = "error: ";

bool holds_any(std::string_view text, const auto& parts) {
  return std::ranges::any_of(parts, [&](std::string_view part) { return text.find(part) != std::string_view::npos; });
}

/// Whether the line ends with an error of kubectl about a connection that broke off.
bool ends_like_error(std::string_view line) {
  constexpr std::array<std::string_view, 9> breaks{"EOF",
                                                   "read tcp",
                                                   "stream error",
                                                   "http2:",
                                                   "i/o timeout",
                                                   "net/http:",
                                                   "context deadline",
                                                   "connection reset",
                                                   "client connection lost"};
  const std::size_t at = line.rfind(error_begin);
  return at != std::string_view::npos && holds_any(line.substr(at), breaks);
}

/// Whether the message only says that a container has no log.
bool is_harmless(std::string_view message) {
  constexpr std::array<std::string_view, 2> words{"waiting to start", "previous terminated container"};
  return holds_any(message, words);
}

}  // namespace

LogsOutputParser::LogsOutputParser(const Batch& batch, Streams& streams) : batch_(batch), streams_(streams) {
  for (const StreamName& name : batch.streams) streams.begin(name);
}

void LogsOutputParser::feed(std::string_view bytes) {
  while (!bytes.empty()) {
    const std::size_t end = bytes.find('\n');
    const std::string_view part = bytes.substr(0, end == std::string_view::npos ? end : end + 1);
    bytes.remove_prefix(part.size());
    if (in_long_line_) {
      if (current_ != nullptr) streams_.add_rest(*current_, part);
      in_long_line_ = end == std::string_view::npos;
    } else if (end == std::string_view::npos && rest_.size() + part.size() <= longest_line) {
      rest_ += part;
    } else if (rest_.empty() && end != std::string_view::npos) {
      take_line(part);
    } else {
      rest_ += part;
      take_line(rest_);
      rest_.clear();
      in_long_line_ = end == std::string_view::npos;
    }
  }
}

void LogsOutputParser::end(std::string_view failure, bool last_try) {
  if (!failure.empty()) take_message(failure);
  if (in_long_line_ && current_ != nullptr) streams_.add_rest(*current_, "\n");
  if (!rest_.empty() && (last_try || (broken_.empty() && error_.empty()))) take_line(rest_ + '\n');
  if (!last_try) return;
  for (const auto& [name, line] : held_) streams_.add(name, line, {});
}

std::size_t LogsOutputParser::read_prefix(std::string_view line, StreamName& name) const {
  if (!line.starts_with(prefix_begin)) return 0;
  const std::size_t slash = line.find('/', prefix_begin.size());
  const std::size_t close = slash == std::string_view::npos ? slash : line.find("] ", slash);
  if (close == std::string_view::npos) return 0;
  name = {batch_.name_space, std::string(line.substr(prefix_begin.size(), slash - prefix_begin.size())),
          std::string(line.substr(slash + 1, close - slash - 1)), batch_.previous};
  return close + 2;
}

std::size_t LogsOutputParser::find_next(std::string_view line, std::size_t from, const StreamName& own) const {
  StreamName name;
  for (std::size_t at = line.find(prefix_begin, from); at != std::string_view::npos;
       at = line.find(prefix_begin, at + 1)) {
    const std::size_t size = read_prefix(line.substr(at), name);
    const std::string_view time = size == 0 || name == own ? std::string_view{} : leading_time(line.substr(at + size));
    if (time.empty() || !std::ranges::binary_search(batch_.streams, name)) continue;
    if (!seen_.contains(name) || streams_.may_follow(name, time)) return at;
  }
  return std::string_view::npos;
}

void LogsOutputParser::take_line(std::string_view line) {
  StreamName name;
  const std::size_t size = read_prefix(line, name);
  if (size == 0) return take_message(line);
  const auto known = std::ranges::lower_bound(batch_.streams, name);
  current_ = known != batch_.streams.end() && *known == name ? &*known : nullptr;
  const std::size_t next = find_next(line, size, name);
  if (current_ != nullptr) {
    const std::string_view time = leading_time(line.substr(size));
    if (next == std::string_view::npos)
      take(*current_, line, time);
    else
      take(*current_, std::string(line.substr(0, next)) + '\n', time);
  }
  if (next != std::string_view::npos) take_line(line.substr(next));
}

void LogsOutputParser::take(const StreamName& name, std::string_view line, std::string_view time) {
  seen_.insert(name);
  if (const auto held = held_.find(name); held != held_.end()) {
    const std::string before = std::move(held->second);
    held_.erase(held);
    broken_.erase(name);
    StreamName same;
    streams_.add(name, before, leading_time(std::string_view(before).substr(read_prefix(before, same))));
  }
  if (ends_like_error(line) && streams_.doubt(name, time)) {
    held_[name] = line;
    broken_.insert(name);
    return;
  }
  streams_.add(name, line, time);
}

void LogsOutputParser::take_message(std::string_view message) {
  if (is_harmless(message)) return;
  constexpr std::size_t longest = 300;
  error_ = message.substr(0, std::min(message.find('\n'), longest));
  if (current_ != nullptr) broken_.insert(*current_);
}

}  // namespace nccl_analyze::kubectl
