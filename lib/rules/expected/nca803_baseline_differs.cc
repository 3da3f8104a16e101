// NCA803 reports what differs from a good run (--baseline).

#include "nccl_analyze/rule.h"

namespace nccl_analyze::nca803 {

/// Finds nothing: check_baseline() creates this rule's findings, because check() does not get the good run.
RuleResult check(const Model&) { return {}; }

}  // namespace nccl_analyze::nca803
