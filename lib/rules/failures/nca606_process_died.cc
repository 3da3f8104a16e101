// NCA606 reports processes that died without logging an error, inferred from errors of their peers and missing lines.

#include <utility>

#include "nccl_analyze/rule.h"
#include "rules/support/evidence.h"
#include "rules/support/message_text.h"
#include "rules/support/places.h"
#include "rules/support/ranks.h"
#include "rules/support/vanished.h"

namespace nccl_analyze {

namespace {

Verdict check(const Model& model) {
  Verdict verdict;
  for (Death& death : find_deaths(model)) {
    const Communicator& comm = model.communicators[death.communicator];
    const Rank* rank = find_rank(comm, death.rank);
    const Process* process = rank == nullptr ? nullptr : process_of(model, rank->process);
    Finding& finding = verdict.findings.emplace_back();
    finding.message =
        concat("Rank ", death.rank, process == nullptr ? std::string() : concat(" (", process_text(*process), ")"),
               death.circumstantial ? " probably died: " : " vanished without an error of its own: ", death.sign);
    if (process != nullptr) {
      add_line(finding.evidence, process->last);
      add_line(finding.evidence, process->bootstrap_at);  // Errors of peers contain this address.
      finding.processes = {rank->process};
    }
    finding.evidence.add(death.evidence);
    finding.communicators = {death.communicator};
    finding.ranks = {death.rank};
  }
  return verdict;
}

}  // namespace

extern constinit const Rule process_died{
    {.id = "NCA606",
     .name = "process-died",
     .severity = Severity::error,
     .stage = Stage::process,
     .check = "ranks",
     .only_if_unexplained = true,
     .provisional = true,
     .title = "A process died without logging an error",
     .explanation =
         R"(This rank's log stops in the middle: no error, no end of life. The other ranks notice it by its
closed connections. A process that NCCL or CUDA fails says so; one that says nothing was killed (SIGKILL: out of
memory, eviction, spot reclaim, a scheduler's time limit), crashed with a signal, or left through an error of
the program, which stands in its own log and not in NCCL's.)",
     .fix =
         R"(1. The container's end:
   `kubectl get pod POD -o jsonpath='{.status.containerStatuses[*].lastState.terminated}'`. `OOMKilled` or exit
   code 137: raise `resources.limits.memory` (data loader workers, pinned memory and /dev/shm count), or use
   less of it. 139: crash (segmentation fault). 143: told to stop (eviction, preemption, rollout).
2. `kubectl logs --previous POD` and the last lines of the program for a traceback.
3. The node: `kubectl describe node`, `kubectl get events -A --sort-by=.lastTimestamp`,
   `dmesg -T | grep -iE 'oom|killed|xid|amdgpu'`; spot instances: the interruption notice.
4. If several are named, the first one is the likely start; the others may have followed.)"},
    check};

}  // namespace nccl_analyze
