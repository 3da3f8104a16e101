#pragma once
// Decides which values of manifests stay, by the table of their keys (lib/evidence/manifest_keys.cc).

#include <algorithm>
#include <string_view>

#include "evidence/manifest_keys.h"
#include "redact/bytes.h"

namespace nccl_analyze::redact {

inline bool is_quantity(std::string_view value) {
  constexpr std::string_view units = "mkMGTPEi";
  const std::size_t digits = end_of(value, 0, [](char c) { return is_digit(c) || c == '.'; });
  return digits > 0 && end_of(value, digits, [&](char c) { return units.find(c) != units.npos; }) == value.size();
}

inline bool is_capability(std::string_view text) {
  return std::ranges::all_of(text, [](char c) { return is_upper(c) || c == '_'; });
}

/// Whether a value stays. `key`: the row of its key; null if there is none.
inline bool keeps_value(const evidence::ManifestKey* key, std::string_view value) {
  using enum evidence::ManifestRedaction;
  if (key == nullptr || key->redaction == hide || key->redaction == keep_settings) return false;
  if (key->redaction == keep_quantity) return is_quantity(value);
  return key->redaction != keep_capability || is_capability(value);
}

/// Whether the entries of the member with this key are settings: name and value of a variable.
inline bool has_settings(std::string_view parent, std::string_view key) {
  const evidence::ManifestKey* const row = evidence::find_manifest_key(parent, key);
  return row != nullptr && row->redaction == evidence::ManifestRedaction::keep_settings;
}

/// Whether all values in the member with this key are masked, except settings.
inline bool hides_members(std::string_view parent, std::string_view key) {
  const evidence::ManifestKey* const row = evidence::find_manifest_key(parent, key);
  return (row != nullptr && row->redaction == evidence::ManifestRedaction::hide) || has_settings(parent, key);
}

inline void mask_text(char* begin, char* end) {
  std::replace_if(
      begin, end, [](char c) { return is_digit(c) || is_letter(c) || is_other_letter(c); }, 'x');
}

}  // namespace nccl_analyze::redact
