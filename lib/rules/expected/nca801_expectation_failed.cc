// NCA801 reports expectations of the user (--expect, profiles) that the log disproves.

#include "nccl_analyze/rule.h"

namespace nccl_analyze::nca801 {

namespace {

/// check_expectations() creates this rule's findings, because a rule sees only the model and not the expectations.
Verdict check(const Model&) { return {}; }

}  // namespace

extern constinit const Rule rule{
    {.id = "NCA801",
     .name = "expectation-failed",
     .severity = Severity::error,
     .provisional = true,
     .title = "The job is not what was expected",
     .explanation =
         R"(`--expect`, `--expect-ranks` or `--profile` says what the job or its machines should show, and the
log shows something else. The message names the expectation and what was found instead, on which hosts; the quoted
lines are those that tell it. Each expectation also stands among the checks, with pass, fail or unknown.

The rule speaks only of what the log proves: a NIC that no line mentions is unknown (NCA802), not missing.)",
     .fix = R"(1. Compare the hosts that the message names with one that passes: image, driver, device plugin,
   `NCCL_*` settings, cabling.
2. If another finding stands above this one, it is likely the cause: a network plugin that failed explains the wrong
   network.
3. If the job is right and the expectation is not, change it: `nccl-analyze profiles NAME` prints a profile as a
   file that can be edited, and `--expect` replaces single words of a profile.)"},
    check};

}  // namespace nccl_analyze::nca801
