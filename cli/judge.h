#pragma once
/// Judges a finished model by rules and requirements, for every command that reads logs and for the C library.

#include "cli/selection.h"
#include "cli/user_requirements.h"
#include "nccl_analyze/model.h"
#include "nccl_analyze/requirements.h"
#include "nccl_analyze/rule.h"

namespace nccl_analyze {

/// Applies the built-in rules, then the site's rules, then the expectations, because an expectation may forbid
/// warnings. `messages_seen`: whether `matcher` has received every record; see SiteMatcher::judge().
Report judge(const UserRequirements& requirements, const SiteMatcher& matcher, const Selection& selection,
             bool messages_seen, Model& model);

}  // namespace nccl_analyze
