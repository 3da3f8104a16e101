// NCA802 reports expectations of the user (--expect, profiles) that the log can neither prove nor disprove.

#include "nccl_analyze/rule.h"

namespace nccl_analyze::nca802 {

namespace {

/// check_expectations() creates this rule's findings, because a rule sees only the model and not the expectations.
Verdict check(const Model&) { return {}; }

}  // namespace

extern constinit const Rule rule{
    {.id = "NCA802",
     .name = "expectation-unknown",
     .severity = Severity::warning,
     .provisional = true,
     .title = "The log does not tell whether the job is as expected",
     .explanation =
         R"(Some of what `--expect`, `--expect-ranks` or `--profile` asks for could not be judged: the lines that
would tell it are not in this input. That is no fault of the job, and no proof that it is right either. With
`--fail-on warning` the exit status is 1 until everything that is expected is shown.)",
     .fix = R"(1. Run the job with `NCCL_DEBUG=INFO` and `NCCL_DEBUG_SUBSYS=INIT,ENV,BOOTSTRAP,NET,GRAPH` on all ranks.
   `GRAPH` prints NVLink and the NICs, `NET` their speed and GPUDirect RDMA.
2. Let it run at least one collective over all ranks: connections are made then.
3. Collect the output of every rank from its first line, and give all of it at once.)"},
    check};

}  // namespace nccl_analyze::nca802
