// NCA409 reports CUDA error 802: on NVSwitch machines, GPUs are unusable until the fabric manager has started.

#include "nccl_analyze/rule.h"
#include "rules/findings.h"

namespace nccl_analyze::nca409 {

namespace {

std::string message_of(const Incident& incident) {
  return !warns(incident.level) ? std::string()
                                : std::string(
                                      "CUDA says that the system is not yet initialised (error 802): on NVSwitch "
                                      "machines the fabric manager is not running");
}

}  // namespace

RuleResult check(const Model& model) { return {topic_findings(model, "fabric-manager-down", message_of)}; }

}  // namespace nccl_analyze::nca409
