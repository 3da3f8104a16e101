#pragma once
/// Finds rules by the words of a user: `--select`, `--ignore`, `rules`, `explain`.

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "nccl_analyze/requirements.h"
#include "nccl_analyze/rule.h"

namespace nccl_analyze {

/// The texts of the built-in rules in id order, then those of `site`, which must outlive the result.
std::vector<const RuleInfo*> known_rules(const SiteRules& site);

/// The rules that a word means: one by id (NCA302), number (302) or name, else all whose ids begin with it (NCA3, 3).
/// Throws Failure with what may have been meant if there are none.
std::vector<const RuleInfo*> require_rules(std::string_view word, std::span<const RuleInfo* const> known);

/// The rules that at least one of `words` selects, in the order of `known`; all rules if there are no words.
std::vector<const RuleInfo*> require_rules(std::span<const std::string> words, std::span<const RuleInfo* const> known);

struct Selection {
  std::vector<const Rule*> rules;     ///< In id order.
  std::vector<const RuleInfo*> site;  ///< Rules of the site.
};

/// Selects the rules that `select` names (empty: all) and `ignore` does not, from the built-in rules and those of
/// `site`. Throws Failure on a word that names no rule.
Selection select_rules(const std::vector<std::string>& select, const std::vector<std::string>& ignore,
                       const SiteRules& site);

}  // namespace nccl_analyze
