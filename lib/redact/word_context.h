#pragma once
// Whether a number may stay, by the words before it: that of a setting that nobody knows may be a secret.

#include <string_view>

namespace nccl_analyze::redact {

class WordContext {
 public:
  /// `hides_numbers`: whether all belongs to a setting that is not known.
  explicit WordContext(bool hides_numbers) : hides_all_(hides_numbers) {}

  /// Notes a word, the text behind it, and whether it was masked.
  void read_word(std::string_view word, std::string_view behind, bool is_masked);
  /// Notes a name that has its stand-in, and the text behind it.
  void read_name(std::string_view behind);
  void read_sign(char sign);

  bool hides_numbers() const { return hides_all_ || value_ == Value::hidden; }
  /// Whether a number of any length is a count or a time.
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
  bool has_begun_ = false;     ///< Whether a word of the value was read.
  bool ends_at_blank_ = true;  ///< Whether a value ends at a blank, as in `key=value`.
  bool is_first_ = true;       ///< Whether no word was read.
  bool has_setting_ = false;   ///< Whether the name of a setting was masked.
};

}  // namespace nccl_analyze::redact
