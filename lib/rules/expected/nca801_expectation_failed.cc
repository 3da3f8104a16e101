// NCA801 reports expectations of the user (--expect, profiles) that the log disproves.

#include "nccl_analyze/rule.h"

namespace nccl_analyze::nca801 {

/// Finds nothing: check_expectations() creates this rule's findings, because check() gets no expectations.
RuleResult check(const Model&) { return {}; }

}  // namespace nccl_analyze::nca801
