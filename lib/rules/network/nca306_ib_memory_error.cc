// NCA306 reports NICs that were refused access to memory, or could not register it: mostly a fault of GPUDirect RDMA.

#include <algorithm>
#include <array>

#include "nccl_analyze/events/ib.h"
#include "nccl_analyze/rule.h"
#include "rules/support/message_text.h"
#include "rules/support/platform.h"
#include "rules/support/rdma_fault.h"
#include "rules/support/rdma_findings.h"
#include "rules/support/search.h"

namespace nccl_analyze::nca306 {

namespace {

constexpr std::string_view base_fix =
    R"(1. **Without GPUDirect**: `NCCL_NET_GDR_LEVEL=LOC` (and `NCCL_DMABUF_ENABLE=0` for the registration through
   DMA-BUF). If the job runs then, memory of the GPU is what the NIC cannot reach; go on with 2. If not, look at the
   peer.
2. **Bare metal, ACS on**: `sudo lspci -vvv | grep ACSCtl` must show `SrcValid-` for the PCIe bridges (without root it
   shows nothing at all). Switch ACS off in the BIOS ("IO virtualization", VT-d), or with
   `setpci -s BDF ECAP_ACS+0x6.w=0000` for each bridge at every boot. `iommu=pt` is right too, and does not turn ACS
   off. Virtual machine: ACS must stay on, and ATS must be
   on in the NIC (`mlxconfig -d DEV set ATS_ENABLED=1`).
3. **Module**: `lsmod | grep nvidia_peermem`, built for this driver and loaded after the NIC's modules; not together
   with the old `nv_peer_mem`. Open kernel modules of the GPU driver (`cat /proc/driver/nvidia/version`) and Linux
   5.12 or later allow DMA-BUF instead.
4. **The peer** (status 9, 10, 11): its log first. A process that aborted or freed its buffers, and ranks that disagree
   on sizes or on `NCCL_*` settings, look like this from the other side.
5. Once in a while and on one host only: that GPU or its PCIe path (`dmesg | grep -E 'Xid|AER'`).)";

constexpr std::string_view peer_fix =
    R"(The peer refused, so its log comes first (4.): did it fail, abort or free its buffers before?

)";

constexpr std::string_view efa_fix =
    R"(1. **The peer**: a process that failed or ended leaves such errors on the others; its log first.
2. **The node**: `cat /sys/class/infiniband/*/device/p2p` names the provider of GPU memory; empty means that the EFA
   driver found none and GPUDirect does not work (2.6 and later; older ones have no such file).
3. **One release**: EFA driver on the node, libfabric and aws-ofi-nccl in the image from one release of the EFA installer
   (`modinfo efa | grep ^version`, `fi_info --version`).
4. **Locked memory**: `ulimit -l` inside the job must say `unlimited`; with `Cannot allocate memory` that first.
5. On one host only: that GPU or its PCIe path (`dmesg | grep -E 'Xid|AER|efa'`).)";

struct Status {
  std::int64_t code;
  std::string_view reading;
};

constexpr std::array<Status, 5> statuses = {{
    {4, "was refused memory of its own host (completion status 4, local protection error)"},
    {8, "was refused memory of its own host (completion status 8, local access error)"},
    {9, "had a request rejected by the other NIC (completion status 9, remote invalid request)"},
    {10, "was refused memory of the other host (completion status 10, remote access error)"},
    {11, "had a request that the other NIC could not complete (completion status 11, remote operation error)"},
}};

std::string what(const Incident& incident) {
  if (incident.kind == IncidentKind::ofi_request_failed)
    return concat("was refused memory over EFA (", excerpt(incident.error, 100), ")");
  if (incident.kind == IncidentKind::call_failed)
    return concat("could not register memory with a NIC (", excerpt(incident.event.as<CallFailed>().call, 40),
                  incident.error.empty() ? std::string() : concat(": ", excerpt(incident.error, 80)), ")");
  for (const Status& status : statuses)
    if (status.code == incident.event.as<IbCompletionFailed>().status) return std::string(status.reading);
  return {};
}

bool is_refused_by_peer(const Finding& finding) {
  return std::any_of(statuses.begin(), statuses.end(), [&](const Status& status) {
    return status.code >= 9 && contains(finding.message, status.reading);
  });
}

Verdict check(const Model& model) {
  Verdict verdict;
  verdict.findings = rdma_findings(model, RdmaFault::memory, what);
  for (Finding& finding : verdict.findings) {
    if (contains(finding.message, "could not register memory"))
      finding.title = "Memory could not be registered with a NIC";
    if (uses_efa(model, finding.processes))
      finding.fix = efa_fix;
    else if (is_refused_by_peer(finding))
      finding.fix = concat(peer_fix, base_fix);
  }
  return verdict;
}

}  // namespace

extern constinit const RuleWords words;

extern constinit const Rule rule{{.id = "NCA306",
                                  .name = "ib-memory-error",
                                  .severity = Severity::error,
                                  .stage = Stage::network,
                                  .check = "network",
                                  .words = &words},
                                 check};

}  // namespace nccl_analyze::nca306
