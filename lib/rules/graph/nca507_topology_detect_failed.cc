// NCA507 reports machines whose topology NCCL could not detect, and whether NCCL continued with a guess.

#include <algorithm>
#include <utility>

#include "nccl_analyze/rule.h"
#include "rules/support/failure.h"
#include "rules/support/findings.h"
#include "rules/support/message_text.h"

namespace nccl_analyze::nca507 {

namespace {

bool is_about_nvlink(const Incident& incident) { return incident.aspect == "nvlink"; }

/// Whether NCCL could not find the position of a network card. It then continues as if the card were near the first
/// CPU.
bool is_about_network(const Incident& incident) { return incident.aspect == "nic"; }

std::string message_of(const Incident& incident) {
  if (is_about_nvlink(incident)) return "NVML does not know the GPU, so NCCL does not look for NVLink";
  if (!warns(incident.level)) return {};
  return concat(is_about_network(incident) ? "NCCL cannot find the place of a network card: "
                                           : "NCCL cannot read the machine's topology: ",
                excerpt(incident.message, 160));
}

/// Whether the failure ended initialisation. NCCL 2.10 and later continue with a guess in most cases.
bool stops(const Model& model, const Finding& finding) {
  return std::any_of(finding.incidents.begin(), finding.incidents.end(), [&](Index index) {
    const Incident& incident = model.incidents[index];
    return !is_about_network(incident) && !is_about_nvlink(incident) && incident.failed;
  });
}

Verdict check(const Model& model) {
  Verdict verdict;
  verdict.findings = topic_findings(model, "topology-detect-failed", message_of);
  for (Finding& finding : verdict.findings) {
    finding.survived = !stops(model, finding);
    if (finding.survived) finding.own_severity = Severity::warning;
    if (!finding.ranks.empty()) finding.message += concat(", on ", ranks_text(finding.ranks));
  }
  return verdict;
}

}  // namespace

extern constinit const Rule rule{
    {.id = "NCA507",
     .name = "topology-detect-failed",
     .severity = Severity::error,
     .stage = Stage::setup,
     .title = "NCCL cannot read the machine's topology",
     .explanation =
         R"(NCCL finds GPUs, network cards and the PCIe switches between them in /sys, and NVLink through NVML. Where /sys does
not show the GPU's PCI device (WSL, gVisor and other sandboxes, a container with a masked or private /sys, a GPU that was
handed over by remote-GPU software) it cannot place the GPU. Before 2.10 NCCL stops there; since then it goes on with
guesses, and its rings, and the choice of network cards, are only as good as these.

The same words at level INFO are normal: a network interface without a PCI device (veth, bond, VLAN, `eth0` of a pod) is
placed near the first CPU. That is worth a thought only for a card that does GPUDirect RDMA.
A virtual machine that shows a flat PCIe tree is another case: NCCL reads it without complaint, but sees paths PHB or SYS
where there are switches; there a topology file of the cloud helps (`NCCL_TOPO_FILE`).)",
     .fix =
         R"(1. In the environment of the job: does `ls -l /sys/bus/pci/devices/` show the GPU's bus id
   (`nvidia-smi --query-gpu=pci.bus_id --format=csv`)? If not: mount the host's /sys (Docker and Kubernetes do so
   read-only unless it is hidden), leave the sandbox (`runtimeClassName`).
2. WSL2: update NCCL to 2.10 or later, the Windows driver and the WSL kernel.
3. `No NVML`: `libnvidia-ml.so.1` must be the driver's and `nvidia-smi` must work in the container
   (`NVIDIA_DRIVER_CAPABILITIES=compute,utility`).
4. `numa ID`, `could not find CPU`: /sys/devices/system/node is missing or the topology file lacks `numaid`.
5. Last resort: a topology file written on a machine of the same kind (`NCCL_TOPO_DUMP_FILE`), given with
   `NCCL_TOPO_FILE`.)"},
    check};

}  // namespace nccl_analyze::nca507
