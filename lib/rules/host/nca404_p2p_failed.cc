// NCA404 reports that P2P between GPUs failed when NCCL tried to use it.

#include "nccl_analyze/rule.h"
#include "rules/findings.h"
#include "text/message_text.h"

namespace nccl_analyze::nca404 {

namespace {

std::string message_of(const Incident& incident) {
  return !warns(incident.level) ? std::string()
                                : concat("Direct access between GPUs failed: ", excerpt(incident.message));
}

RuleResult check(const Model& model) {
  RuleResult result;
  result.findings = topic_findings(model, "p2p-failed", message_of);
  return result;
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
