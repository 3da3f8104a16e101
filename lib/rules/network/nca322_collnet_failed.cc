// NCA322 reports that reduction in the switches (CollNet with SHARP) was asked for and could not be set up.

#include <utility>

#include "nccl_analyze/rule.h"
#include "nccl_analyze/rule_parts.h"
#include "queries/settings.h"
#include "rules/findings.h"
#include "rules/topics.h"
#include "text/message_text.h"
#include "text/search.h"

namespace nccl_analyze::nca322 {

namespace {

/// Whether the warning says no more than that NCCL goes on without CollNet. The plugin's warnings say why.
bool is_consequence(const Incident& incident) { return contains(incident.message, "Cannot initialize CollNet"); }

}  // namespace

RuleResult check(const Model& model) {
  Finding finding = claimed(model, [](const Incident& incident) { return is_about(incident, "collnet-failed"); });
  if (finding.evidence.count == 0) return {};
  std::string_view reason;
  for (const Index index : finding.incidents)
    if (reason.empty() && !is_consequence(model.incidents[index])) reason = model.incidents[index].message;
  for (const Process* process : known_processes(model, finding.processes))
    if (const EnvValue* const asked = setting(*process, "NCCL_COLLNET_ENABLE")) finding.evidence.add(asked->at);
  finding.message = concat("CollNet (SHARP) could not be set up", when(!reason.empty(), ": ", excerpt(reason, 120)),
                           ". NCCL then takes its ordinary algorithms, unless NCCL_ALGO allows CollNet alone");
  return {{std::move(finding)}};
}

}  // namespace nccl_analyze::nca322
