// Decides how far ranks came whose lines alone do not tell: ranks whose error trace stands before their first line, as
// in posts whose lines are out of order, and ranks of which the input has connections but no start and no COMPLETE.

#include <algorithm>
#include <map>
#include <set>
#include <string_view>
#include <vector>

#include "model/resolve/passes.h"
#include "model/versions.h"
#include "nccl_analyze/events/fault.h"

namespace nccl_analyze::builder {

namespace {

std::string_view trace_file_of(const Incident& trace) {
  const std::string_view file = trace.event.as<ErrorPropagated>().file;
  return file.substr(file.rfind('/') + 1);
}

/// Whether the incident is the error trace of an initialisation in a release that names the rank before the bootstrap:
/// NCCL up to 2.3.7 (init.cu) prints the rank, and NCCL since 2.23 prints Init START. In the releases between, an
/// initialisation may fail before any line names its rank.
bool is_of_named_rank(const Model& model, const Incident& incident) {
  if (incident.kind != IncidentKind::error_propagated || incident.process < 0) return false;
  if (incident.evidence.lines.empty()) return false;
  const std::string_view name = trace_file_of(incident);
  return name == "init.cu" || (name == "init.cc" && release_of(model.processes[incident.process].version) >= 223);
}

/// Returns the processes whose initialisation failed while it connected ranks: their error traces name transport.cc and
/// init.cc, which later calls of transport.cc do not pass. NCCL up to 2.3.7 connects in init.cu.
std::map<Index, LineRef> failed_while_connecting(const Model& model) {
  std::set<Index> in_transport;
  std::map<Index, LineRef> failed;
  for (const Incident& incident : model.incidents) {
    if (incident.kind != IncidentKind::error_propagated || incident.process < 0 || incident.evidence.lines.empty())
      continue;
    const std::string_view file = trace_file_of(incident);
    if (file == "transport.cc") in_transport.insert(incident.process);
    if (file == "init.cu" || (file == "init.cc" && in_transport.contains(incident.process)))
      failed[incident.process] = incident.evidence.lines.back();
  }
  return failed;
}

/// Whether the process connects ranks after Init COMPLETE: since 2.22.3 NCCL does so at the first collective.
bool connects_late(const Process& process) {
  const EnvValue* const connect = process.env.find("NCCL_RUNTIME_CONNECT");
  if (connect != nullptr && connect->value == "0") return false;
  return process.version.empty() ? process.releases.since >= 222 : !lower_version(process.version.view(), "2.22.3");
}

/// Returns the ranks that connected for a send or receive. NCCL does so after the initialisation in all releases, but
/// for indirect paths.
std::set<int> ranks_with_sends(const Communicator& comm) {
  std::set<int> ranks;
  for (const ConnectionGroup& group : comm.connections.groups())
    if (group.connection > 0 && !comm.transports[group.transport].starts_with("P2P/indirect"))
      ranks.insert(group.receive ? group.to : group.from);
  return ranks;
}

/// Sets the state of ranks that only connections show, which inferred communicators have.
void judge_connected_ranks(Model& model) {
  if (std::ranges::none_of(model.communicators, &Communicator::inferred)) return;
  std::vector<std::size_t> ranks_of(model.processes.size());  // by process
  for (const Communicator& comm : model.communicators)
    for (const Rank& rank : comm.ranks)
      if (rank.process >= 0) ++ranks_of[static_cast<std::size_t>(rank.process)];
  const std::map<Index, LineRef> failed = failed_while_connecting(model);
  for (Communicator& comm : model.communicators) {
    if (!comm.inferred) continue;
    const std::set<int> with_sends = ranks_with_sends(comm);
    for (Rank& rank : comm.ranks) {
      if (rank.state != RankState::complete || rank.phase != InitPhase::connect || rank.process < 0) continue;
      if (with_sends.contains(rank.rank) || connects_late(model.processes[rank.process])) continue;
      rank.state = RankState::started;
      const auto failure = failed.find(rank.process);
      if (failure == failed.end() || ranks_of[static_cast<std::size_t>(rank.process)] > 1) continue;
      rank.state = RankState::failed;
      rank.ended_at = failure->second;
    }
  }
}

bool stands_before(LineRef at, const Rank& rank) { return at.source == rank.started_at.source && at < rank.started_at; }

}  // namespace

void find_failed_ranks(Model& model) {
  judge_connected_ranks(model);
  std::map<Index, LineRef> traces;  // by process
  for (const Incident& incident : model.incidents)
    if (is_of_named_rank(model, incident)) traces[incident.process] = incident.evidence.lines.back();
  if (traces.empty()) return;
  std::map<Index, Rank*> only;  // the only rank of a process; null if it has several
  for (Communicator& comm : model.communicators)
    for (Rank& rank : comm.ranks) {
      if (!traces.contains(rank.process)) continue;
      const auto [found, is_new] = only.emplace(rank.process, comm.inferred ? nullptr : &rank);
      if (!is_new) found->second = nullptr;
    }
  for (const auto& [process, rank] : only) {
    if (rank == nullptr || rank->state != RankState::started || !stands_before(traces[process], *rank)) continue;
    rank->state = RankState::failed;
    rank->ended_at = traces[process];
  }
}

}  // namespace nccl_analyze::builder
