#pragma once
/// The commands that print the program's own tables and texts: rules, profiles, schemas.

#include <iosfwd>
#include <span>
#include <string>
#include <vector>

#include "cli/options.h"
#include "input/logging.h"
#include "nccl_analyze/requirements.h"

namespace nccl_analyze {

// Each function writes to standard output and returns the exit status. It throws Failure if the work cannot be done.
int run_rules(const Options& options, Log& log);
int run_explain(const Options& options, Log& log);
int run_profiles(const Options& options, Log& log);
int run_expect_bandwidth(const Options& options, Log& log);
int run_print(const Options& options, Log& log);

/// Returns the rules that `words` name. Throws Failure if a word names no rule.
std::vector<const RuleInfo*> require_rules(std::span<const std::string> words, const SiteRules& site);
/// Explains the rules that `words` name, or the line of a log that they form if one has a blank. Returns false for a
/// line that is not recognised. Throws Failure, and writes nothing, if a word names no rule.
bool write_explanation(std::ostream& out, std::span<const std::string> words, const SiteRules& site,
                       const TextOptions& how);

}  // namespace nccl_analyze
