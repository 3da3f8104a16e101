// Recognises names by their form, because columns have no brackets or quotes around them.

#include "text/column_tags.h"

#include <algorithm>
#include <array>
#include <cstddef>

#include "text/blanks.h"
#include "text/digits.h"

namespace nccl_analyze {

namespace {

bool is_lower(char c) { return c >= 'a' && c <= 'z'; }
bool is_letter(char c) { return is_lower(c) || (c >= 'A' && c <= 'Z'); }

/// Whether Kubernetes accepts the word as the name of a namespace or container.
bool is_label(std::string_view word) {
  constexpr std::size_t max_label = 63;
  return !word.empty() && word.size() <= max_label && word.front() != '-' && word.back() != '-' &&
         std::all_of(word.begin(), word.end(), [](char c) { return is_lower(c) || is_digit(c) || c == '-'; });
}

/// Whether the word may be the name of a container. Loggers print streams and levels in the same column.
bool is_container(std::string_view word) {
  constexpr std::array<std::string_view, 7> others = {"stdout", "stderr", "debug", "info", "warn", "warning", "error"};
  return is_label(word) && std::find(others.begin(), others.end(), word) == others.end();
}

/// Whether the word begins with a letter and ends with one of the `separators` and a number.
bool is_numbered(std::string_view word, std::string_view separators) {
  const std::size_t mark = word.find_last_not_of("0123456789");
  return mark != std::string_view::npos && mark + 1 < word.size() && mark > 0 && is_letter(word.front()) &&
         separators.find(word[mark]) != std::string_view::npos;
}

/// Whether the word ends with `-` and five of the characters that Kubernetes uses for the random end of a name.
/// Kubernetes uses no vowels and only some digits; here, all digits are accepted, so that lines that differ only in
/// digits give the same result.
bool is_drawn(std::string_view word) {
  constexpr std::size_t drawn = 5;
  const std::string_view end = word.substr(word.size() - std::min(drawn, word.size()));
  return word.size() > drawn + 1 && is_lower(word.front()) && word[word.size() - drawn - 1] == '-' &&
         end.find_first_not_of("bcdfghjklmnpqrstvwxz0123456789") == std::string_view::npos;
}

/// Whether the word has the form of a name that controllers give to pods: `train-worker-3`, `train-0-x7k2p`.
bool is_pod(std::string_view word) {
  constexpr std::size_t max_name = 253;
  return word.size() <= max_name && (is_numbered(word, "-") || is_drawn(word)) &&
         std::all_of(word.begin(), word.end(),
                     [](char c) { return is_lower(c) || is_digit(c) || c == '-' || c == '.'; });
}

/// Whether `rest`, the text after the columns, is empty or begins like a timestamp or a launcher's tag. If not, the
/// columns are probably text of a program.
bool is_tag(std::string_view rest) {
  return rest.empty() || is_digit(rest.front()) || std::string_view{"[(<"}.find(rest.front()) != std::string_view::npos;
}

bool read_pod(std::string_view text, Origin& origin) {
  const std::string_view pod = take_column(text);
  std::string_view container = take_column(text);
  if (container == "\u203a") container = take_column(text);
  if (!is_pod(pod) || !is_container(container) || !is_tag(text)) return false;
  origin.pod = pod;
  origin.container = container;
  return true;
}

bool is_service_char(char c) { return is_letter(c) || is_digit(c) || c == '-' || c == '_' || c == '.'; }

/// Stores the name of the service as Origin::pod if the decoration is one of docker compose. Compose prints at least
/// two blanks between a name and the bar; rows of tables have one.
void read_service(std::string_view decoration, Origin& origin) {
  constexpr std::string_view bar = "  |";
  const std::size_t end = decoration.find(bar);
  if (end == std::string_view::npos) return;
  const std::string_view name = decoration.substr(0, decoration.find(' '));
  std::string_view rest = decoration.substr(end + bar.size());
  if (decoration.find_first_not_of(' ', name.size()) != end + bar.size() - 1 || !take_column(rest).empty()) return;
  if (is_numbered(name, "-_") && std::all_of(name.begin(), name.end(), is_service_char) && is_tag(rest))
    origin.pod = name;
}

}  // namespace

void read_column_tags(std::string_view decoration, Origin& origin) {
  if (decoration.find(' ') == std::string_view::npos) return;
  if (read_pod(decoration, origin)) return;
  std::string_view rest = decoration;
  if (is_label(take_column(rest)) && read_pod(rest, origin)) return;
  read_service(decoration, origin);
}

}  // namespace nccl_analyze
