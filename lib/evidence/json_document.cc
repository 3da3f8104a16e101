#include "evidence/json_document.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>

#include "evidence/formats.h"

namespace nccl_analyze::evidence {

namespace {

using Json = nlohmann::json;

constexpr std::size_t max_head = std::size_t{1} << 16;  // bytes that decide on the format
constexpr std::size_t max_bytes = std::size_t{1} << 26;
constexpr std::size_t max_values = std::size_t{1} << 22;
constexpr int max_depth = 16;

/// Members of objects that no reader needs: secrets, source code and long lists of single times.
constexpr std::string_view unread[] = {
    "env", "args", "annotations", "managedFields", "frames", "times_us", "per_process_max_times_us"};

/// Parses a document with limits on depth and size. Empty when the text is no JSON or beyond a limit.
std::optional<Json> parse(std::string_view text) {
  std::size_t values = 0;
  const auto is_wanted = [&values](int depth, Json::parse_event_t event, const Json& parsed) {
    if (++values > max_values || depth > max_depth) return false;
    if (event != Json::parse_event_t::key) return true;
    const auto& key = parsed.get_ref<const std::string&>();
    return std::find(std::begin(unread), std::end(unread), key) == std::end(unread);
  };
  Json document = Json::parse(text.begin(), text.end(), is_wanted, false);
  if (document.is_discarded() || values > max_values) return std::nullopt;
  return document;
}

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
  const std::optional<Json> document = parse(text_);
  if (!document) return false;
  format_->read(*document, facts);
  return true;
}

bool read_json_line(std::string_view line, Facts& facts) {
  const std::optional<std::string_view> key = first_key(line.substr(0, 1024));
  if (!key || key->empty()) return false;
  const JsonFormat* const format = format_of(line.substr(0, max_head), *key);
  const std::optional<Json> document = format == nullptr ? std::nullopt : parse(line);
  if (document) format->read(*document, facts);
  return document.has_value();
}

}  // namespace nccl_analyze::evidence
