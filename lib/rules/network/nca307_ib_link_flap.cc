// NCA307 reports NIC ports that lost their link, and whether the job survived that.

#include <algorithm>
#include <map>
#include <utility>

#include "nccl_analyze/events/ib.h"
#include "nccl_analyze/rule.h"
#include "rules/findings.h"
#include "rules/support/rdma_fault.h"
#include "rules/support/rdma_findings.h"
#include "rules/support/rdma_outcome.h"
#include "text/message_text.h"
#include "text/search.h"

namespace nccl_analyze::nca307 {

namespace {

struct Loss {
  RdmaCase ports;
  std::uint64_t back = 0;  ///< Number of times that a port regained its link.
};

/// Returns two groups of lost links: the key `true` has links whose loss hurt the job, the key `false` the other links.
/// If a lost link hurt a process, all links that this process regained are counted under `true`, else under `false`.
std::map<bool, Loss> find_losses(const Model& model) {
  std::map<bool, Loss> losses;
  std::map<Index, bool> hurt;  // Keyed by process: whether a lost link hurt it.
  for (const Incident& incident : model.incidents) {
    if (rdma_fault(incident) != RdmaFault::port_down) continue;
    const bool hurts = link_loss_hurts(model, incident);
    losses[hurts].ports.add(model, incident);
    hurt[incident.process] |= hurts;
  }
  for (const Incident& incident : model.incidents) {
    if (rdma_fault(incident) != RdmaFault::port_up) continue;
    const auto found = hurt.find(incident.process);
    if (found == hurt.end()) continue;
    Loss& loss = losses[found->second];
    loss.back += incident.evidence.count;
    loss.ports.evidence.add(incident.evidence);
    loss.ports.incidents.push_back(index_of(model, incident));
  }
  return losses;
}

void add_losses(const Model& model, RuleResult& result) {
  for (auto& [hurts, loss] : find_losses(model)) {
    if (loss.ports.processes.empty()) continue;
    const std::vector<std::string> hosts = hosts_of(model, loss.ports.processes);
    Finding& finding = result.findings.emplace_back(finding_of(model, {}, std::move(loss.ports)));
    const std::uint64_t down = finding.evidence.count - loss.back;
    finding.message = concat("A port of a NIC", when(!hosts.empty(), " on ", list_text(hosts)),
                             " lost its link: ", count_text(down, "port error"), " in ",
                             count_text(std::max<std::size_t>(finding.processes.size(), 1), "process"),
                             loss.back == 0 ? std::string(", and it is not seen to come back")
                                            : concat(", came back ", times_text(loss.back)),
                             where_text(loss.ports));
    finding.survived = !hurts;
    finding.own_severity = hurts ? Severity::error : Severity::warning;
  }
}

/// Reports failed NICs that NCCL took out of service. With port failover (NCCL 2.29.7 and later), the job continues
/// over the remaining ports.
void add_failovers(const Model& model, RuleResult& result) {
  RdmaCase moved;
  for (const Incident& incident : model.incidents) {
    if (incident.kind != IncidentKind::ib_device_failed) continue;
    moved.add(model, incident);
    add_once(moved.devices, concat("device ", incident.event.as<IbDeviceFailed>().device));
  }
  if (moved.processes.empty()) return;
  Finding& finding = result.findings.emplace_back(finding_of(model, {}, ProcessGroup(moved)));
  finding.message = concat(who_text(finding), " took a failed NIC out of service and went on with the others, ",
                           times_text(finding.evidence.count), where_text(moved));
}

}  // namespace

RuleResult check(const Model& model) {
  RuleResult result;
  add_losses(model, result);
  add_failovers(model, result);
  return result;
}

}  // namespace nccl_analyze::nca307
