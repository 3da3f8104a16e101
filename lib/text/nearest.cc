// Measures the distance of names. The names are few and short, so `word` is compared with every name.

#include "text/nearest.h"

#include <algorithm>
#include <cstddef>
#include <numeric>

#include "text/lower_case.h"

namespace nccl_analyze {
namespace {

/// Returns the number of typing errors between two words: the Levenshtein distance, but two swapped neighbours count as
/// one error. Only three rows of the matrix are stored.
std::size_t typing_errors(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before(b.size() + 1), last(b.size() + 1), row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::swap(before, last);
    std::swap(last, row);
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1)});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) row[j] = std::min(row[j], before[j - 2] + 1);
    }
  }
  return row[b.size()];
}

/// Whether a part of `name` between hyphens begins with `word`.
bool begins_a_part(std::string_view name, std::string_view word) {
  for (std::size_t at = name.find(word); at != std::string_view::npos; at = name.find(word, at + 1))
    if (at == 0 || name[at - 1] == '-') return true;
  return false;
}

}  // namespace

std::vector<std::string_view> nearest_names(std::string_view word, std::span<const std::string_view> names) {
  constexpr std::size_t shortest = 2, longest = 64, most = 4;
  if (word.size() < shortest || word.size() > longest) return {};
  const std::string wanted = lower_case(word);
  std::size_t best = std::max<std::size_t>(1, word.size() / 3);
  std::vector<std::string_view> found, begun;
  for (const std::string_view name : names) {
    const std::string candidate = lower_case(name);
    if (begins_a_part(candidate, wanted)) begun.push_back(name);
    const std::size_t errors = typing_errors(wanted, candidate);
    if (errors > best) continue;
    if (errors < best) found.clear();
    best = errors;
    found.push_back(name);
  }
  if (found.empty()) found = std::move(begun);
  return found.size() > most ? std::vector<std::string_view>{} : found;
}

std::string did_you_mean(std::string_view word, std::span<const std::string_view> names) {
  const std::vector<std::string_view> found = nearest_names(word, names);
  std::string text;
  for (std::size_t i = 0; i < found.size(); ++i) {
    text += i == 0 ? "; did you mean " : i + 1 == found.size() ? " or " : ", ";
    text += found[i];
  }
  return text.empty() ? text : text + "?";
}

}  // namespace nccl_analyze
