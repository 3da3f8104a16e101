#pragma once
/// Internal form of site rules, shared by the reader of rule files and the matcher.

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

/// A site rule. It must not be moved once it is read, because `info` holds views of its texts.
struct SiteRule {
  std::string id, name, title, explanation, fix;
  RuleWords words;  ///< Views of the texts above.
  RuleInfo info;
  std::unique_ptr<RE2> message;  ///< Pattern for messages; nullptr for a rule that has conditions only.
  std::optional<Level> level;    ///< Level that records must have; nullopt accepts every level.
  std::uint64_t at_least = 1;    ///< Least number of matching records.
  std::vector<SiteCondition> conditions;
};

struct SiteRules::Impl {
  std::vector<std::unique_ptr<SiteRule>> rules;
  std::vector<const SiteRule*> patterns;  ///< Rules with a pattern, indexed by the pattern's number in `set`.
  std::unique_ptr<RE2::Set> set;          ///< All patterns in one automaton; nullptr if no rule has a pattern.
};

}  // namespace nccl_analyze
