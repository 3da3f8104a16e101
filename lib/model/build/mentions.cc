#include "model/build/mentions.h"

#include <algorithm>
#include <span>

#include "messages/phrases.h"
#include "text/lower_case.h"
#include "text/wrapper.h"

namespace nccl_analyze::builder {

namespace {

bool is_word_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

/// Removes the text up to the end of the next word from `text`, and returns the word alone. Empty at the end.
std::string_view take_word(std::string_view& text) {
  const auto start = std::find_if(text.begin(), text.end(), is_word_letter);
  const auto end = std::find_if_not(start, text.end(), is_word_letter);
  const std::string_view word(start, end);
  text.remove_prefix(static_cast<std::size_t>(end - text.begin()));
  return word;
}

template <std::size_t size>
bool is_any(std::string_view word, const std::string_view (&words)[size]) {
  return std::find(std::begin(words), std::end(words), word) != std::end(words);
}

constexpr std::string_view quiet_levels[] = {"info", "debug", "trace", "notice", "verbose"};
constexpr std::string_view error_words[] = {"error",  "errors",     "fatal",  "critical",  "severe",  "fail",
                                            "failed", "failure",    "fails",  "failing",   "abort",   "aborted",
                                            "cannot", "could",      "unable", "exception", "panic",   "killed",
                                            "died",   "terminated", "caught", "crashed",   "warning", "warn"};

/// Whether a word may precede a message without being part of a sentence: a name that ends with a colon, a number, a
/// place in brackets, or a time.
bool is_label(std::string_view word) {
  return word.back() == ':' || word.back() == ']' || word.back() == ')' || word.back() == '|' || word.front() == '[' ||
         word.front() == '(' || std::any_of(word.begin(), word.end(), [](char c) { return c >= '0' && c <= '9'; }) ||
         std::none_of(word.begin(), word.end(), is_word_letter);
}

/// Words that occur in labels: those of the shell's `run.sh: line 12:`, and Kubernetes' kinds of objects.
constexpr std::string_view label_words[] = {"line", "pod", "container"};

/// Returns the length of brackets at the start of the text, as PyTorch prints them before its messages, with the colon
/// after them: `[PG ID 0 PG GUID 0 Rank 3]`, `[rank3]:`. 0 if there are none.
std::size_t bracket_size(std::string_view text) {
  constexpr std::size_t most = 128;  // In bytes.
  const std::size_t close = text.starts_with('[') ? text.find(']') : std::string_view::npos;
  if (close >= most) return 0;
  return close + 1 < text.size() && text[close + 1] == ':' ? close + 2 : close + 1;
}

bool has_only_labels(std::string_view before) {
  before.remove_prefix(wrapper_size(before));
  while (true) {
    const std::size_t start = before.find_first_not_of(" \t");
    if (start == std::string_view::npos) return true;
    before.remove_prefix(start);
    if (const std::size_t brackets = bracket_size(before); brackets > 0) {
      before.remove_prefix(brackets);
      continue;
    }
    const std::size_t end = std::min(before.find_first_of(" \t"), before.size());
    const std::string_view word = before.substr(0, end);
    if (!is_label(word) && !is_any(word, label_words)) return false;
    before.remove_prefix(end);
  }
}

/// Whether the text is a label of at most three words that ends with a colon: `worker 3: `.
bool is_short_label(std::string_view before) {
  constexpr int most_words = 3;
  const std::size_t last = before.find_last_not_of(" \t");
  if (last == std::string_view::npos || before[last] != ':') return false;
  int words = 0;
  while (words <= most_words && !take_word(before).empty()) ++words;
  return words <= most_words;
}

/// Returns the text that precedes the phrase `words` in the example line of the phrase: `Bootstrap : ` for
/// `no socket interface found`. Empty if `words` is not a known phrase.
std::string_view text_before_phrase(std::string_view words) {
  const std::span<const Phrase> all = phrases();
  const auto one = std::ranges::find(all, words, &Phrase::words);
  return one == all.end() ? std::string_view() : one->example.substr(0, one->example.find(words));
}

/// Whether the words are in a quoted argument: the last quotation mark before them follows `(` or `=`.
bool is_argument(std::string_view before) {
  const std::size_t quote = before.find_last_of("'\"");
  if (quote == std::string_view::npos || quote == 0) return false;
  const char opener = before[quote - 1];
  return opener == '(' || opener == '=';
}

}  // namespace

std::string_view exception_around(std::string_view line, std::string_view words) {
  const std::size_t found = std::min(line.find(words), line.size());
  const std::string_view before = line.substr(0, found + words.size() + 2);  // The name itself may hold the words.
  for (std::size_t colon = before.find(": "); colon != std::string_view::npos; colon = before.find(": ", colon + 2)) {
    const std::size_t blank = before.substr(0, colon).find_last_of(" \t");
    const std::size_t begin = blank == std::string_view::npos ? 0 : blank + 1;
    const std::string_view name = before.substr(begin, colon - begin);
    const bool is_class = name.ends_with("Error") || name.ends_with("Exception") || name == "socket.gaierror";
    const bool is_of_module = name.find('.') != std::string_view::npos &&
                              std::ranges::all_of(name, [](char c) { return is_word_letter(c) || c == '.'; });
    if (is_class && is_of_module) return has_only_labels(before.substr(0, begin)) ? name : std::string_view{};
  }
  return {};
}

bool reports_failure(std::string_view line, std::string_view words) {
  const std::size_t at = line.find(words);
  if (at == std::string_view::npos) return true;
  std::string_view before = line.substr(0, at);
  if (const std::string_view lead = text_before_phrase(words); before.ends_with(lead))
    before.remove_suffix(lead.size());
  if (is_argument(before)) return false;
  if (before.find(" kernel: ") != std::string_view::npos || before.ends_with("AMD-Vi: ")) return true;
  if (words == unanswered_workers || words == unresolved_master) return true;
  // Unlike a refusal, which is normal until rank 0 has started, these say that there is no way to the address.
  constexpr std::string_view no_way[] = {"(errno: 101 ", "(errno: 110 ", "(errno: 113 "};
  if (words == "client socket has failed to connect to" &&
      std::ranges::any_of(no_way, [&](std::string_view error) { return line.find(error) != std::string_view::npos; }))
    return true;
  bool names_error = false;
  const std::string low = lower_case(before);
  std::string_view rest = low;
  for (std::string_view word = take_word(rest); !word.empty(); word = take_word(rest)) {
    if (is_any(word, quiet_levels)) return false;
    names_error = names_error || is_any(word, error_words);
  }
  return names_error || has_only_labels(before) || is_short_label(before);
}

}  // namespace nccl_analyze::builder
