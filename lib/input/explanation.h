#pragma once
/// Rules and lines of a log that a user asks about.

#include <iosfwd>
#include <span>
#include <string>
#include <vector>

#include "nccl_analyze/report.h"
#include "nccl_analyze/requirements.h"

namespace nccl_analyze {

/// Returns the rules that `words` name; all rules if there are no words. Throws Failure if a word names no rule.
std::vector<const RuleInfo*> require_rules(std::span<const std::string> words, const SiteRules& site);

/// Explains the rules that `words` name, or the line of a log that they form if one has a blank. Returns false for a
/// line that is not recognised. Throws Failure, and writes nothing, if a word names no rule.
bool write_explanation(std::ostream& out, std::span<const std::string> words, const SiteRules& site,
                       const TextOptions& how);

}  // namespace nccl_analyze
