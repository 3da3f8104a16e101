// NCA803 reports what differs from a good run (--baseline).

#include "nccl_analyze/rule.h"

namespace nccl_analyze::nca803 {

namespace {

/// check_baseline() creates this rule's findings, because a rule sees only the model and not the good run.
Verdict check(const Model&) { return {}; }

}  // namespace

extern constinit const Rule rule{
    {.id = "NCA803",
     .name = "baseline-differs",
     .severity = Severity::warning,
     .provisional = true,
     .title = "The job is not set up as in the good run",
     .explanation =
         R"(`--baseline` names a good run, and this run differs from it. The message lists the facts in which they differ,
causes before their effects, with the value found here and the value of the good run.

The finding is a note if nothing differs but versions, settings, machines, communicators, algorithms, rings and trees:
these matter only if something else became worse. Hosts are compared by the ranks that run on them, not by name. What
one of the runs does not show is no difference.)",
     .fix =
         R"(1. Compare the runs in full: `nccl-analyze diff GOOD THIS` lists causes, such as settings and versions, before
   what follows from them.
2. If the change was meant, make a new baseline: `nccl-analyze -f summary -o good.sum LOGS`.)"},
    check};

}  // namespace nccl_analyze::nca803
