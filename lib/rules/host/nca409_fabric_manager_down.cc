// NCA409 reports CUDA error 802: on NVSwitch machines, GPUs are unusable until the fabric manager has started.

#include <utility>

#include "nccl_analyze/rule.h"
#include "rules/support/findings.h"

namespace nccl_analyze::nca409 {

namespace {

std::string message_of(const Incident& incident) {
  return !warns(incident.level) ? std::string()
                                : std::string(
                                      "CUDA says that the system is not yet initialised (error 802): on NVSwitch "
                                      "machines the fabric manager is not running");
}

Verdict check(const Model& model) {
  Verdict verdict;
  verdict.findings = topic_findings(model, "fabric-manager-down", message_of);
  return verdict;
}

}  // namespace

extern constinit const Rule rule{
    {.id = "NCA409",
     .name = "fabric-manager-down",
     .severity = Severity::error,
     .stage = Stage::hardware,
     .check = "init",
     .title = "The fabric manager does not run on this node",
     .explanation =
         R"(On machines with NVSwitch (HGX and DGX A100, H100, B200; p4d, p4de, p5, p6) CUDA works only after
the fabric manager has configured the switches. Until then every CUDA call fails with error 802,
`system not yet initialized`, although `nvidia-smi` lists the GPUs. A fabric manager of another version than the
driver does not count.)",
     .fix =
         R"(1. On the node: `systemctl status nvidia-fabricmanager`; `journalctl -u nvidia-fabricmanager`;
   install the package of exactly the driver's version (`nvidia-smi --query-gpu=driver_version --format=csv`)
   and start it.
2. With the NVIDIA GPU operator the driver container starts it: look at its log and at the node's state after a
   driver upgrade; on EKS use the accelerated AMI, which brings both.
3. `nvidia-smi -q | grep -A3 Fabric` must say `State: Completed`, `Status: Success` for each GPU. If it stays
   `In Progress`, reboot the node; if that does not help, the NVSwitch is broken.
4. HGX B200 needs NVLSM and the kernel module `ib_umad` besides the fabric manager: `lsmod | grep ib_umad`. NVLink faults
   in `dmesg`: SXid and Xid 74, on Blackwell Xid 144 to 150.
5. Drain the node so that no job lands on it meanwhile.)"},
    check};

}  // namespace nccl_analyze::nca409
