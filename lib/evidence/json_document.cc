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

constexpr std::size_t max_head = std::size_t{1} << 16;  // in bytes; the sign of a format must be in this head
constexpr std::size_t max_key_head = 1024;              // in bytes; the first key must be in this head
constexpr std::size_t max_bytes = std::size_t{1} << 26;

std::size_t skip_blanks(std::string_view text, std::size_t from) {
  return std::min(text.find_first_not_of(" \t\r\n", from), text.size());
}

/// Returns the key of the first member of the object at the beginning of `text`. An empty key if `text` begins with
/// anything else; nullopt if the text ends before the key does.
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

bool read_as(const JsonFormat& format, std::string_view text, std::uint64_t lines_before, Facts& facts) {
  const std::optional<Json> document = parse_json(text);
  if (!document) return false;
  JsonText source(text, lines_before);
  format.read(*document, source, facts);
  return true;
}

}  // namespace

std::size_t JsonSource::take(std::string_view bytes) {
  const std::size_t taken = extent_.take(bytes);
  text_ += bytes.substr(0, taken);
  if (format_ == nullptr) state_ = find_format();
  if (state_ == State::document && extent_.state() == JsonExtent::State::complete) state_ = State::complete;
  const bool is_lost = extent_.state() == JsonExtent::State::broken || text_.size() > max_bytes;
  if (is_lost && state_ != State::complete) state_ = State::other;
  return taken;
}

JsonSource::State JsonSource::find_format() {
  const std::string_view head = std::string_view(text_).substr(0, max_head);
  const std::optional<std::string_view> key = first_key(head.substr(0, max_key_head));
  const bool is_whole = extent_.state() == JsonExtent::State::complete;
  if (!key && head.size() < max_key_head && !is_whole) return State::undecided;
  if (!key || !begins_with_known_key(*key)) return State::other;
  format_ = format_of(head, *key);
  if (format_ != nullptr) return State::document;
  return head.size() == max_head || is_whole ? State::other : State::undecided;
}

bool JsonSource::read(std::uint64_t lines_before, Facts& facts) const {
  return format_ != nullptr && read_as(*format_, text_, lines_before, facts);
}

bool begins_json(std::string_view line) {
  if (line.starts_with('{')) line.remove_prefix(skip_blanks(line, 1));
  const std::size_t end = line.starts_with('"') ? line.find('"', 1) : std::string_view::npos;
  return end != std::string_view::npos && begins_with_known_key(line.substr(1, end - 1));
}

bool read_json(std::string_view text, std::uint64_t lines_before, Facts& facts) {
  const std::optional<std::string_view> key = first_key(text.substr(0, max_key_head));
  const JsonFormat* const format = key && !key->empty() ? format_of(text.substr(0, max_head), *key) : nullptr;
  return format != nullptr && read_as(*format, text, lines_before, facts);
}

bool read_json_line(std::string_view line, std::uint64_t number, Facts& facts) {
  return read_json(line, number - 1, facts);
}

}  // namespace nccl_analyze::evidence
