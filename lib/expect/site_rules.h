#pragma once
/// What a site rule is once it was read.

#include <re2/re2.h>
#include <re2/set.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "expect/site_conditions.h"
#include "nccl_analyze/requirements.h"

namespace nccl_analyze {

/// Not moved once it is made: `info` points into the texts.
struct SiteRule {
  std::string id, name, title, explanation, fix;
  RuleInfo info;
  std::unique_ptr<RE2> message;  ///< nullptr: conditions alone.
  std::optional<Level> level;    ///< Only records of this level.
  std::uint64_t at_least = 1;    ///< So many records must match.
  std::vector<SiteCondition> conditions;
};

struct SiteRules::Impl {
  std::vector<std::unique_ptr<SiteRule>> rules;
  std::vector<const SiteRule*> patterns;  ///< Those with a message, as `set` numbers them.
  std::unique_ptr<RE2::Set> set;          ///< All messages at once; nullptr when there is none.
};

}  // namespace nccl_analyze
