#pragma once
/// The user's requirements on the job, from command-line options: expectations, a profile, site-specific rules, and a
/// good run as baseline.

#include <optional>
#include <string>
#include <vector>

#include "cli/input/read_files.h"
#include "cli/logging.h"
#include "cli/options.h"
#include "nccl_analyze/compare.h"
#include "nccl_analyze/requirements.h"

namespace nccl_analyze {

struct UserRequirements {
  std::vector<Expectation> expectations;  ///< From --expect, then from the profile unless --expect overrides it.
  std::string profile, source;            ///< Name and source of the profile; empty without one.
  SiteRules site;
  std::optional<RunFacts> baseline;  ///< The good run of --baseline; empty without this option.
  ProtectedInputs read;              ///< The files of these options.
};
/// Reads the files of --rules; throws Failure on the first error.
SiteRules read_site_rules(const std::vector<std::string>& paths);

/// Parses the options and the files that the options name; throws Failure on the first error.
UserRequirements read_user_requirements(const Options& options, Log& log);

/// The built-in profile of this name; throws Failure when there is none.
Profile require_profile(const std::string& name);

}  // namespace nccl_analyze
