// NCA404 reports that P2P between GPUs failed when NCCL tried to use it.

#include "nccl_analyze/rule.h"
#include "rules/findings.h"
#include "text/message_text.h"
#include "text/search.h"

namespace nccl_analyze::nca404 {

namespace {

std::string message_of(const Incident& incident) {
  if (!warns(incident.level)) return {};
  // The transport shm.cc hands host memory on, and peer access is what its handles of CUDA need.
  const bool is_host_memory = incident.cuda_error == 217 && contains(incident.place, "shm.cc");
  return concat(
      is_host_memory ? "A handle of host memory could not be opened: " : "Direct access between GPUs failed: ",
      excerpt(incident.message));
}

}  // namespace

RuleResult check(const Model& model) { return {topic_findings(model, "p2p-failed", message_of)}; }

}  // namespace nccl_analyze::nca404
