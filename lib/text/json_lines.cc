// A tokenizer of JSON that keeps a stack of the open objects and arrays.

#include "text/json_lines.h"

#include <algorithm>

#include "text/decoration.h"
#include "text/line_scan.h"

namespace nccl_analyze {

namespace {

constexpr std::size_t max_depth = 64;
constexpr std::size_t max_name = 256;    // bytes of a key, a field, a number
constexpr std::size_t max_pending = 64;  // lines
constexpr std::size_t max_pending_bytes = std::size_t{1} << 16;

bool is_blank_of_json(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }

bool is_of_word(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || c == '-' || c == '+' || c == '.' || c == 'E' || c == 'N';
}

}  // namespace

std::size_t JsonLines::take(std::string_view text, const Sink& sink) {
  std::size_t at = 0;
  while (at < text.size() && state_ == State::open) {
    if (in_string_) {
      at += take_string(text.substr(at));
      if (pending_.size() > max_pending || pending_bytes_ > max_pending_bytes) {
        complete(0);
        flush(sink);
      }
    } else if (in_word_ || is_of_word(text[at])) {
      at += take_word(text.substr(at));
    } else if (is_blank_of_json(text[at])) {
      if (text[at] == '\n') ++newlines_;
      ++at;
    } else {
      take_mark(text[at], sink);
      if (state_ != State::wrong) ++at;
    }
  }
  return at;
}

std::size_t JsonLines::take_string(std::string_view text) {
  std::size_t at = 0;
  bool ended = false;
  for (; at < text.size() && !ended; ++at) {
    const char c = text[at];
    if (c == '\n') break;
    ended = c == '"' && !escaped_;
    escaped_ = c == '\\' && !escaped_;
  }
  const std::string_view part = text.substr(0, ended ? at - 1 : at);
  raw_truncated_ = raw_truncated_ || part.size() > max_string_ - raw_.size();
  raw_.append(part.substr(0, max_string_ - raw_.size()));
  if (ended)
    end_string();
  else if (at < text.size())
    state_ = State::wrong;
  return at;
}

std::size_t JsonLines::take_word(std::string_view text) {
  if (!in_word_ && next_ != Next::value && next_ != Next::value_or_end) {
    state_ = State::wrong;
    return 0;
  }
  in_word_ = true;
  std::size_t at = 0;
  while (at < text.size() && is_of_word(text[at])) ++at;
  raw_.append(text.substr(0, std::min(at, max_name - std::min(max_name, raw_.size()))));
  if (at < text.size()) end_word();
  return at;
}

void JsonLines::take_mark(char mark, const Sink& sink) {
  const bool wants_value = next_ == Next::value || next_ == Next::value_or_end;
  const bool wants_key = next_ == Next::key || next_ == Next::key_or_end;
  const bool may_end = next_ == Next::comma_or_end || next_ == Next::value_or_end || next_ == Next::key_or_end;
  if ((mark == '{' || mark == '[') && wants_value && frames_.size() < max_depth) return open(mark == '{');
  if (mark == '"' && !frames_.empty() && (wants_value || wants_key)) {
    in_string_ = true;
  } else if (mark == ':' && next_ == Next::colon) {
    next_ = Next::value;
  } else if (mark == ',' && next_ == Next::comma_or_end && !frames_.empty()) {
    next_ = top().object ? Next::key : Next::value;
  } else if (may_end && !frames_.empty() && mark == (top().object ? '}' : ']')) {
    close(sink);
  } else {
    state_ = State::wrong;
  }
}

void JsonLines::open(bool object) {
  Frame made;
  made.object = object;
  made.element = frames_.empty() || !top().object;
  if (!made.element) made.path = path_of_value();
  if (made.path.size() > max_name) made.path.erase(0, made.path.size() - max_name);
  if (!frames_.empty()) ++top().count;
  frames_.push_back(std::move(made));
  next_ = object ? Next::key_or_end : Next::value_or_end;
}

void JsonLines::close(const Sink& sink) {
  if (top().element) complete(frames_.size());
  const Frame closed = std::move(top());
  frames_.pop_back();
  next_ = Next::comma_or_end;
  if (frames_.empty()) {
    complete(0);
    state_ = State::closed;
  } else if (!closed.element) {
    top().fields.fill(closed.fields, true);
    if (top().key == "value" && !closed.value.empty()) top().value = closed.value;
  } else if (!closed.name.empty() && !closed.value.empty() && frames_.size() > 1) {
    frames_[frames_.size() - 2].fields.set(closed.name, closed.value);
  }
  flush(sink);
}

std::string JsonLines::path_of_value() const {
  const Frame& frame = frames_.back();
  if (!frame.object) return frame.path;
  return frame.path.empty() ? frame.key : (frame.path + '.').append(frame.key);
}

void JsonLines::end_string() {
  in_string_ = escaped_ = false;
  if (next_ == Next::key || next_ == Next::key_or_end) {
    unescape_json(std::string_view(raw_).substr(0, max_name), top().key);
    next_ = Next::colon;
  } else {
    unescape_json(raw_, unescaped_);
    add_value(unescaped_, true);
    next_ = Next::comma_or_end;
  }
  raw_.clear();
  raw_truncated_ = false;
}

void JsonLines::end_word() {
  in_word_ = false;
  if (raw_ == "true" || raw_ == "false" || raw_ == "null") {
    if (!frames_.empty()) ++top().count;
  } else if (raw_.find_first_not_of("0123456789+-.eE") == std::string::npos && !frames_.empty()) {
    add_value(raw_, false);
  } else {
    state_ = State::wrong;
  }
  raw_.clear();
  next_ = Next::comma_or_end;
}

void JsonLines::add_value(std::string_view value, bool is_string) {
  Frame& frame = top();
  if (frame.object && is_string && value.size() <= max_name) {
    if (frame.key == "key") frame.name = value;
    if (frame.key == "value" || frame.key == "stringValue") frame.value = value;
  }
  if (frame.object)
    frame.fields.set(path_of_value(), value);
  else if (frame.count == 0 && is_string && value.size() <= max_name && is_epoch(value))
    frame.fields.time = as_time(value);
  if (is_string && is_line(value)) {
    const auto entry = std::find_if(frames_.rbegin(), frames_.rend(), [](const Frame& one) { return one.element; });
    const auto depth = static_cast<std::size_t>(frames_.rend() - entry);
    if (!is_repeated(value, depth)) {
      pending_.push_back({{std::string(value), {}, newlines_, raw_truncated_}, depth});
      pending_bytes_ += value.size();
    }
  }
  ++frame.count;
}

bool JsonLines::is_line(std::string_view value) const {
  if (value.empty()) return false;
  const Frame& frame = frames_.back();
  const std::string path = path_of_value();
  if (frame.object ? is_line_path(path) : frame.count == 1 && !frame.fields.time.empty()) return true;
  return has_keyword(value) && path.find("annotation") == std::string::npos && path.find("label") == std::string::npos;
}

bool JsonLines::is_repeated(std::string_view value, std::size_t depth) const {
  return std::ranges::any_of(pending_, [&](const Pending& one) {
    if (one.depth != depth) return false;
    return one.line.text == value ||
           (find_marker(value) != std::string_view::npos &&
            (one.line.text.find(value) != std::string::npos || (find_marker(one.line.text) != std::string_view::npos &&
                                                                value.find(one.line.text) != std::string_view::npos)));
  });
}

/// Sets the fields of the pending lines at `depth` or deeper.
void JsonLines::complete(std::size_t depth) {
  for (Pending& one : pending_) {
    if (one.depth == 0 || one.depth < depth) continue;
    for (std::size_t i = frames_.size(); i > 0; --i) one.line.fields.fill(frames_[i - 1].fields, i >= one.depth);
    one.depth = 0;
  }
}

void JsonLines::flush(const Sink& sink) {
  const auto end = std::ranges::find_if(pending_, [](const Pending& one) { return one.depth != 0; });
  for (auto one = pending_.begin(); one != end; ++one) {
    pending_bytes_ -= one->line.text.size();
    sink(one->line);
  }
  pending_.erase(pending_.begin(), end);
}

void JsonLines::finish(const Sink& sink) {
  const bool in_value = next_ == Next::value || next_ == Next::value_or_end;
  if (in_string_ && in_value) end_string();
  complete(0);
  flush(sink);
}

void JsonLines::drop_line() {
  std::erase_if(pending_, [this](const Pending& one) { return one.line.line == newlines_; });
}

}  // namespace nccl_analyze
