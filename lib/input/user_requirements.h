#pragma once
/// The user's requirements on the job: expectations, a profile, site-specific rules, and a good run as baseline.

#include <optional>
#include <string>
#include <vector>

#include "input/input_wait.h"
#include "input/logging.h"
#include "input/protected_inputs.h"
#include "nccl_analyze/analyzer.h"

namespace nccl_analyze {

/// What the user wrote, named like the options of the command line.
struct RequirementWords {
  std::vector<std::string> select = {}, ignore = {};  ///< Rules to apply (empty: all), and rules to leave out.
  std::vector<std::string> expect = {};
  std::optional<std::string> profile = std::nullopt;   ///< The name of a built-in profile, or a file.
  std::vector<std::string> rules = {};                 ///< Files with rules of the site.
  std::optional<std::string> baseline = std::nullopt;  ///< Logs, summaries or a report of a good run.
};

struct UserRequirements {
  AnalyzerOptions options;  ///< `selection` and `requirements` are set. `expect` overrides the profile.
  ProtectedInputs read;     ///< The files that were read.
};
/// Parses the words and the files that they name; throws Failure on the first error. `wait`: see InputWait.
UserRequirements read_requirements(const RequirementWords& words, Log& log, WaitForBytes wait = {});

/// Reads files with rules of a site; throws Failure on the first error.
SiteRules read_site_rules(const std::vector<std::string>& paths);

/// Returns the built-in profile of this name; throws Failure when there is none.
Profile require_profile(const std::string& name);

}  // namespace nccl_analyze
