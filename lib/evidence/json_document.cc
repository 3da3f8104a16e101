#include "evidence/json_document.h"

#include <algorithm>
#include <iterator>
#include <nlohmann/json.hpp>
#include <optional>

#include "evidence/formats.h"
#include "evidence/json_parse.h"
#include "evidence/json_text.h"
#include "evidence/json_values.h"

namespace nccl_analyze::evidence {

namespace {

constexpr std::size_t max_head = std::size_t{1} << 16;  // bytes that decide on the format
constexpr std::size_t max_bytes = std::size_t{1} << 26;

std::size_t skip_blanks(std::string_view text, std::size_t from) {
  return std::min(text.find_first_not_of(" \t\r\n", from), text.size());
}

/// The key of the first member of an object that `text` begins with. Empty when the text begins otherwise; no value
/// while the key is incomplete.
std::optional<std::string_view> first_key(std::string_view text) {
  const std::size_t open = skip_blanks(text, 0);
  if (open == text.size()) return std::nullopt;
  if (text[open] != '{') return std::string_view{};
  const std::size_t quote = skip_blanks(text, open + 1);
  if (quote == text.size()) return std::nullopt;
  if (text[quote] != '"') return std::string_view{};
  const std::size_t end = text.find('"', quote + 1);
  if (end == std::string_view::npos) return std::nullopt;
  return text.substr(quote + 1, end - quote - 1);
}

bool begins_with_known_key(std::string_view key) {
  return std::ranges::any_of(json_formats(), [&](const JsonFormat& format) { return format.first_key == key; });
}

const JsonFormat* format_of(std::string_view head, std::string_view key) {
  const auto formats = json_formats();
  const auto found = std::ranges::find_if(formats, [&](const JsonFormat& format) {
    return format.first_key == key && head.find(format.sign) != std::string_view::npos;
  });
  return found == formats.end() ? nullptr : &*found;
}

/// Whether the first line of the text is complete and ends with the outermost object, as in a file of one object a
/// line.
bool is_line_of_json(std::string_view text) {
  const std::size_t newline = text.find('\n', skip_blanks(text, 0));
  if (newline == std::string_view::npos) return false;
  const std::size_t last = text.find_last_not_of(" \t\r", newline - 1);
  return last != std::string_view::npos && text[last] == '}';
}

/// The size of the first document of a text to which several were appended, each with the braces of its outermost
/// object at the start of a line.
std::size_t end_of_document(std::string_view text) {
  constexpr std::string_view border = "\n}\n{";
  const std::size_t at = text.find(border);
  return at == std::string_view::npos ? text.size() : at + border.size() - 1;
}

}  // namespace

JsonSource::State JsonSource::take(std::string_view bytes) {
  if (state_ == State::document) {
    too_large_ = too_large_ || text_.size() + bytes.size() > max_bytes;
    if (!too_large_) text_ += bytes;
    return state_;
  }
  text_ += bytes;
  const std::string_view head = std::string_view(text_).substr(0, max_head);
  const bool all = head.size() == max_head;
  const std::optional<std::string_view> key = first_key(head.substr(0, std::min<std::size_t>(head.size(), 1024)));
  if (!key && head.size() < 1024) return state_;
  if (!key || !begins_with_known_key(*key)) return state_ = State::other;
  format_ = format_of(head, *key);
  if (format_ != nullptr) return state_ = State::document;
  return state_ = all || is_line_of_json(head) ? State::other : State::undecided;
}

bool JsonSource::read(Facts& facts) const {
  if (too_large_ || format_ == nullptr) return false;
  std::uint64_t lines_before = 0;
  for (std::string_view rest = text_; !rest.empty();) {
    const std::string_view text = rest.substr(0, end_of_document(rest));
    const std::optional<Json> document = parse_json(text);
    if (!document) return false;
    Facts own;
    JsonText source(text, lines_before);
    format_->read(*document, source, own);
    std::ranges::move(own, std::back_inserter(facts));
    lines_before += static_cast<std::uint64_t>(std::ranges::count(text, '\n'));
    rest.remove_prefix(text.size());
  }
  return true;
}

bool read_json_line(std::string_view line, std::uint64_t number, Facts& facts) {
  const std::optional<std::string_view> key = first_key(line.substr(0, 1024));
  if (!key || key->empty()) return false;
  const JsonFormat* const format = format_of(line.substr(0, max_head), *key);
  const std::optional<Json> document = format == nullptr ? std::nullopt : parse_json(line);
  if (!document) return false;
  JsonText source(line, number - 1);
  format->read(*document, source, facts);
  return true;
}

}  // namespace nccl_analyze::evidence
