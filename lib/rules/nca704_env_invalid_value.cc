// Values that NCCL did not take.

#include <utility>

#include "rules/rule_support.h"

namespace nccl_analyze {

namespace {

Verdict check(const Model& model) {
  Verdict verdict;
  verdict.occurrences = incident_occurrences(model, {IncidentKind::env_rejected}, [](const Incident& incident) {
    return cat(incident.subject.empty() ? std::string("A setting") : shortened(incident.subject, 60),
               " has a value that NCCL does not take: ", shortened(incident.message));
  });
  return verdict;
}

}  // namespace

extern constinit const Rule env_invalid_value{
    {.id = "NCA704",
     .name = "env-invalid-value",
     .severity = Severity::warning,
     .title = "NCCL ignored a setting",
     .explanation =
         R"(The value cannot be read, so NCCL took its default: the setting has no effect. NCCL notices this for
numbers only. A misspelt name is never reported before 2.30, and levels such as `NCCL_P2P_LEVEL=nvl` are passed
over without a line.)",
     .fix =
         R"(1. Write a plain number, without unit, quotes or blanks: `NCCL_BUFFSIZE=4194304`, not `4M`;
   `NCCL_IB_TIMEOUT=22`, not `"22"`. In YAML `value: "22"` is right, `value: "'22'"` is not.
2. Look for the line `... set by environment to ...` in the next log: what NCCL prints there is what counts.)"},
    check};

}  // namespace nccl_analyze
