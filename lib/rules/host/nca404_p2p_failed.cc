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

RuleResult check(const Model& model) { return {topic_findings(model, "p2p-failed", message_of)}; }

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
