#pragma once
// Decides by the words before a number whether it may stay: the value of an unknown setting may be a secret.

#include <string_view>

namespace nccl_analyze::redact {

class WordContext {
 public:
  /// `hides_numbers`: whether the whole text is the value of an unknown setting.
  explicit WordContext(bool hides_numbers) : hides_all_(hides_numbers) {}

  /// Notes a word, the text behind it, and whether it was masked.
  void read_word(std::string_view word, std::string_view behind, bool is_masked);
  /// Notes a name that was replaced, and the text behind it.
  void read_name(std::string_view behind);
  void read_sign(char sign);

  bool hides_numbers() const { return hides_all_ || value_ == Value::hidden; }
  /// Whether the next number is a count or a time and may stay, however long it is.
  bool counts() const { return !hides_all_ && value_ == Value::count; }

 private:
  enum class Value : unsigned char { plain, hidden, count };
  void expect(Value value) {
    value_ = value;
    has_begun_ = false;
    ends_at_blank_ = true;
  }

  bool hides_all_;
  Value value_ = Value::plain;
  bool has_begun_ = false;     ///< Whether any word of the value was read.
  bool ends_at_blank_ = true;  ///< Whether a value ends at a blank, as in `key=value`.
  bool is_first_ = true;       ///< Whether the next word is the first one.
  bool has_setting_ = false;   ///< Whether the last setting has a masked name.
};

}  // namespace nccl_analyze::redact
