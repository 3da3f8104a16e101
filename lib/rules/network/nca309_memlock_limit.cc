// NCA309 reports RDMA calls that got no memory, mostly because of the limit on locked memory.

#include <algorithm>
#include <utility>

#include "nccl_analyze/events/ib.h"
#include "nccl_analyze/rule.h"
#include "queries/benchmarks.h"
#include "queries/machine_values.h"
#include "rules/support/pods.h"
#include "rules/support/rdma_fault.h"
#include "rules/support/rdma_findings.h"
#include "rules/support/rdma_outcome.h"
#include "text/message_text.h"
#include "text/search.h"

namespace nccl_analyze::nca309 {

namespace {

/// Returns who prints no reason, judged by the file of the message: NCCL up to 2.3, whose files end with .cu or .cc, or
/// a plugin, whose files end with .c.
std::string_view who_is_silent(std::string_view place) {
  if (contains(place, ".c:")) return "the plugin does not print";
  return contains(place, ".cu:") || contains(place, ".cc:") ? "this NCCL does not print" : "this message does not give";
}

std::string what(const Incident& incident) {
  const std::string_view call = incident.event.as<CallFailed>().call;
  const bool is_queue = call.starts_with("ibv_create_") || call.starts_with("ibv_alloc_");
  if (incident.error.empty())
    return concat("could not make a ", is_queue ? "queue of" : "registration with", " a NIC (", excerpt(call, 40),
                  ", for a reason that ", who_is_silent(incident.place), ")");
  return concat("got no memory for a ", is_queue ? "queue of" : "registration with", " a NIC (", excerpt(call, 40),
                ": ", excerpt(incident.error, 80), ")");
}

bool has_reason(const Incident& incident) { return !incident.error.empty(); }

/// Whether the kernel's log, beside NCCL's, names another reason than the limit on locked memory.
bool has_other_reason(const Model& model) {
  return std::ranges::any_of(model.incidents, [](const Incident& incident) {
    return incident.kind == IncidentKind::phrase_seen &&
           (contains(incident.message, "NV_ERR_NO_MEMORY") || contains(incident.message, "nvidia_peermem"));
  });
}

/// Adds what the input shows of the limit on locked memory: the lowest one of the hosts of the finding. Returns whether
/// it shows one.
bool add_limit(const Model& model, Finding& finding) {
  const std::vector<ShownValue> shown = values_about(model, finding.processes, "memlock");
  if (shown.empty()) return false;
  const auto is_lower = [](const ShownValue& a, const ShownValue& b) {
    return static_cast<std::uint64_t>(a.value->number) < static_cast<std::uint64_t>(b.value->number);  // -1: unlimited
  };
  const MachineValue& lowest = *std::ranges::min_element(shown, is_lower)->value;
  const bool is_limited = lowest.number >= 0;
  finding.message += is_limited
                         ? concat("; the input shows a limit on locked memory of ", size_text(lowest.number))
                         : "; the input shows a shell without a limit on locked memory, and the job may have one";
  finding.values.emplace_back("memlock", is_limited ? "limited" : "unlimited");
  add_line(finding.evidence, lowest.at);
  return true;
}

}  // namespace

RuleResult check(const Model& model) {
  RuleResult result;
  for (Finding& finding : rdma_findings(model, RdmaFault::no_memory, what)) {
    if (rdma_worked_before(model, finding.processes)) continue;  // NCA317 reports this case.
    if (!add_limit(model, finding) && !has_other_reason(model))
      finding.message += "; most often the limit on locked memory is reached";
    if (!any_incident(model, finding, has_reason)) finding.values.emplace_back("reason", "none");
    add_lack(lacks_ipc_lock(model, finding.processes), finding);
    result.findings.push_back(std::move(finding));
  }
  return result;
}

}  // namespace nccl_analyze::nca309
