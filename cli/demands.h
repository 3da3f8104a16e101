#pragma once
/// What the user brings along: expectations, a profile, rules of the site.

#include <string>
#include <vector>

#include "cli/options.h"
#include "nccl_analyze/requirements.h"

namespace nccl_analyze {

struct Demands {
  std::vector<Expectation> expectations;  ///< Of the options, then of the profile what they leave.
  SiteRules site;
};
/// Reads words and files; throws Failure on the first mistake.
Demands read_demands(const Options& options);

/// The built-in profile of this name; throws Failure when there is none.
Profile require_profile(const std::string& name);

}  // namespace nccl_analyze
