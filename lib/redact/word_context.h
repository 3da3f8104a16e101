#pragma once
// Decides by the words before a word whether it may be a name or a secret.

#include <cstddef>
#include <string_view>

namespace nccl_analyze::redact {

class WordContext {
 public:
  /// `hides_all`: whether the whole text is the value of a setting that is unknown or holds a name.
  explicit WordContext(bool hides_all) : hides_all_(hides_all) {}

  /// Notes the word before the whole text, and the text behind that word.
  void read_before(std::string_view word, std::string_view behind);
  /// Must be called before a word is judged: `key=` may end the value before it.
  void begin_word(std::string_view behind);
  /// Notes a word, the text behind it, and whether it was masked.
  void read_word(std::string_view word, std::string_view behind, bool is_masked);
  /// Notes a name that was replaced, and the text behind it.
  void read_name(std::string_view behind);
  void read_sign(char sign);

  /// Whether the word is masked whatever it is. `before`: the text before it.
  bool hides(std::string_view word, std::string_view before) const;
  /// Whether the next number is a count or a time and may stay, however long it is.
  bool counts() const { return !hides_all_ && value_ == Value::count; }

 private:
  enum class Value : unsigned char {
    plain,
    count,
    hidden,   ///< All of it is masked.
    name,     ///< The same, but for ports and short numbers.
    numbers,  ///< Words with digits are masked.
    id,       ///< Words with three digits are masked.
    person,   ///< The same, and words that are no part of a sentence.
    machine,  ///< Words that are no part of a sentence are masked, numbers stay.
    fabric,   ///< Numbers are masked, but for 0.
    mixed     ///< Words with letters and digits are masked.
  };
  bool expect(Value value, bool ends_at_blank);
  bool expect_behind(std::string_view word, std::string_view behind);

  bool hides_all_;
  Value value_ = Value::plain;
  bool has_begun_ = false;     ///< Whether any word of the value was read.
  bool ends_at_blank_ = true;  ///< Whether a value ends at a blank, as in `key=value`, and not at a comma.
  bool is_behind_comma_ = false;
  bool is_first_ = true;      ///< Whether the next word is the first one.
  bool has_setting_ = false;  ///< Whether the last setting is unknown or holds a name.
};

/// Whether the value of this setting names a machine.
bool is_setting_with_name(std::string_view setting);

}  // namespace nccl_analyze::redact
