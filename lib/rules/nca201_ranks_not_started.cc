// Ranks that the others wait for and that never reached NCCL.

#include <utility>

#include "rules/rule_support.h"
#include "rules/vanished.h"

namespace nccl_analyze {

namespace {

Verdict check(const Model& model) {
  Verdict verdict;
  for (const Unstarted& unstarted : find_unstarted(model)) {
    const Communicator& comm = model.communicators[static_cast<std::size_t>(unstarted.communicator)];
    const std::vector<int> waiting = logged_ranks(comm);
    Occurrence& occurrence = verdict.occurrences.emplace_back();
    occurrence.message = cat(capitalized(ranks_text(waiting)), " of ", comm.nranks, " wait in the bootstrap for ",
                             ranks_text(unstarted.ranks), ", of which this input has no Init START");
    for (const Rank& rank : comm.ranks) add_line(occurrence.evidence, rank.started_at);
    if (occurrence.evidence.count == 0) occurrence.evidence = evidence_at(comm.first);
    occurrence.communicators = {unstarted.communicator};
    occurrence.ranks = unstarted.ranks;
    for (const int rank : unstarted.ranks)
      if (occurrence.suspects.size() < 64)
        occurrence.suspects.push_back({.rank = rank, .process = -1, .why = "no Init START of it is in this input"});
  }
  return verdict;
}

}  // namespace

extern constinit const Rule ranks_not_started{
    {.id = "NCA201",
     .name = "ranks-not-started",
     .severity = Severity::error,
     .stage = Stage::process,
     .check = "ranks init",
     .only_if_unexplained = true,
     .waits_for_end = true,
     .title = "Ranks never joined the communicator",
     .explanation = R"(A communicator is complete only when every rank has called ncclCommInitRank. NCCL itself
never gives up waiting: the ranks that came block in the bootstrap without another line, until the framework's
timeout. The ranks named here did not print `Init START`, which NCCL prints before the bootstrap since 2.23. Either
their process never got that far (not scheduled, image pull, crash while importing, stuck while loading data, waiting
at another barrier), or it did and its log is not in this input.

It is not a fault of NCCL's network: a rank that cannot reach the others prints `Init START` first. It may be one of
the program's: a rank that cannot reach `MASTER_ADDR` never gets NCCL's unique id. Up to 2.22 `Init START` comes
after the bootstrap and proves that all ranks have joined, so nothing is said of those versions.)",
     .fix =
         R"(1. Look at the missing ranks' processes, not at those that wait: `kubectl get pods -o wide`
   (Pending, CrashLoopBackOff, ContainerCreating?), `kubectl describe pod`, `kubectl logs --previous`. No GPU
   free, quota and node taints are common.
2. If they run, see what they do: `py-spy dump --pid PID` in the pod. A rank that loads data or compiles while
   the others already initialise arrives late; one with another world size or another rendezvous address never
   arrives.
3. Compare `WORLD_SIZE`, `RANK`, `MASTER_ADDR` and `MASTER_PORT` (or the torchrun rendezvous id) over all pods, and
   try the way to them from a missing one: `nc -zv MASTER_ADDR MASTER_PORT`.
4. If their logs merely are not here, add them to the input.)"},
    check};

}  // namespace nccl_analyze
