// NCA802 reports expectations of the user (--expect, profiles) that the log can neither prove nor disprove.

#include "nccl_analyze/rule.h"

namespace nccl_analyze::nca802 {

namespace {

/// Finds nothing: check_expectations() creates this rule's findings, because check() gets no expectations.
RuleResult check(const Model&) { return {}; }

}  // namespace

extern constinit const RuleWords words;

extern constinit const Rule rule{{.id = "NCA802",
                                  .name = "expectation-unknown",
                                  .severity = Severity::warning,
                                  .provisional = true,
                                  .words = &words},
                                 check};

}  // namespace nccl_analyze::nca802
