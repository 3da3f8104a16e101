// NCA407 reports NVLink between hosts (MNNVL) that the machines have and NCCL cannot use.

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "nccl_analyze/events/transport.h"
#include "nccl_analyze/rule.h"
#include "queries/hosts.h"
#include "queries/settings.h"
#include "rules/findings.h"
#include "text/message_text.h"

namespace nccl_analyze::nca407 {

namespace {

std::string message_of(const Incident& incident) {
  const auto& event = incident.event.as<MnnvlFailed>();
  std::string message = concat("NVLink between hosts is ", event.problem.empty() ? "not working" : event.problem);
  if (event.clique_size > 0) message += concat(", though it joins ", event.clique_size, " GPUs of this communicator");
  if (!event.check.empty()) message += concat(": NCCL blames the ", event.check);
  return message + (warns(incident.level) ? "; the communicator fails" : "");
}

bool is_switched_off(const Process& process) {
  const EnvValue* set = setting(process, "NCCL_MNNVL_ENABLE");
  return (set != nullptr && set->value == "0") || !p2p_off_by(process).empty();
}

/// Ranks of a communicator, grouped by the fabric state that NVML reports for their GPUs.
struct Fabric {
  std::map<std::string, std::set<std::string_view>> hosts;  ///< Host names, keyed by fabric: `UUID/clique`.
  std::vector<int> ready, unready;
  std::vector<Index> processes;
  Evidence ready_at, unready_at, without_cumem;
  bool switched_off = false;
};

Fabric fabric_of(const Model& model, const Communicator& comm) {
  Fabric fabric;
  for (const auto& [rank, process] : known_ranks(model, comm)) {
    if (process.fabric_state < 0) continue;
    if (const EnvValue* cumem = setting(process, "NCCL_CUMEM_ENABLE"); cumem != nullptr && cumem->value == "0")
      fabric.without_cumem.add(cumem->at);
    fabric.switched_off = fabric.switched_off || is_switched_off(process);
    fabric.processes.push_back(rank.process);
    const bool ready = process.fabric_state == 3;   // NVML_GPU_FABRIC_STATE_COMPLETED
    if (ready && process.fabric.empty()) continue;  // Without a UUID, the fabric is NVSwitch inside one host.
    (ready ? fabric.ready : fabric.unready).push_back(rank.rank);
    (ready ? fabric.ready_at : fabric.unready_at).add(process.fabric_at);
    if (ready) fabric.hosts[process.fabric.str()].insert(process.host);
  }
  return fabric;
}

/// Reports a communicator that does not use MNNVL although NVLink may join its hosts, if the log shows the reason: a
/// GPU whose fabric is not ready, or NCCL_CUMEM_ENABLE=0. Without a reason, it is reported only if one clique joins
/// several hosts, all ranks have logs, and NCCL printed that it does not use MNNVL.
std::string unused_text(const Model& model, const Communicator& comm, Finding& finding) {
  if (comm.mnnvl == 1 || comm.parent >= 0 || comm.nranks < 2) return {};
  Fabric fabric = fabric_of(model, comm);
  if (fabric.ready.empty() || fabric.switched_off) return {};
  const auto widest = std::max_element(fabric.hosts.begin(), fabric.hosts.end(),
                                       [](const auto& a, const auto& b) { return a.second.size() < b.second.size(); });
  const bool several = widest->second.size() > 1;
  const bool is_counted = comm.mnnvl == 0 && static_cast<int>(comm.ranks.size()) == comm.nranks;
  std::string why;
  std::string_view name;
  Evidence evidence;
  if (!fabric.unready.empty() && spans_nodes(model, comm)) {
    why = concat("the fabric of the GPUs of ", ranks_text(fabric.unready),
                 " is not ready (state other than 3), and one such GPU is enough to do without");
    name = "unready";
    evidence = std::move(fabric.unready_at);
  } else if (several && fabric.without_cumem.count > 0) {
    why = "NCCL_CUMEM_ENABLE=0 takes away the memory that it needs";
    name = "cumem";
    evidence = std::move(fabric.without_cumem);
  } else if (several && is_counted) {
    why = "the driver offers no fabric handles to these processes (no IMEX channel in the container?)";
    name = "handles";
  }
  if (why.empty()) return {};
  set_scope(model, std::move(fabric.processes), finding);
  finding.own_severity = Severity::warning;
  finding.values.emplace_back("why", name);
  evidence.add(fabric.ready_at);
  finding.evidence = std::move(evidence);
  finding.ranks = fabric.unready.empty() ? std::move(fabric.ready) : std::move(fabric.unready);
  return concat("A domain of NVLink between hosts holds GPUs of ", count_text(widest->second.size(), "host"),
                ", but NCCL does not use it: ", why);
}

}  // namespace

RuleResult check(const Model& model) {
  std::vector<Finding> failed = incident_findings(model, {IncidentKind::mnnvl_failed}, message_of);
  if (!failed.empty()) return {std::move(failed)};
  return {each_communicator(model, unused_text)};
}

}  // namespace nccl_analyze::nca407
