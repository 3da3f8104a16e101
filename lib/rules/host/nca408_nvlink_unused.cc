// NCA408 reports NVLink that the machine has and NCCL does not use, in whole or in part.

#include <algorithm>
#include <map>
#include <utility>

#include "nccl_analyze/rule.h"
#include "nccl_analyze/rule_parts.h"
#include "queries/machines.h"
#include "queries/nvlink.h"
#include "queries/settings.h"
#include "rules/findings.h"
#include "text/message_text.h"

namespace nccl_analyze::nca408 {

namespace {

/// Describes the proof that NVLink connects every pair of GPUs of this host; empty without proof.
std::string proof(const Process& process, const Host* host, const NvlinkShown& shown) {
  if (host != nullptr && host->nvlink == Nvlink::switched) return "the topology shows NVSwitch";
  if (process.nvls == 1) return "NVLS multicast is available, which needs NVSwitch";
  if (has_nvlink(process.platform)) return concat("instances of type ", excerpt(process.platform, 40), " have NVLink");
  return shown.text;
}

Evidence evidence_of(const Communicator& comm, const Rank& rank, const Process& process, const Host* host) {
  Evidence evidence;
  if (host != nullptr) add_line(evidence, host->topology_at);
  for (std::size_t t = 0; t < comm.transports.size() && t < comm.transport_evidence.size(); ++t)
    if (!comm.transports[t].starts_with("P2P")) evidence.add(comm.transport_evidence[t]);
  add_line(evidence, rank.rings_at);
  if (evidence.count == 0) add_line(evidence, process.first);
  return evidence;
}

void add_pcie_paths(const Model& model, RuleResult& result) {
  const MachinesByHost machines(model);
  std::map<std::string, ProcessGroup> groups;
  for (const Communicator& comm : model.communicators) {
    if (comm.inferred || comm.parent >= 0) continue;
    for (const auto& [rank, process] : known_ranks(model, comm)) {
      // NCA403 and NCA702 report settings that switch P2P off.
      if (rank.local_ranks < 2 || !goes_over_pcie(process) || !p2p_off_by(process).empty()) continue;
      const Host* host = model.host_of(rank.process);
      const NvlinkShown shown = nvlink_between_all(machines, process.host_index);
      const std::string why = proof(process, host, shown);
      if (why.empty()) continue;
      ProcessGroup& group = groups[concat("The best rings that NCCL finds between GPUs of a host go over PCIe (path ",
                                          process.worst_path, "), though ", why)];
      if (group.processes.empty()) {
        group.evidence = evidence_of(comm, rank, process, host);
        if (shown) add_line(group.evidence, shown.at);
      }
      group.processes.push_back(rank.process);
    }
  }
  for (auto& [message, group] : groups) result.findings.push_back(finding_of(model, message, std::move(group)));
}

/// Reports GPUs with less NVLink bandwidth than other GPUs of the host. NVSwitch connects all GPUs with equally many
/// links, so some links are missing.
void add_lost_links(const Model& model, RuleResult& result) {
  for (const Host& host : model.hosts) {
    if (host.nvlink != Nvlink::switched || host.topology_at.line == 0) continue;
    double best = 0;
    for (const HostGpu& gpu : host.gpus) best = std::max(best, gpu.nvlink_bandwidth);
    std::vector<std::string> weak;
    for (const HostGpu& gpu : host.gpus)
      if (gpu.nvlink_bandwidth < best * 0.98)
        weak.push_back(concat("GPU ", bus_id_text(gpu.bus_id), " has ", rounded_bandwidth_text(gpu.nvlink_bandwidth)));
    if (weak.empty()) continue;
    Finding& finding = result.findings.emplace_back();
    set_scope(model, processes_on(model, index_of(model, host)), finding);
    finding.message = concat("NVLinks are missing on ", host_text(host), ": ", list_text(weak),
                             " of NVLink to the switches, the others have ", rounded_bandwidth_text(best));
    finding.evidence = evidence_at(host.topology_at);
    finding.values.emplace_back("why", "links");
  }
}

}  // namespace

RuleResult check(const Model& model) {
  RuleResult result;
  add_lost_links(model, result);
  add_pcie_paths(model, result);
  return result;
}

}  // namespace nccl_analyze::nca408
