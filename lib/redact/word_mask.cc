#include "redact/word_mask.h"

#include <algorithm>
#include <array>

#include "redact/bytes.h"
#include "redact/forms.h"
#include "redact/scan.h"
#include "redact/vocabulary.h"
#include "redact/word_context.h"

namespace nccl_analyze::redact {

namespace {

/// Endings of file names. They stay behind a masked name.
constexpr std::array<std::string_view, 26> endings = {"py",  "so",  "cc",   "h",   "cu",   "log", "json",  "xml",  "sh",
                                                      "txt", "cpp", "yaml", "yml", "hpp",  "cuh", "gz",    "pt",   "c",
                                                      "tsv", "csv", "err",  "out", "toml", "cfg", "jsonl", "ipynb"};

/// How names of exceptions end.
constexpr std::array<std::string_view, 5> exception_ends = {"Error", "Exception", "Warning", "Interrupt", "Failure"};

/// Signs that are drawn or printed by programs, in UTF-8: quotes, dashes, arrows, borders of tables, marks.
bool is_typographic(std::string_view bytes) {
  return bytes.starts_with("\xe2\x80") || bytes.starts_with("\xe2\x86") || bytes.starts_with("\xe2\x94") ||
         bytes.starts_with("\xe2\x95") || bytes.starts_with("\xe2\x96") || bytes.starts_with("\xe2\x9c") ||
         bytes.starts_with("\xe2\x9d");
}

/// The length of an encoded letter or digit at the start of `text`: `%6e`, `\u006e`; 0 if there is none.
std::size_t encoded_length(std::string_view text) {
  if (text.size() >= 3 && text[0] == '%' && is_hex(text[1]) && is_hex(text[2])) return 3;
  const bool is_escape = text.size() >= 6 && text.starts_with("\\u") && end_of(text.substr(0, 6), 2, is_hex) == 6;
  if (!is_escape) return 0;
  const bool is_sign = text.substr(2, 2) == "00" && (text[4] < '3' || text.substr(4, 1) == "3");
  return is_sign && text.substr(4, 2) != "30" && !(text[4] == '3' && is_digit(text[5])) ? 0 : 6;
}

/// The length of what stands at the start of `text` and is no word: numbers with colons, an escape of JSON.
std::size_t special_length(std::string_view text) {
  if (is_hex(text[0]) || text.starts_with("::")) return bus_id_length(text) + colon_run_length(text);
  return encoded_length(text) > 0 ? 0 : escape_length(text);
}

/// The end of the word at `at`, which ends before bytes that are known.
std::size_t end_of_word(const MarkedLine& line, std::size_t at, std::size_t end) {
  const std::string_view text = std::string_view(line.text).substr(0, end);
  while (at < end && line.is_known[at] == 0) {
    const std::size_t encoded = encoded_length(text.substr(at));
    if (encoded > 0)
      at += encoded;
    else if (is_name_byte(text[at]) && !is_typographic(text.substr(at)))
      ++at;
    else
      break;
  }
  return std::min(at, end);
}

std::string_view last_word(std::string_view word) {
  const std::size_t at = word.find_last_of("._-");
  return at == std::string_view::npos ? word : word.substr(at + 1);
}

/// The length of what stays at the end of an unknown word: `.py`, `Error`.
std::size_t kept_end(std::string_view word) {
  const std::string_view last = last_word(word);
  if (last.size() < word.size() && word[word.size() - last.size() - 1] == '.' && is_among(endings, last))
    return last.size() + 1;
  for (const std::string_view end : exception_ends)
    if (word.ends_with(end)) return end.size();
  return 0;
}

}  // namespace

void WordMask::mask(MarkedLine& line, const FreeParts& parts) {
  cut_ = parts.cut();
  bool is_masked = false;
  for (const FreePart& part : parts.all()) is_masked = mask(line, part, part.is_of_setting && is_masked);
  cut_ = no_cut;
}

bool WordMask::mask(MarkedLine& line, const FreePart& part, bool is_value) {
  const std::string_view text = line.text;
  WordContext context(is_value);
  bool masks_any = false;
  for (std::size_t at = part.begin; at < part.end;) {
    const bool is_known = line.is_known[at] != 0;
    std::size_t end = at;
    if (is_known)
      while (end < part.end && line.is_known[end] != 0) ++end;
    else if (special_length(text.substr(at, part.end - at)) == 0)
      end = end_of_word(line, at, part.end);
    if (end == at) {
      at += mask_sign(line, at, part.end, context);
      continue;
    }
    const std::string_view behind = text.substr(end, part.end - end);
    const bool is_masked = !is_known && mask_word(line, at, end, context);
    masks_any = masks_any || is_masked;
    is_known ? context.read_name(behind) : context.read_word(text.substr(at, end - at), behind, is_masked);
    at = end;
  }
  return masks_any;
}

std::size_t WordMask::mask_sign(MarkedLine& line, std::size_t at, std::size_t end, WordContext& context) {
  const std::string_view rest = std::string_view(line.text).substr(at, end - at);
  if (const std::size_t bus = bus_id_length(rest); bus > 0) return bus;
  if (const std::size_t run = colon_run_length(rest); run > 0) {
    overwrite(line, at, at + run);
    return run;
  }
  if (const std::size_t escape = escape_length(rest); escape > 0) return escape;
  context.read_sign(rest.front());
  if (!is_other_letter(rest.front())) return 1;
  constexpr std::size_t size_of_sign = 3;
  if (is_typographic(rest) && rest.size() >= size_of_sign) return size_of_sign;
  line.text[at] = 'x';
  return 1;
}

bool WordMask::is_harmless(std::string_view word) {
  constexpr std::size_t most = std::size_t{1} << 14U, longest = 64;
  if (word.size() > longest) return judge(word);
  word_.assign(word);
  if (const auto found = verdicts_.find(word_); found != verdicts_.end()) return found->second;
  if (verdicts_.size() >= most) verdicts_.clear();
  return verdicts_[word_] = judge(word);
}

bool WordMask::judge(std::string_view word) {
  while (!word.empty() && is_separator(word.front())) word.remove_prefix(1);
  while (!word.empty() && is_separator(word.back())) word.remove_suffix(1);
  if (word.find_first_not_of("xX.-_") == std::string_view::npos) return true;
  const std::string key = lowered(word);
  if (!is_harmless_word(key) && !is_harmless_form(key)) return rewriter_.keeps(key);
  constexpr std::size_t most_words = 4096;
  if (!is_digit(key.front()) && kept_.size() < most_words) kept_.insert(key);
  return true;
}

void WordMask::overwrite(MarkedLine& line, std::size_t begin, std::size_t end) {
  line.text.replace(begin, end - begin, table_.stand_in(std::string_view(line.text).substr(begin, end - begin)));
}

bool WordMask::mask_word(MarkedLine& line, std::size_t begin, std::size_t end, const WordContext& context) {
  const std::string_view word = std::string_view(line.text).substr(begin, end - begin);
  if (begin == cut_ && word.size() > 1 && begins_harmless_word(lowered(word))) return false;
  if (context.counts() && end_of(word, 0, is_digit) == word.size()) return false;
  const bool hides = context.hides_numbers() && std::ranges::any_of(word, is_digit);
  if (!hides && is_harmless(word)) return false;
  const std::size_t kept = hides ? 0 : kept_end(word);
  overwrite(line, begin, end - kept);
  return kept == 0;
}

}  // namespace nccl_analyze::redact
