// P2P that was tried and failed.

#include "rules/rule_support.h"

namespace nccl_analyze {

namespace {

std::string message_of(const Incident& incident) {
  return incident.level == Level::info ? std::string()
                                       : cat("Direct access between GPUs failed: ", shortened(incident.message));
}

Verdict check(const Model& model) {
  Verdict verdict;
  verdict.occurrences = topic_occurrences(model, "p2p-failed", message_of);
  return verdict;
}

}  // namespace

extern constinit const Rule p2p_failed{
    {.id = "NCA404",
     .name = "p2p-failed",
     .severity = Severity::error,
     .stage = Stage::setup,
     .check = "transports",
     .title = "Direct access between GPUs failed",
     .explanation =
         R"(NCCL took P2P for possible, and the driver refused when it was set up: peer access or the exchange
of a memory handle between two processes failed. Reasons: processes in containers that do not share what the
handles need, a GPU or virtual machine without P2P, the IOMMU or ACS on PCIe machines, or a driver that does not
support it in this mode.)",
     .fix = R"(1. `nvidia-smi topo -p2p rw` in the pod; `p2pBandwidthLatencyTest` of the CUDA samples without
   NCCL.
2. One container for all ranks of a machine, with all their GPUs visible to each (`CUDA_VISIBLE_DEVICES` with
   one GPU per process hides the peers from legacy IPC; NCCL with cuMem, the default since 2.19, needs a driver
   of CUDA 12 or later).
3. PCIe machines: IOMMU off or in pass-through (`iommu=pt`), ACS off on the switches
   (`lspci -vvv | grep ACSCtl`).
4. To run meanwhile: `NCCL_P2P_LEVEL=NVL` or `NCCL_P2P_DISABLE=1`; measure what it costs.)"},
    check};

}  // namespace nccl_analyze
