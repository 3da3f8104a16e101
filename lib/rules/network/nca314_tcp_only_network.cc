// NCA314 reports that nodes exchange data over TCP sockets and the log shows no faster network.

#include <algorithm>
#include <set>
#include <utility>

#include "nccl_analyze/rule.h"
#include "nccl_analyze/rule_parts.h"
#include "queries/hosts.h"
#include "queries/machines.h"
#include "queries/network.h"
#include "queries/settings.h"
#include "rules/findings.h"
#include "rules/support/pods.h"
#include "text/message_text.h"
#include "text/search.h"

namespace nccl_analyze::nca314 {

namespace {

/// Whether NCA301, NCA302 or NCA303 explains why this process uses sockets.
bool is_explained(const Model& model, const MachinesByHost& machines, const JobHostSpans& spans, Index index) {
  const Process& process = model.processes[index];
  const std::string_view asked = network_asked_for(process);
  const bool is_shown =
      process.ib_absent && (has_nics(machines, process.host_index) || !rdma_request(model, index).resource.empty());
  return is_shown || unused_plugin(model, index).fault != PluginFault::none ||
         misses_infiniband(model, spans, process) ||
         (asked != "Socket" && (!asked.empty() || !process.platform.empty() ||
                                (has_adapter(process) && !switched_on(process, "NCCL_IB_DISABLE"))));
}

/// Whether a line says that NCCL found no network plugin. That no plugin is in use is not enough, because a plugin that
/// NCCL found may have failed without a line.
bool misses_plugin(const Process& process) {
  return std::ranges::any_of(process.plugins, [](const Plugin& plugin) {
    return plugin.kind == "net" && plugin.status == PluginStatus::missing;
  });
}

/// `lacks_verbs`: see lack_verbs_library().
std::string choice_text(const Process& process, bool lacks_verbs) {
  if (network_asked_for(process) == "Socket") return "; NCCL_NET=Socket asks for it";
  if (switched_on(process, "NCCL_IB_DISABLE")) return "; NCCL_IB_DISABLE=1 switches InfiniBand off";
  if (lacks_verbs)
    return "; NCCL found no verbs library (libibverbs), so that it looked for no InfiniBand or RoCE device";
  if (process.ib_absent)
    return concat("; NCCL found no InfiniBand device", misses_plugin(process) ? " and no network plugin" : "");
  if (process.network.empty() && process.ib_devices.empty() && process.socket_devices.empty() &&
      process.plugins.empty())
    return "; the lines that say which networks were there are not in this input, so it may be a fallback";
  return {};
}

/// Returns the processes that could not load libibverbs, without which NCCL knows of no InfiniBand device.
std::set<Index> lack_verbs_library(const Model& model) {
  std::set<Index> processes;
  for (const Incident& incident : model.incidents)
    if (contains(incident.message, "Failed to open libibverbs")) processes.insert(incident.process);
  return processes;
}

/// Whether all ranks have logs and share one host. NCCL's node count does not prove that, because NCCL counts ranks of
/// one machine as separate nodes if they can use neither P2P nor shared memory.
bool is_one_host(const Model& model, const Communicator& comm) {
  return static_cast<int>(comm.ranks.size()) == comm.nranks &&
         std::ranges::all_of(comm.ranks, [&](const Rank& rank) { return same_host(model, comm.ranks.front(), rank); });
}

}  // namespace

RuleResult check(const Model& model) {
  const MachinesByHost machines(model);
  const JobHostSpans spans(model);
  const std::set<Index> without_verbs = lack_verbs_library(model);
  return {each_communicator(model, [&](const Communicator& comm, Finding& finding) -> std::string {
    if (comm.parent >= 0 || comm.ranks.empty() || !uses_sockets(model, comm)) return {};
    if (comm.nnodes == 1 || is_one_host(model, comm)) return {};  // NCA410 reports sockets inside a host.
    std::vector<Index> processes;
    for (const auto& [rank, process] : known_ranks(model, comm)) {
      if (is_explained(model, machines, spans, rank.process)) return {};
      processes.push_back(rank.process);
      add_line(finding.evidence, process.network_at);
    }
    add_transport(comm, "NET/Socket", finding.evidence);
    const Process* first = process_of(model, comm.ranks.front().process);
    finding.message = concat(
        "Traffic between ",
        comm.nnodes > 0 ? count_text(static_cast<std::size_t>(comm.nnodes), "node") : std::string("nodes"),
        " runs over TCP sockets",
        first == nullptr ? std::string() : on_interfaces_text(model, comm.ranks.front().process),
        first == nullptr ? std::string() : choice_text(*first, without_verbs.contains(comm.ranks.front().process)));
    finding.ranks = logged_ranks(comm);
    if (first != nullptr && network_asked_for(*first) != "Socket") add_lack(lacks_rdma(model, processes), finding);
    return std::move(finding.message);
  })};
}

}  // namespace nccl_analyze::nca314
