// Finds rules by id, number, name or the beginning of ids, and suggests what a misspelt word may have meant.

#include "job/selection.h"

#include <algorithm>
#include <cctype>
#include <iterator>

#include "nccl_analyze/analyzer.h"
#include "text/nearest.h"

namespace nccl_analyze {
namespace {

using Infos = std::span<const RuleInfo* const>;

std::string upper(std::string_view text) {
  std::string result(text);
  for (char& c : result) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return result;
}

bool is_number(std::string_view text) {
  return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
}

/// Returns the id, or the beginning of ids, that a word abbreviates: NCA3 for `nca3` and `3`.
std::string id_of(std::string_view word) { return is_number(word) ? "NCA" + std::string(word) : upper(word); }

std::vector<const RuleInfo*> rules_named(std::string_view word, Infos known) {
  constexpr std::size_t shortest = 3;  // the length of `NCA`, with which built-in ids begin
  const std::string id = id_of(word);
  std::vector<const RuleInfo*> found;
  const auto find = [&](auto means) { std::ranges::copy_if(known, std::back_inserter(found), means); };
  find([&](const RuleInfo* rule) { return rule->id == id || rule->name == word; });
  if (found.empty() && id.size() >= shortest) find([&](const RuleInfo* rule) { return rule->id.starts_with(id); });
  return found;
}

/// Returns advice on a word that looks like a built-in id but is none. NCA3O1 has a letter in place of a digit. NCA31x
/// resembles too many ids, so the advice is a command that lists all ids that begin with NCA31. May be empty.
std::string advice_on_id(std::string_view id, Infos known) {
  std::string folded(id);
  for (std::size_t i = 3; i < folded.size(); ++i) {
    if (folded[i] == 'O') folded[i] = '0';
    if (folded[i] == 'I' || folded[i] == 'L') folded[i] = '1';
  }
  if (const auto meant = rules_named(folded, known); meant.size() == 1)
    return "; did you mean " + std::string(meant[0]->id) + " " + std::string(meant[0]->name) + "?";
  while (folded.size() > 3 && rules_named(folded, known).empty()) folded.pop_back();
  return folded.size() > 3 ? "; `nccl-analyze rules " + folded + "` lists those that there are" : "";
}

/// Returns the error message for a word that names no rule, with a suggestion of what may have been meant.
std::string advice_on_word(std::string_view word, Infos known) {
  std::string advice;
  if (const std::string id = id_of(word); id.starts_with("NCA") && id.size() <= 16) {
    advice = advice_on_id(id, known);
  } else {
    std::vector<std::string_view> names;
    for (const RuleInfo* rule : known) names.insert(names.end(), {rule->name, rule->id});
    advice = did_you_mean(word, names);
  }
  if (advice.empty()) advice = "; `nccl-analyze rules` lists them";
  return "no rule is called \"" + std::string(word) + "\"" + advice;
}

}  // namespace

std::vector<const RuleInfo*> known_rules(const SiteRules& site) {
  std::vector<const RuleInfo*> known;
  for (const Rule* rule : all_rules()) known.push_back(&rule->info);
  std::ranges::copy(site.infos(), std::back_inserter(known));
  return known;
}

NamedRules find_rules(std::span<const std::string> words, Infos known) {
  if (words.empty()) return {{known.begin(), known.end()}, {}};
  std::vector<const RuleInfo*> meant;
  for (const std::string& word : words) {
    const std::vector<const RuleInfo*> named = rules_named(word, known);
    if (named.empty()) return {{}, advice_on_word(word, known)};
    meant.insert(meant.end(), named.begin(), named.end());
  }
  NamedRules found;
  std::ranges::copy_if(known, std::back_inserter(found.rules),
                       [&](const RuleInfo* rule) { return std::ranges::find(meant, rule) != meant.end(); });
  return found;
}

RuleSelection select_rules(const std::vector<std::string>& select, const std::vector<std::string>& ignore,
                           const SiteRules& site) {
  const std::vector<const RuleInfo*> known = known_rules(site);
  const NamedRules wanted = find_rules(select, known);
  const NamedRules unwanted = ignore.empty() ? NamedRules{} : find_rules(ignore, known);
  RuleSelection selection{{}, {}, wanted.error.empty() ? unwanted.error : wanted.error};
  if (!selection.error.empty()) return selection;
  const auto is_wanted = [&](const RuleInfo* rule) {
    return std::ranges::find(wanted.rules, rule) != wanted.rules.end() &&
           std::ranges::find(unwanted.rules, rule) == unwanted.rules.end();
  };
  std::ranges::copy_if(all_rules(), std::back_inserter(selection.rules),
                       [&](const Rule* rule) { return is_wanted(&rule->info); });
  std::ranges::copy_if(site.infos(), std::back_inserter(selection.site), is_wanted);
  return selection;
}

}  // namespace nccl_analyze
