// NCA205 reports ranks that use the same GPU, which NCCL refuses.

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "nccl_analyze/events/topology.h"
#include "nccl_analyze/rule.h"
#include "nccl_analyze/rule_parts.h"
#include "queries/bootstrap_address.h"
#include "queries/nvlink.h"
#include "queries/settings.h"
#include "rules/findings.h"
#include "text/message_text.h"

namespace nccl_analyze::nca205 {

namespace {

struct Sharing : ProcessGroup {
  std::set<int> ranks = {};
};

std::string same_host_id(const Model& model, const std::vector<Index>& processes) {
  for (const Process* process : known_processes(model, processes))
    if (const EnvValue* id = setting(*process, "NCCL_HOSTID"))
      return concat(". NCCL_HOSTID=", excerpt(id->value, 60),
                    " is set: ranks of different pods that share it look like "
                    "one host, and their bus ids then collide");
  return {};
}

/// States that processes with the same host name run on two machines. The proof is a bootstrap interface of the same
/// name with different addresses; empty without this proof.
std::string two_machines(const Model& model, const std::vector<Index>& processes) {
  const Process* first = nullptr;
  for (const Process* process : known_processes(model, processes)) {
    if (process->bootstrap_address.empty()) continue;
    if (first == nullptr) first = process;
    const std::string_view here = ip_of(first->bootstrap_address), there = ip_of(process->bootstrap_address);
    if (process->host == first->host && process->bootstrap_interface == first->bootstrap_interface && here != there)
      return concat(". ", excerpt(process->bootstrap_interface, 40), " has the address ", excerpt(here, 40),
                    " in one process and ", excerpt(there, 40), " in another: they run on two machines that have the ",
                    "same host name, which NCCL takes for one");
  }
  return {};
}

std::string title_of(const std::vector<int>& ranks) {
  if (ranks.empty()) return "Several ranks use the same GPU";
  if (ranks.size() == 1) return concat("Rank ", ranks.front(), " uses the GPU of another rank");
  return concat(capitalized(ranks_text(ranks)), " use the same GPU");
}

using Sharings = std::map<std::uint64_t, Sharing>;

/// Whether NCCL may let the ranks share a GPU: RCCL, and NCCL since 2.30 if the user asks for it.
bool may_share(const Process& process) {
  return process.library == "RCCL" || setting(process, "NCCL_MULTI_RANK_GPU_ENABLE") != nullptr;
}

/// Adds the ranks that began the initialisation of the communicator with the same GPU of a host. NCCL refuses such a
/// communicator, but its warning goes to standard output, which may not be in the input.
void add_started(const Model& model, const Communicator& comm, Sharings& by_gpu) {
  std::map<std::pair<std::string_view, std::uint64_t>, std::vector<const Rank*>> gpus;
  for (const auto& [rank, process] : known_ranks(model, comm)) {
    const bool counts = !process.host.empty() && rank.has_bus_id && rank.start_seen;
    // NCCL compares the GPUs before it reads the topology.
    if (counts && rank.phase < InitPhase::topology && rank.state != RankState::destroyed && !may_share(process))
      gpus[{process.host, rank.bus_id}].push_back(&rank);
  }
  for (const auto& [gpu, ranks] : gpus) {
    std::vector<Index> processes;
    for (const Rank* rank : ranks)
      if (std::ranges::find(processes, rank->process) == processes.end()) processes.push_back(rank->process);
    // Two ranks with the same GPU in one process come from mixed lines of several processes.
    if (processes.size() < ranks.size() || ranks.size() < 2 || !two_machines(model, processes).empty()) continue;
    Sharing& sharing = by_gpu[gpu.second];
    for (const Rank* rank : ranks) {
      sharing.ranks.insert(rank->rank);
      add_line(sharing.evidence, rank->started_at);
    }
    sharing.processes.insert(sharing.processes.end(), processes.begin(), processes.end());
  }
}

}  // namespace

RuleResult check(const Model& model) {
  // Both ranks of a pair print the warning, so the warnings are grouped by GPU.
  Sharings by_gpu;  // Keyed by bus id; 0 for NCCL 2.30, which prints none.
  for (const Incident& incident : model.incidents) {
    if (incident.kind != IncidentKind::duplicate_gpu) continue;
    const auto& event = incident.event.as<DuplicateGpuDetected>();
    Sharing& sharing = by_gpu[event.rank >= 0 ? event.bus_id.value : 0];
    for (const int rank : {event.rank >= 0 ? event.rank : incident.rank, event.other_rank})
      if (rank >= 0) sharing.ranks.insert(rank);
    sharing.add(model, incident);
  }
  if (by_gpu.empty())
    for (const Communicator& comm : model.communicators)
      if (comm.comm_id != 0 && !comm.inferred) add_started(model, comm, by_gpu);
  RuleResult result;
  for (auto& [gpu, sharing] : by_gpu) {
    const std::vector<int> ranks(sharing.ranks.begin(), sharing.ranks.end());
    const std::string machines = two_machines(model, sharing.processes);
    std::string message = concat(title_of(ranks), when(gpu != 0, " (bus id ", bus_id_text(gpu), ")"),
                                 same_host_id(model, sharing.processes), machines);
    Finding& finding = result.findings.emplace_back(finding_of(model, std::move(message), std::move(sharing)));
    if (machines.empty())
      finding.title = title_of(ranks);
    else
      finding.values.push_back({"found", "machines"});
    if (gpu != 0) finding.values.push_back({"bus_id", bus_id_text(gpu)});
    if (!ranks.empty()) finding.ranks = ranks;
    if (ranks.size() > 1) finding.values.push_back({"pair", "known"});
  }
  return result;
}

}  // namespace nccl_analyze::nca205
