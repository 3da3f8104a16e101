// NCA503 reports processes whose CPU mask excludes all CPUs near their GPU: NCCL's work then crosses CPU sockets.

#include <utility>

#include "nccl_analyze/events/topology.h"
#include "nccl_analyze/rule.h"
#include "rules/support/findings.h"
#include "rules/support/message_text.h"

namespace nccl_analyze::nca503 {

namespace {

std::string cpus_text(std::string_view cpus) { return cpus.empty() ? std::string("none") : excerpt(cpus, 60); }

Verdict check(const Model& model) {
  Verdict verdict;
  verdict.findings = incident_findings(model, {IncidentKind::cpu_affinity_empty}, [](const Incident& incident) {
    const auto& event = incident.event.as<AffinityChosen>();
    const std::string gpu = event.gpu < 0 ? std::string("the GPU") : concat("GPU ", event.gpu);
    // If a container hides /sys, NCCL does not find the CPUs near the GPU, and no better choice is known.
    if (event.gpu_cpus.empty()) return std::string();
    return concat("The CPUs near ", gpu, " are ", cpus_text(event.gpu_cpus), ", but its process may only run on ",
                  cpus_text(event.process_cpus));
  });
  for (Finding& finding : verdict.findings)
    if (!finding.ranks.empty()) finding.message += concat(" (", ranks_text(finding.ranks), ")");
  return verdict;
}

}  // namespace

extern constinit const Rule rule{
    {.id = "NCA503",
     .name = "cpu-affinity",
     .severity = Severity::warning,
     .stage = Stage::performance,
     .title = "A process may not run on the CPUs near its GPU",
     .explanation =
         R"(NCCL pins its threads to the CPUs of the NUMA node that the GPU hangs on, as far as the process is allowed to run
there. Here the two sets have no CPU in common: the launcher or the container bound the process to the other socket. NCCL
then leaves its threads where they are. Network threads, shared memory buffers and kernel launches cross the sockets; that
costs bandwidth over sockets and SHM, and latency everywhere. Nothing fails.

NCCL says so since 2.28.3 only. Before, a missing `Setting affinity for GPU` line meant the same, which proves nothing in a
log with gaps. `Setting affinity for GPU 0 to ff,ffff0000,00ffffff` prints a mask of CPUs: it is the normal case.)",
     .fix =
         R"(1. Kubernetes: the kubelet's CPU manager (`static`) hands out CPUs without looking at the GPU unless the topology manager
   is told to: `topologyManagerPolicy: best-effort` (or `restricted`), with the device plugin reporting NUMA nodes. Not
   `single-numa-node`, unless every pod fits one socket: a pod with all 8 GPUs of a node would not be admitted any more.
   Or give the pod all CPUs of the node.
2. Slurm: `--gpu-bind=closest` or `--cpu-bind=none`; check `gres.conf` (`Cores=`, or `AutoDetect=nvml`).
3. mpirun: `--bind-to none`, or `--map-by ppr:4:socket` in the order of the GPUs. torchrun binds nothing by itself:
   look for `numactl` and `taskset` in the start script. Docker: `--cpuset-cpus`.
4. `nvidia-smi topo -m` shows the CPUs of each GPU; `taskset -pc PID` those of the process.
5. `NCCL_IGNORE_CPU_AFFINITY=1` lets NCCL pin its threads near the GPU whatever the launcher said; it needs CPUs that the
   container may use.)"},
    check};

}  // namespace nccl_analyze::nca503
