// NCA803 reports what differs from a good run (--baseline).

#include "nccl_analyze/rule.h"

namespace nccl_analyze::nca803 {

namespace {

/// Finds nothing: check_baseline() creates this rule's findings, because check() does not get the good run.
RuleResult check(const Model&) { return {}; }

}  // namespace

extern constinit const RuleWords words;

extern constinit const Rule rule{
    {.id = "NCA803", .name = "baseline-differs", .severity = Severity::warning, .provisional = true, .words = &words},
    check};

}  // namespace nccl_analyze::nca803
