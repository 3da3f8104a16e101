#pragma once
// Decides by the words before a word whether it may be a name or a secret: `password 4412`, `user=max`.

#include <cstddef>
#include <string_view>

namespace nccl_analyze::redact {

/// Whether a secret may follow the word: `pin`, `token`, in any case.
bool is_key_of_secret(std::string_view word);

class WordContext {
 public:
  /// `hides_all`: whether the whole text is the value of a setting that is unknown or names a machine.
  explicit WordContext(bool hides_all) : hides_all_(hides_all) {}

  /// Notes the word before the text, and the text after that word.
  void read_before(std::string_view word, std::string_view behind);
  /// Begins a word. Must be called before hides(), because `key=` may end the value before it.
  void begin_word(std::string_view behind);
  /// Notes a word that was judged, the text after it, and whether it was masked.
  void read_word(std::string_view word, std::string_view behind, bool is_masked);
  /// Notes a name that was replaced, and the text after it.
  void read_name(std::string_view behind);
  void read_sign(char sign);

  /// Whether the word is masked without further tests. `before` is the text before it.
  bool hides(std::string_view word, std::string_view before) const;
  /// Whether the value of an unknown key or of a secret is hidden.
  bool hides_value() const { return !hides_all_ && value_ == Value::hidden; }
  /// Whether the next number is a count or a time, and may stay however long it is.
  bool counts() const { return !hides_all_ && value_ == Value::count; }

 private:
  enum class Value : unsigned char {
    plain,
    count,
    hidden,   ///< All words of the value are masked.
    name,     ///< All words are masked except ports and short numbers.
    numbers,  ///< Words with digits are masked.
    id,       ///< Words with three digits or more are masked.
    person,   ///< Words with three digits or more, and words that sentences do not use here, are masked.
    machine,  ///< Words with digits, and words that sentences do not use here, are masked; numbers stay.
    fabric,   ///< All numbers except 0 are masked.
    mixed     ///< Words with letters and digits are masked.
  };
  bool expect(Value value, bool ends_at_blank);
  bool expect_behind(std::string_view word, std::string_view behind);
  bool is_link(std::string_view word) const;

  bool hides_all_;
  Value value_ = Value::plain;
  bool has_begun_ = false;     ///< Some word of the value was read.
  bool ends_at_blank_ = true;  ///< The value ends at a blank, as in `key=value`, and not at a comma.
  bool is_behind_comma_ = false;
  bool is_first_ = true;         ///< The next word is the first one.
  bool is_behind_pcie_ = false;  ///< The last word is PCIe: its host bridges have no names.
  bool is_secret_ = false;       ///< The last key is that of a secret.
  bool is_s_ = false;            ///< The last word is S or s.
  bool is_behind_s_ = false;     ///< The last word is S or s, and a slash follows it: `S/N`.
  bool has_setting_ = false;     ///< The last setting is unknown or names a machine.
};

/// Whether the value of this setting names a machine.
bool is_setting_with_name(std::string_view setting);

}  // namespace nccl_analyze::redact
