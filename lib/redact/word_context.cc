#include "redact/word_context.h"

#include <algorithm>
#include <array>

#include "redact/bytes.h"

namespace nccl_analyze::redact {

namespace {

/// Words behind which a number is masked.
constexpr std::array<std::string_view, 17> secret_keys = {
    "token",  "secret", "password",   "passwd",      "pwd",    "pass",    "apikey",     "api_key", "access_key",
    "bearer", "auth",   "credential", "credentials", "cookie", "session", "passphrase", "key"};

/// Words behind which a long number is a count or a time.
constexpr std::array<std::string_view, 12> count_keys = {"numelin", "numelout", "count", "bytes",     "size", "nbytes",
                                                         "nanos",   "time",     "ts",    "timestamp", "ns",   "us"};

/// Whether a word is followed by its value: `key=1`, `"key": 1`; or `key: 1`, which may also be a sentence.
bool is_key_of_value(std::string_view behind, bool may_be_sentence) {
  const std::size_t at = end_of(behind, 0, [](char c) { return c == '"' || c == '\'' || c == '\\'; });
  if (at >= behind.size()) return false;
  const bool is_pair = at > 0 || (may_be_sentence && behind.substr(at + 1).starts_with(' '));
  return behind[at] == '=' || (behind[at] == ':' && is_pair);
}

std::string_view last_part(std::string_view word) {
  const std::size_t at = word.find_last_of("._-");
  return at == std::string_view::npos ? word : word.substr(at + 1);
}

/// `NCCL_DEBUG`
bool is_name_of_setting(std::string_view word) {
  return word.find('_') != std::string_view::npos &&
         std::ranges::all_of(word, [](char c) { return is_upper(c) || is_digit(c) || c == '_'; });
}

}  // namespace

void WordContext::read_name(std::string_view behind) {
  if (ends_at_blank_) value_ = Value::plain;
  if (behind.starts_with('=')) expect(Value::hidden);
  is_first_ = false;
}

void WordContext::read_word(std::string_view word, std::string_view behind, bool is_masked) {
  const std::string last = lowered(last_part(word));
  const bool is_secret = is_among(secret_keys, last);
  has_begun_ = true;
  if (is_masked || is_secret) {
    if (is_key_of_value(behind, is_secret || is_first_)) {
      expect(Value::hidden);
      ends_at_blank_ = !is_secret || behind.find_first_of("=:") == behind.find('=');
    }
  } else if (is_among(count_keys, last)) {
    if (is_key_of_value(behind, true)) expect(Value::count);
  } else if (has_setting_ && last == "to" && behind.starts_with(' ')) {
    expect(Value::hidden);
  }
  has_setting_ = has_setting_ || (is_masked && is_name_of_setting(word));
  is_first_ = false;
}

void WordContext::read_sign(char sign) {
  constexpr std::string_view ends = ",;&)}]\"' ";
  const std::string_view those = ends_at_blank_ ? ends : ends.substr(0, ends.size() - 1);
  if (has_begun_ && those.find(sign) != std::string_view::npos) value_ = Value::plain;
}

}  // namespace nccl_analyze::redact
