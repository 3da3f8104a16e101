// A line that begins with `{` or `[` and does not end its JSON begins a document. A document ends at the first byte
// that cannot belong to it; the line with that byte is read as a line of the log.

#include "parser/json_documents.h"

#include <algorithm>
#include <utility>

namespace nccl_analyze {

namespace {

constexpr std::string_view json_blanks = " \t\r\n";

bool begins_as_json(std::string_view line) {
  const std::size_t first = line.find_first_not_of(json_blanks);
  return first != std::string_view::npos && (line[first] == '{' || line[first] == '[');
}

bool ends_as_json(std::string_view line) {
  const std::size_t last = line.find_last_not_of(json_blanks);
  return last != std::string_view::npos && (line[last] == '}' || line[last] == ']');
}

bool is_all_blank(std::string_view text) { return text.find_first_not_of(json_blanks) == std::string_view::npos; }

}  // namespace

void JsonDocuments::feed(std::string_view text, const Parts& parts) {
  while (!text.empty()) {
    switch (state_) {
      case State::line_start:
        text.remove_prefix(take_lines(text, parts));
        break;
      case State::rest_of_line:
        text.remove_prefix(take_rest(text, parts));
        break;
      case State::document:
        text.remove_prefix(take_document(text, parts));
        break;
      case State::off:
        return parts.text(text);
    }
  }
}

/// Passes on the lines at the start of `text` that certainly begin no document. If there are none, keeps the first
/// line, or the part of it that `text` has, for decide(). Returns the number of bytes that it took from `text`.
std::size_t JsonDocuments::take_lines(std::string_view text, const Parts& parts) {
  std::size_t run = 0;
  while (head_.empty() && !first_) {
    const std::size_t end = text.find('\n', run);
    if (end == std::string_view::npos || end - run >= max_line_) break;
    const std::string_view line = text.substr(run, end - run);
    if (begins_as_json(line) && !ends_as_json(line)) break;
    run = end + 1;
  }
  if (run > 0) {
    parts.text(text.substr(0, run));
    return run;
  }
  const std::size_t end = std::min(text.find('\n'), text.size() - 1) + 1;
  const std::size_t taken = std::min(end, max_line_ - head_.size());
  head_.append(text.substr(0, taken));
  if (head_.back() == '\n' || head_.size() == max_line_) decide(parts);
  return taken;
}

/// Decides whether the kept line begins a document or is a line of the log. If it is the source's first line with text
/// and is not JSON, no further line is examined.
void JsonDocuments::decide(const Parts& parts) {
  const std::string line = std::exchange(head_, {});
  const bool is_json = begins_as_json(line);
  JsonLines trial(max_line_);
  const std::size_t taken = is_json ? trial.take(line, [](const JsonLine&) {}) : 0;
  // After the first line, a line that ends with a bracket begins no document: take_lines() passes it on unparsed.
  const bool may_go_on = first_ || line.back() != '\n' || !ends_as_json(line);
  const bool is_open = is_json && may_go_on && trial.state() == JsonLines::State::open;
  const bool is_closed = is_json && trial.state() == JsonLines::State::closed;
  const bool is_blank_line = is_all_blank(line);
  if (first_ && !is_blank_line && !is_open && !(is_closed && is_all_blank(std::string_view(line).substr(taken)))) {
    state_ = State::off;
    return parts.text(line);
  }
  first_ = first_ && is_blank_line;
  if (is_open) {
    state_ = State::document;
    json_.emplace(max_line_);
    line_.clear();
    line_is_whole_ = true;
    parts.begin();
    take_document(line, parts);
  } else {
    state_ = line.back() == '\n' ? State::line_start : State::rest_of_line;
    parts.text(line);
  }
}

std::size_t JsonDocuments::take_rest(std::string_view text, const Parts& parts) {
  const std::size_t newline = text.find('\n');
  const std::size_t size = std::min(newline, text.size() - 1) + 1;
  if (newline != std::string_view::npos) state_ = State::line_start;
  parts.text(text.substr(0, size));
  return size;
}

std::size_t JsonDocuments::take_document(std::string_view text, const Parts& parts) {
  const std::size_t size = json_->take(text, parts.line);
  keep_line(text.substr(0, size));
  if (json_->state() == JsonLines::State::closed) {
    json_->finish(parts.line);
    parts.end(json_->newlines());
    parts.text("}");  // stands for the last line of the document, which other text may follow
    state_ = State::rest_of_line;
  } else if (json_->state() == JsonLines::State::wrong) {
    give_back(parts);
  }
  return size;
}

void JsonDocuments::keep_line(std::string_view text) {
  if (const std::size_t newline = text.rfind('\n'); newline != std::string_view::npos) {
    text.remove_prefix(newline + 1);
    line_.clear();
    line_is_whole_ = true;
  }
  line_is_whole_ = line_is_whole_ && text.size() <= max_line_ - line_.size();
  line_.append(text.substr(0, max_line_ - line_.size()));
}

/// Ends the document before the current line, which is then read as a line of the log. If only a part of that line was
/// kept, it stays in the document.
void JsonDocuments::give_back(const Parts& parts) {
  if (line_is_whole_) json_->drop_line();
  json_->finish(parts.line);
  parts.end(json_->newlines());
  if (line_is_whole_) parts.text(line_);
  state_ = State::rest_of_line;
}

void JsonDocuments::finish(const Parts& parts) {
  if (state_ == State::document) give_back(parts);
  if (!head_.empty()) parts.text(std::exchange(head_, {}));
  state_ = State::off;
}

}  // namespace nccl_analyze
