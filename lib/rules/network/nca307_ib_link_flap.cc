// NCA307 reports NIC ports that lost their link, and whether the job survived that.

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "nccl_analyze/events/ib.h"
#include "nccl_analyze/rule.h"
#include "rules/support/findings.h"
#include "rules/support/message_text.h"
#include "rules/support/ranks.h"
#include "rules/support/rdma_fault.h"
#include "rules/support/rdma_findings.h"
#include "rules/support/rdma_outcome.h"
#include "rules/support/search.h"

namespace nccl_analyze::nca307 {

namespace {

std::string hosts_text(const Model& model, const std::vector<Index>& processes) {
  std::vector<std::string> hosts;
  for (const Index index : processes)
    if (const Process* process = process_of(model, index))
      if (!process->host.empty()) add_once(hosts, excerpt(process->host, 60));
  return hosts.empty() ? std::string() : concat(" on ", list_text(hosts));
}

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
    loss.ports.incidents.push_back(static_cast<Index>(&incident - model.incidents.data()));
  }
  return losses;
}

void add_losses(const Model& model, Verdict& verdict) {
  for (auto& [hurts, loss] : find_losses(model)) {
    if (loss.ports.processes.empty()) continue;
    Finding& finding = verdict.findings.emplace_back();
    set_scope(model, loss.ports.processes, finding);
    const std::uint64_t down = loss.ports.evidence.count - loss.back;
    finding.message = concat("A port of a NIC", hosts_text(model, loss.ports.processes),
                             " lost its link: ", count_text(down, "port error"), " in ",
                             count_text(std::max<std::size_t>(finding.processes.size(), 1), "process"),
                             loss.back == 0 ? std::string(", and it is not seen to come back")
                                            : concat(", came back ", times_text(loss.back)),
                             where_text(loss.ports));
    finding.evidence = std::move(loss.ports.evidence);
    finding.incidents = std::move(loss.ports.incidents);
    finding.survived = !hurts;
    finding.own_severity = hurts ? Severity::error : Severity::warning;
  }
}

/// Reports failed NICs that NCCL took out of service. With port failover (NCCL 2.29.7 and later), the job continues
/// over the remaining ports.
void add_failovers(const Model& model, Verdict& verdict) {
  RdmaCase moved;
  for (const Incident& incident : model.incidents) {
    if (incident.kind != IncidentKind::ib_device_failed) continue;
    moved.add(model, incident);
    add_once(moved.devices, concat("device ", incident.event.as<IbDeviceFailed>().device));
  }
  if (moved.processes.empty()) return;
  Finding& finding = verdict.findings.emplace_back();
  set_scope(model, moved.processes, finding);
  finding.message = concat(who_text(finding), " took a failed NIC out of service and went on with the others, ",
                           times_text(moved.evidence.count), where_text(moved));
  finding.evidence = std::move(moved.evidence);
  finding.incidents = std::move(moved.incidents);
}

Verdict check(const Model& model) {
  Verdict verdict;
  add_losses(model, verdict);
  add_failovers(model, verdict);
  return verdict;
}

}  // namespace

extern constinit const Rule rule{
    {.id = "NCA307",
     .name = "ib-link-flap",
     .severity = Severity::warning,
     .stage = Stage::hardware,
     .check = "network",
     .title = "A NIC's port lost its link",
     .explanation =
         R"(`port error` is the NIC's word for a link that went down; `port active` that it is up again. All processes that
opened the NIC print it, so eight messages of one host are often one event. NCCL prints it as a warning and does
nothing: packets are sent again until the retries are used up, and then the connection fails with completion
status 12. A link that is back within that time (half a second up to NCCL 2.13, 7.5 seconds from 2.14, 30 from
2.23) costs a pause; a longer loss costs the job.

An error when connections timed out or the port stayed down, a warning when the job went on. Timeouts that other hosts
report towards this one follow from it: the host whose port failed is the culprit, not those that complain.

`port active` alone, `LID change`, `SM change` and `client reregistration` are normal when a subnet manager starts or
another port comes up.)",
     .fix =
         R"(1. The cable or transceiver of the port named here: reseat or swap it. `mlxlink -d DEV -c -m` (or `ibdiagnet`,
   `perfquery -x`) shows link-downed counters, symbol errors and the state of the module; `dmesg` and the switch's log
   show the time.
2. Several ports of one host at once: the NIC's firmware, its power or PCIe (`dmesg | grep -iE 'mlx5|AER'`), or
   somebody reset it (`mlxfwreset`, a driver reload). Several hosts at once: the switch or the subnet manager.
3. Cordon the node until its link holds: `ib_write_bw -D 600` over that NIC.
4. A link that keeps coming back in seconds: `NCCL_IB_TIMEOUT=22` until it is repaired. Where NCCL fuses two
   or more ports or NICs into one device, 2.29.7 and later can go on over the others:
   `NCCL_IB_RESILIENCY_PORT_FAILOVER=1`. With one port a device the connection still dies.
5. PyTorch does not repair the communicator: restart from the checkpoint.)"},
    check};

}  // namespace nccl_analyze::nca307
