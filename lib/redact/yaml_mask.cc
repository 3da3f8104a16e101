#include "redact/yaml_mask.h"

#include <algorithm>
#include <array>
#include <utility>

#include "redact/bytes.h"
#include "redact/manifest_settings.h"
#include "redact/manifest_values.h"

namespace nccl_analyze::redact {

namespace {

constexpr std::size_t most_keys = 256;
/// The column of a key in braces. Later lines do not belong to such a key.
constexpr std::size_t in_braces = static_cast<std::size_t>(-1);

/// The keys of an entry of `env`. They stay even where other keys are masked.
constexpr std::array<std::string_view, 3> entry_keys = {"name", "value", "valueFrom"};

std::string_view unquoted(std::string_view text) {
  const auto is_outside = [](char c) { return c == ' ' || c == '"' || c == '\'' || c == '\r'; };
  while (!text.empty() && is_outside(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_outside(text.back())) text.remove_suffix(1);
  return text;
}

/// Whether a text may be a key of Kubernetes.
bool is_key(std::string_view text) {
  return std::ranges::any_of(text, is_letter) &&
         end_of(text, 0, [](char c) { return is_name_byte(c) || c == '/'; }) == text.size();
}

bool is_resource(std::string_view key) { return key.find('/') != key.npos || key.starts_with("hugepages-"); }

}  // namespace

/// Forgets the keys that stand in this column or to the right of it, because a line that begins there does not belong
/// to them.
void YamlMask::leave(std::size_t column) {
  while (!open_.empty() && open_.back().column >= column) open_.pop_back();
}

std::string_view YamlMask::parent() const { return open_.empty() ? std::string_view{} : open_.back().name; }

bool YamlMask::is_setting() const { return has_settings({}, parent()); }

bool YamlMask::keeps(std::string_view key, std::string_view value) const {
  const evidence::ManifestKey* const row = evidence::find_manifest_key(parent(), key);
  const bool is_read = row != nullptr && row->reading != evidence::ManifestReading::state;
  return is_read && keeps_value(row, value) && value.find('\\') == value.npos && !is_hidden();
}

bool YamlMask::is_hidden() const {
  return std::ranges::any_of(open_, [](const Key& key) { return hides_members({}, key.name); });
}

bool YamlMask::keeps_setting(std::string_view key, std::string_view value) {
  if (key == "name") return is_setting_documented_ = is_documented_setting(value);
  return key == "value" && std::exchange(is_setting_documented_, false) && is_harmless_value(value);
}

std::string_view YamlMask::mask_entry(char* begin, std::size_t size) {
  const std::string_view text(begin, size);
  const std::size_t colon = text.find(':');
  if (colon == std::string_view::npos) {
    const std::string_view grandparent = open_.size() < 2 ? std::string_view{} : open_[open_.size() - 2].name;
    const evidence::ManifestKey* const row = evidence::find_manifest_key(grandparent, parent());
    const bool is_read = row != nullptr && row->reading == evidence::ManifestReading::capability;
    if (!is_read || !keeps_value(row, unquoted(text))) mask_text(begin, begin + size);
    return {};
  }
  const std::size_t comment = std::min(text.find(" #"), size);
  const std::string_view key = unquoted(text.substr(0, colon)),
                         value = unquoted(text.substr(colon + 1, std::max(comment, colon + 1) - colon - 1));
  const bool is_kept = is_setting() ? keeps_setting(key, value) : keeps(key, value);
  const bool is_of_setting = std::ranges::any_of(open_, [](const Key& one) { return has_settings({}, one.name); });
  mask_text(begin + (is_kept ? comment : colon), begin + size);
  if (is_key(key) && (!is_hidden() || (is_of_setting && is_among(entry_keys, key))) &&
      (is_kept || value.empty() || !is_resource(key)))
    return key;
  mask_text(begin, begin + colon);
  return {};
}

void YamlMask::mask(std::string& line, std::size_t indent) {
  std::size_t at = std::min(line.find_first_not_of(' ', indent), line.size());
  if (line.compare(at, 3, "---") == 0) return open_.clear();
  if (line.compare(at, 1, "#") == 0) return mask_text(line.data() + at, line.data() + line.size());
  // An item may stand in the column of the key to which its list belongs.
  while (line.compare(at, 2, "- ") == 0) {
    leave(at - indent + 1);
    at = std::min(line.find_first_not_of(' ', at + 1), line.size());
  }
  const bool is_item = at > indent && line.find_last_of('-', at - 1) != line.npos;
  const std::size_t column = at - std::min(indent, at);
  if (!is_item) leave(column);
  // A mapping or list in braces is masked entry by entry.
  std::string key;
  for (std::size_t depth = 0; at < line.size(); ++at) {
    // The value of a setting may be a list that NCCL reads: `eth0,eth1`.
    const std::string_view signs = depth == 0 && is_setting() ? "{}[]" : "{}[],";
    const std::size_t end = std::min(line.find_first_of(signs, at), line.size());
    if (end > at) key = mask_entry(line.data() + at, end - at);
    const char sign = end < line.size() ? line[end] : ' ';
    const bool opens = sign == '{' || sign == '[', closes = sign == '}' || sign == ']';
    const bool is_key_of_line = depth == 0 && !key.empty();
    if (is_key_of_line && open_.size() < most_keys) open_.push_back({column, key});
    if (opens && ++depth > 1 && open_.size() < most_keys)
      open_.push_back({in_braces, key.empty() ? std::string(parent()) : key});
    if (closes && depth > 0 && depth-- > 1 && !open_.empty() && open_.back().column == in_braces) open_.pop_back();
    if (sign != ' ') key.clear();
    at = end;
  }
  leave(in_braces);
}

}  // namespace nccl_analyze::redact
