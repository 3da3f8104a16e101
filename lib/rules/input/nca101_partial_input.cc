// NCA101 reports ranks of the job without any line in the input, because their logs may show the cause of a failure.

#include <algorithm>

#include "nccl_analyze/rule.h"
#include "rules/support/evidence.h"
#include "rules/support/message_text.h"
#include "rules/support/ranks.h"

namespace nccl_analyze::nca101 {

namespace {

Verdict check(const Model& model) {
  Verdict verdict;
  for (std::size_t i = 0; i < model.communicators.size(); ++i) {
    const Communicator& comm = model.communicators[i];
    // The ranks of a split communicator are ranks of its parent, so the parent's finding covers them.
    if (comm.parent >= 0 || comm.inferred || comm.nranks < 1) continue;
    const std::vector<int> missing = unlogged_ranks(comm);
    if (missing.empty()) continue;
    std::string message =
        concat(comm.ranks.size(), " of ", count_text(static_cast<std::size_t>(comm.nranks), "rank"), " in this input");
    if (!comm.ranks.empty()) message += concat(": ", ranks_text(logged_ranks(comm)));
    message += concat("; not seen in it: ", ranks_text(missing));
    Finding& finding = verdict.findings.emplace_back();
    finding.message = std::move(message);
    finding.evidence = evidence_at(comm.first);
    finding.communicators = {static_cast<Index>(i)};
    finding.ranks = logged_ranks(comm);
  }
  return verdict;
}

}  // namespace

extern constinit const Rule rule{
    {.id = "NCA101",
     .name = "partial-input",
     .severity = Severity::info,
     .provisional = true,
     .title = "The input holds only a part of the job",
     .explanation = R"(The communicator has more ranks than have lines in this input. That is normal for the log
of one pod. It limits what can be said: the connections between other ranks, their transports, their timings and
their errors are not known. The cause of a failure is often in the log of a rank that is not here.)",
     .fix = R"(To judge the whole job, give the logs of all its ranks in one run:

- Kubernetes:
  `kubectl logs --prefix --timestamps -l JOB_LABEL --all-containers --max-log-requests 64 --tail=-1 | nccl-analyze`
  (`--tail=-1`: with a selector kubectl otherwise shows only the last 10 lines of each pod).
- Files: `NCCL_DEBUG_FILE=/logs/nccl.%h.%p.log`, then name the folder. Without `%p` the ranks of a host
  overwrite each other's file.
- Some launchers keep only the output of rank 0: check their option for the output of the other ranks.)"},
    check};

}  // namespace nccl_analyze::nca101
