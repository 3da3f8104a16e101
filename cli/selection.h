#pragma once
/// Which rules judge: `--select` and `--ignore`.

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "nccl_analyze/rule.h"

namespace nccl_analyze {

struct Selection {
  std::vector<const Rule*> rules;     ///< In id order.
  std::vector<const RuleInfo*> site;  ///< Of the site's own.
};

/// The rules of `select` (empty: all) without those of `ignore`; `site` are added to the built-in ones. Each word is an
/// id, a prefix of ids or a name; throws Failure on a word that names no rule.
Selection select_rules(const std::vector<std::string>& select, const std::vector<std::string>& ignore,
                       std::span<const RuleInfo* const> site);

/// The rule of this id or name; throws Failure when there is none, with the nearest name.
const Rule& require_rule(std::string_view id_or_name);

}  // namespace nccl_analyze
