// NCA404 reports P2P between GPUs that NCCL tried to use and that failed.

#include "nccl_analyze/rule.h"
#include "rules/support/findings.h"
#include "rules/support/message_text.h"
#include "rules/support/platform.h"

namespace nccl_analyze::nca404 {

namespace {

constexpr std::string_view amd_fix =
    R"(1. `rocm-smi --showtopo` (or `amd-smi topology`) in the pod shows xGMI or PCIe for each pair; `rocm-bandwidth-test` tries
   it without RCCL.
2. One container for all ranks of a machine, with `/dev/kfd`, all `/dev/dri/renderD*` and `--ipc=host`;
   `HIP_VISIBLE_DEVICES` and `ROCR_VISIBLE_DEVICES` must not hide the peers.
3. PCIe machines: `iommu=pt` on the kernel's command line (`cat /proc/cmdline`), ACS off on the switches
   (`sudo lspci -vvv | grep ACSCtl` must show `SrcValid-`), `HSA_FORCE_FINE_GRAIN_PCIE=1`.
4. `dmesg | grep amdgpu` on the node for errors of the GPU or of xGMI.
5. To run meanwhile: `NCCL_P2P_DISABLE=1`; measure what it costs.)";

std::string message_of(const Incident& incident) {
  return !warns(incident.level) ? std::string()
                                : concat("Direct access between GPUs failed: ", excerpt(incident.message));
}

Verdict check(const Model& model) {
  Verdict verdict;
  verdict.findings = topic_findings(model, "p2p-failed", message_of);
  fix_on_amd(model, verdict, amd_fix);
  return verdict;
}

}  // namespace

extern constinit const RuleWords words;

extern constinit const Rule rule{{.id = "NCA404",
                                  .name = "p2p-failed",
                                  .severity = Severity::error,
                                  .stage = Stage::setup,
                                  .check = "transports",
                                  .words = &words},
                                 check};

}  // namespace nccl_analyze::nca404
