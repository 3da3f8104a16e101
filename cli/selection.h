#pragma once
/// Selects the rules to apply: `--select` and `--ignore`.

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "nccl_analyze/rule.h"

namespace nccl_analyze {

struct Selection {
  std::vector<const Rule*> rules;     ///< In id order.
  std::vector<const RuleInfo*> site;  ///< Rules of the site.
};

/// Selects the rules that `select` names (empty: all) and `ignore` does not, from the built-in rules and `site`. A word
/// is an id, a prefix of ids or a name. Throws Failure on a word that names no rule.
Selection select_rules(const std::vector<std::string>& select, const std::vector<std::string>& ignore,
                       std::span<const RuleInfo* const> site);

/// The built-in rule with this id or name. If there is none, throws Failure with the most similar name.
const Rule& require_rule(std::string_view id_or_name);

}  // namespace nccl_analyze
