// NCA207 reports that the bootstrap root refused a rank, because ranks disagree about rank numbers or the size of the
// job.

#include "nccl_analyze/rule.h"
#include "rules/support/findings.h"
#include "rules/support/message_text.h"

namespace nccl_analyze::nca207 {

namespace {

Verdict check(const Model& model) {
  Verdict verdict;
  verdict.findings = topic_findings(model, "world-split", [](const Incident& incident) {
    return concat("The root refuses a rank: ", excerpt(incident.message));
  });
  return verdict;
}

}  // namespace

extern constinit const Rule rule{
    {.id = "NCA207",
     .name = "world-split",
     .severity = Severity::error,
     .stage = Stage::configuration,
     .check = "ranks init",
     .title = "Ranks disagree about the job",
     .explanation =
         R"(The ranks meet at a root, which one of them opens and announces to the others. Two of them came with
the same rank, or with another number of ranks. Either the launchers disagree (world size, node rank), or two
jobs use one rendezvous address.)",
     .fix =
         R"(1. Compare `WORLD_SIZE`, `RANK`, `LOCAL_RANK`, `--nnodes`, `--node-rank` and
   `MASTER_ADDR:MASTER_PORT` over all pods. Each rank must exist once.
2. After a restart, are pods of the earlier attempt still alive? Delete them, or use a new rendezvous id.
3. Two jobs on one machine with the same `MASTER_PORT` or `NCCL_COMM_ID`: give each its own.)"},
    check};

}  // namespace nccl_analyze::nca207
