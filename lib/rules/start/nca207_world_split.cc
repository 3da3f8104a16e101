// NCA207 reports that the bootstrap root refused a rank, because ranks disagree about rank numbers or the size of the
// job.

#include "nccl_analyze/rule.h"
#include "rules/support/findings.h"
#include "rules/support/message_text.h"

namespace nccl_analyze::nca207 {

namespace {

Verdict check(const Model& model) {
  Verdict verdict;
  verdict.findings = topic_findings(model, "world-split", [](const Incident& incident) {
    return concat("The root refuses a rank: ", excerpt(incident.message));
  });
  return verdict;
}

}  // namespace

extern constinit const RuleWords words;

extern constinit const Rule rule{{.id = "NCA207",
                                  .name = "world-split",
                                  .severity = Severity::error,
                                  .stage = Stage::configuration,
                                  .check = "ranks init",
                                  .words = &words},
                                 check};

}  // namespace nccl_analyze::nca207
