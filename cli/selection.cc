// Finds the rules of --select and --ignore, and suggests a name for a misspelt one.

#include "cli/selection.h"

#include <algorithm>
#include <cctype>
#include <iterator>
#include <numeric>

#include "cli/failure.h"

namespace nccl_analyze {
namespace {

std::string upper(std::string_view text) {
  std::string result(text);
  for (char& c : result) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return result;
}

bool names(std::string_view word, const RuleInfo& rule) {
  return word == rule.name || (word.size() >= 3 && rule.id.starts_with(upper(word)));
}

/// Levenshtein distance; only one row of the matrix is stored.
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i + 1;
    for (std::size_t j = 0; j < b.size(); ++j) {
      const std::size_t replaced = diagonal + (a[i] == b[j] ? 0 : 1);
      diagonal = row[j + 1];
      row[j + 1] = std::min({row[j + 1] + 1, row[j] + 1, replaced});
    }
  }
  return row[b.size()];
}

[[noreturn]] void refuse(std::string_view word) {
  std::string message = "no rule is called \"" + std::string(word) + "\"";
  std::string_view nearest;
  std::size_t best = std::max<std::size_t>(2, word.size() / 3) + 1;
  for (const Rule* rule : all_rules()) {
    const std::string id = upper(word);
    const std::size_t distance = std::min(edit_distance(word, rule->info.name), edit_distance(id, rule->info.id) + 1);
    if (distance < best) {
      best = distance;
      nearest = rule->info.name;
    }
  }
  if (nearest.empty()) throw Failure(message + "; `nccl-analyze rules` lists them");
  throw Failure(message + "; did you mean " + std::string(nearest) + "?");
}

bool any_names(const std::vector<std::string>& words, const RuleInfo& rule) {
  return std::ranges::any_of(words, [&](const std::string& word) { return names(word, rule); });
}

}  // namespace

Selection select_rules(const std::vector<std::string>& select, const std::vector<std::string>& ignore,
                       std::span<const RuleInfo* const> site) {
  const auto is_known = [&](const std::string& word) {
    return std::ranges::any_of(all_rules(), [&](const Rule* rule) { return names(word, rule->info); }) ||
           std::ranges::any_of(site, [&](const RuleInfo* info) { return names(word, *info); });
  };
  for (const auto* words : {&select, &ignore})
    for (const std::string& word : *words)
      if (!is_known(word)) refuse(word);

  const auto is_wanted = [&](const RuleInfo& info) {
    return (select.empty() || any_names(select, info)) && !any_names(ignore, info);
  };
  Selection selection;
  std::ranges::copy_if(all_rules(), std::back_inserter(selection.rules),
                       [&](const Rule* rule) { return is_wanted(rule->info); });
  std::ranges::copy_if(site, std::back_inserter(selection.site),
                       [&](const RuleInfo* info) { return is_wanted(*info); });
  return selection;
}

const Rule& require_rule(std::string_view id_or_name) {
  if (const Rule* rule = find_rule(id_or_name)) return *rule;
  if (const Rule* rule = find_rule(upper(id_or_name))) return *rule;
  refuse(id_or_name);
}

}  // namespace nccl_analyze
