// NCA309 reports RDMA calls that got no memory, mostly because of the limit on locked memory.

#include <utility>

#include "nccl_analyze/events/ib.h"
#include "nccl_analyze/rule.h"
#include "rules/support/message_text.h"
#include "rules/support/pods.h"
#include "rules/support/rdma_fault.h"
#include "rules/support/rdma_findings.h"
#include "rules/support/rdma_outcome.h"
#include "rules/support/site.h"

namespace nccl_analyze::nca309 {

namespace {

constexpr std::string_view base_fix =
    R"(1. In the job itself, on the host that fails: `ulimit -l` must say `unlimited`
   (`grep locked /proc/PID/limits` for a running process). A login shell may differ from what the launcher starts.
2. **Docker**: `--ulimit memlock=-1 --cap-add IPC_LOCK` (`ulimits: {memlock: -1}` in compose).
3. **Slurm**: `PropagateResourceLimitsExcept=MEMLOCK` in slurm.conf, and `LimitMEMLOCK=infinity` in slurmd's unit;
   `/etc/security/limits.conf` alone does not reach services.
4. **Kubernetes**: `securityContext: {capabilities: {add: ["IPC_LOCK"]}}`, and `LimitMEMLOCK=infinity` in the unit of
   containerd or docker on the nodes.
5. MPI over ssh: `* soft memlock unlimited` and `* hard memlock unlimited` in `/etc/security/limits.conf` of all hosts,
   then a new login; `UsePAM yes` for sshd.
6. The limit is unlimited and it still fails: the NIC has run out of something (NCA317).)";

constexpr std::string_view pod_fix =
    R"(In Kubernetes first: `securityContext: {capabilities: {add: ["IPC_LOCK"]}}` for the container, and
`LimitMEMLOCK=infinity` in the unit of containerd on the nodes (`systemctl show containerd | grep MEMLOCK`).

)";

std::string what(const Incident& incident) {
  const std::string_view call = incident.event.as<CallFailed>().call;
  return concat(
      "got no memory for a ",
      call.starts_with("ibv_create_") || call.starts_with("ibv_alloc_") ? "queue of a NIC" : "registration with a NIC",
      " (", excerpt(call, 40),
      incident.error.empty() ? std::string(", for a reason that this NCCL does not print")
                             : concat(": ", excerpt(incident.error, 80)),
      "); most often the limit on locked memory,");
}

Verdict check(const Model& model) {
  Verdict verdict;
  for (Finding& finding : rdma_findings(model, RdmaFault::no_memory, what)) {
    if (rdma_worked_before(model, finding.processes)) continue;  // NCA317 reports this case.
    if (site_of(model, finding.processes).kubernetes) finding.fix = concat(pod_fix, base_fix);
    add_lack(lacks_ipc_lock(model, finding.processes), base_fix, finding);
    verdict.findings.push_back(std::move(finding));
  }
  return verdict;
}

}  // namespace

extern constinit const RuleWords words;

extern constinit const Rule rule{{.id = "NCA309",
                                  .name = "memlock-limit",
                                  .severity = Severity::error,
                                  .stage = Stage::configuration,
                                  .check = "network",
                                  .words = &words},
                                 check};

}  // namespace nccl_analyze::nca309
