// NCA801 reports expectations of the user (--expect, profiles) that the log disproves.

#include "nccl_analyze/rule.h"

namespace nccl_analyze::nca801 {

namespace {

/// Finds nothing: check_expectations() creates this rule's findings, because check() gets no expectations.
RuleResult check(const Model&) { return {}; }

}  // namespace

extern constinit const RuleWords words;

extern constinit const Rule rule{
    {.id = "NCA801", .name = "expectation-failed", .severity = Severity::error, .provisional = true, .words = &words},
    check};

}  // namespace nccl_analyze::nca801
