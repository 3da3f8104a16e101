#include "redact/word_table.h"

#include "redact/bytes.h"
#include "redact/names.h"

namespace nccl_analyze::redact {

namespace {

constexpr std::size_t most_words = std::size_t{1} << 20U;

/// Stand-ins consist of these letters. None is a hexadecimal digit, because a report takes words of such digits for
/// numbers. The first letter is the padding.
constexpr std::string_view letters = "xghjkmnpqrstvwyz", digits = "0123456789", hex_digits = "0123456789abcdef";

/// Whether a word reads as a hexadecimal number. Its stand-in has to be one, too.
bool is_hex_number(std::string_view word) {
  const std::size_t begin = word.starts_with("0x") ? 2 : 0;
  bool has_digit = false;
  for (std::size_t i = begin; i < word.size(); ++i) {
    if (is_separator(word[i]) || word[i] == ':') continue;
    if (!is_hex(word[i])) return false;
    has_digit = has_digit || is_digit(word[i]);
  }
  return has_digit;
}

/// Returns the characters that may replace a byte; none if the byte stays.
std::string_view alphabet_of(char c, bool is_in_hex) {
  if (is_digit(c)) return is_in_hex ? hex_digits : digits;
  if (!is_letter(c)) return {};
  return is_in_hex ? hex_digits : letters;
}

/// Writes a number over the letters and digits of a word, from the end of the word. Letters are overwritten first, so
/// that `step_0` does not become another step.
std::string written(std::string_view word, std::uint64_t number) {
  std::string text(word);
  const bool is_in_hex = is_hex_number(word);
  const std::size_t begin = is_in_hex && word.starts_with("0x") ? 2 : 0;
  for (const bool are_digits : {false, true})
    for (std::size_t i = text.size(); i-- > begin;) {
      if (is_other_letter(word[i])) text[i] = 'x';
      // A digit becomes a digit, so that `%6e` stays an encoded byte.
      const std::string_view alphabet = alphabet_of(word[i], is_in_hex);
      const bool is_later = !is_in_hex && is_digit(word[i]);
      if (alphabet.empty() || is_later != are_digits) continue;
      const char made = alphabet[number % alphabet.size()];
      text[i] = is_upper(word[i]) && is_letter(made) ? static_cast<char>(made - 'a' + 'A') : made;
      number /= alphabet.size();
    }
  return text;
}

}  // namespace

std::string WordTable::stand_in(std::string_view word, const NameTable& names) {
  const std::string key(word);
  if (const auto found = stand_ins_.find(key); found != stand_ins_.end()) return found->second;
  std::string form = written(word, 0);
  if (stand_ins_.size() >= most_words) return form;
  constexpr int most_tries = 64;
  std::uint64_t& number = next_[form];
  std::string made;
  int tries = 0;
  do made = written(word, ++number);
  while (++tries < most_tries && (made == word || given_.contains(made) || names.all().contains(lowered(made))));
  if (made == word) made = form;
  given_.insert(made);
  stand_ins_.emplace(key, made);
  return made;
}

void WordTable::preset(std::string_view word, std::string_view stand_in) {
  if (word.size() != stand_in.size() || !stand_ins_.emplace(word, stand_in).second) return;
  given_.emplace(stand_in);
  ++next_[written(word, 0)];
}

}  // namespace nccl_analyze::redact
