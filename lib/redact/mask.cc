#include "redact/mask.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "evidence/json_parse.h"
#include "redact/bytes.h"
#include "redact/manifest_settings.h"
#include "redact/manifest_values.h"
#include "text/json_fields.h"
#include "text/line_scan.h"
#include "text/word_list.h"

namespace nccl_analyze::redact {

namespace {

constexpr std::size_t most_levels = 256;

/// An entry of `env` has these members.
constexpr std::array<std::string_view, 2> setting_keys = {"name", "value"};

/// In lines of log collectors, these members hold the log line, its time or a name.
constexpr WordList log_keys{
    "textPayload log message msg MESSAGE line time timestamp @timestamp ts stream level pod_name k8s.pod.name pod "
    "container_name k8s.container.name container namespace_name host hostname node_name nodeName"};

bool holds_escape(std::string_view text) { return text.find('\\') != std::string_view::npos; }

/// Masks the names of images that the kubelet repeats from the manifest in its messages: `Back-off pulling image
/// \"x/y:1\"`.
void mask_images(std::string& line, std::size_t begin, std::size_t end) {
  constexpr std::string_view before = "image \\\"", quote = "\\\"";
  const std::string text = line.substr(begin, end - begin);
  for (std::size_t at = text.find(before); at != std::string::npos; at = text.find(before, at + before.size())) {
    const std::size_t open = at + before.size(), close = std::min(text.find(quote, open), text.size());
    const std::string image = text.substr(open, close - open);
    if (image.empty()) continue;
    for (std::size_t i = text.find(image); i != std::string::npos; i = text.find(image, i + image.size()))
      mask_text(line.data() + begin + i, line.data() + begin + i + image.size());
  }
}

/// Whether a string is a line of NCCL or a time. Log stores keep these under keys of their own.
bool is_of_log(std::string_view text) { return is_epoch(text) || find_marker(text) != std::string_view::npos; }

std::size_t end_of_string(std::string_view line, std::size_t at) {
  while (at < line.size() && line[at] != '"') at += line[at] == '\\' ? 2 : 1;
  return std::min(at, line.size());
}

}  // namespace

bool JsonMask::keeps(std::string_view key) const {
  return kind_ == Kind::document ? !is_among(evidence::unread_members(), key) : is_among(log_keys, key);
}

void JsonMask::open_level(bool is_list) {
  if (levels_.size() == most_levels) {
    ++deeper_;
    return;
  }
  Level level = levels_.back();  // An item is treated like its list.
  if (!key_.empty()) {
    level.has_settings = kind_ == Kind::manifest && has_settings(level.key, key_);
    const bool hides = kind_ == Kind::manifest ? hides_members(level.key, key_) : !keeps(key_);
    level.is_masked = level.is_masked || (kind_ != Kind::log && hides);
    level.list_key = key_;
  }
  if (!is_list) level.key = level.list_key;
  levels_.push_back(std::move(level));
}

void JsonMask::mask(std::string& line) {
  std::size_t at = 0;
  if (in_string_) {
    at = end_of_string(line, 0);
    mask_text(line.data(), line.data() + at);
    if (at == line.size()) return;
    in_string_ = false;
    ++at;
  }
  for (; at < line.size(); ++at) {
    const char c = line[at];
    if (c == '"') {
      const std::size_t end = end_of_string(line, at + 1);
      in_string_ = end == line.size();
      read_string(line, at + 1, end);
      at = end;
    } else if (c == '{' || c == '[') {
      open_level(c == '[');
    } else if (c == '}' || c == ']') {
      if (deeper_ > 0)
        --deeper_;
      else if (levels_.size() > 1)
        levels_.pop_back();
      key_.clear();
    } else if (is_digit(c) && masks_number()) {
      line[at] = '1';  // A number of JSON may not begin with 0.
    }
  }
}

void JsonMask::read_string(std::string& line, std::size_t open, std::size_t end) {
  const std::size_t behind = end_of(line, std::min(end + 1, line.size()), [](char c) { return c == ' '; });
  const std::string_view text = std::string_view(line).substr(open, end - open);
  const bool is_key = behind < line.size() && line[behind] == ':' && end < line.size();
  const bool is_masked = levels_.back().is_masked || deeper_ > 0;
  if (is_key) {
    key_ = text;
    const bool is_of_setting = levels_.back().has_settings && deeper_ == 0 && is_among(setting_keys, text);
    if (is_masked && !is_of_setting) mask_text(line.data() + open, line.data() + end);
    return;
  }
  if (levels_.back().has_settings && deeper_ == 0 && keeps_setting(text)) return;
  if (kind_ == Kind::manifest) return read_manifest_value(line, open, end);
  const bool is_of_collector = kind_ == Kind::log && (key_.empty() || is_of_log(text));
  if (is_masked || (!keeps(key_) && !is_of_collector)) mask_text(line.data() + open, line.data() + end);
}

void JsonMask::read_manifest_value(std::string& line, std::size_t open, std::size_t end) {
  const std::string_view text = std::string_view(line).substr(open, end - open);
  const evidence::ManifestKey* const key = evidence::find_manifest_key(levels_.back().key, key_);
  const bool is_message = key != nullptr && key->redaction == evidence::ManifestRedaction::keep_message;
  const bool is_damaged = !is_message && holds_escape(text);
  if (take_name_ && key != nullptr && !is_damaged) take_name(*key, text);
  if (levels_.back().is_masked || deeper_ > 0 || is_damaged || !keeps_value(key, text))
    return mask_text(line.data() + open, line.data() + end);
  if (is_message) mask_images(line, open, end);
}

bool JsonMask::masks_number() const {
  if (levels_.back().is_masked || deeper_ > 0) return true;
  return kind_ == Kind::manifest && evidence::find_manifest_key(levels_.back().key, key_) == nullptr;
}

bool JsonMask::keeps_setting(std::string_view text) {
  if (key_ == "name") return is_setting_documented_ = is_documented_setting(text);
  return key_ == "value" && std::exchange(is_setting_documented_, false) && is_harmless_value(text);
}

void JsonMask::take_name(const evidence::ManifestKey& key, std::string_view text) const {
  if (key.redaction == evidence::ManifestRedaction::name_pod) take_name_(NameKind::pod, text);
  if (key.redaction == evidence::ManifestRedaction::name_container) take_name_(NameKind::container, text);
  if (key.redaction == evidence::ManifestRedaction::name_space) take_name_(NameKind::name_space, text);
}

bool is_manifest_in_json(std::string_view line) {
  constexpr std::array<std::string_view, 3> signs = {"\"kind\"", "\"containers\"", "\"involvedObject\""};
  const auto is_in_line = [&](std::string_view sign) { return line.find(sign) != std::string_view::npos; };
  return line.starts_with('{') && is_in_line(signs[0]) && (is_in_line(signs[1]) || is_in_line(signs[2]));
}

}  // namespace nccl_analyze::redact
