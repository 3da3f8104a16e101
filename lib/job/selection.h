#pragma once
/// Finds rules by the words of a user: `--select`, `--ignore`, `rules`, `explain`. select_rules() is in analyzer.h.

#include <span>
#include <string>
#include <vector>

#include "nccl_analyze/requirements.h"
#include "nccl_analyze/rule.h"

namespace nccl_analyze {

/// Returns the texts of the built-in rules in id order, then those of `site`, which must outlive the result.
std::vector<const RuleInfo*> known_rules(const SiteRules& site);

/// The rules that the user's words name.
struct NamedRules {
  std::vector<const RuleInfo*> rules;
  std::string error;  ///< The first word that names no rule, and what may have been meant; empty on success.
};
/// Returns the rules that at least one of `words` names, in the order of `known`; all rules if there are no words. A
/// word names one rule by id (NCA302), number (302) or name, or else all rules whose ids begin with it (NCA3, 3).
NamedRules find_rules(std::span<const std::string> words, std::span<const RuleInfo* const> known);

}  // namespace nccl_analyze
