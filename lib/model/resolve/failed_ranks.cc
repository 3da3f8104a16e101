// Marks ranks as failed if their error trace stands before their first line, as in posts whose lines are out of order.

#include <map>
#include <string_view>

#include "model/resolve/passes.h"
#include "model/versions.h"
#include "nccl_analyze/events/fault.h"

namespace nccl_analyze::builder {

namespace {

/// Whether the incident is the error trace of an initialisation in a release that names the rank before the bootstrap:
/// NCCL up to 2.3.7 (init.cu) prints the rank, and NCCL since 2.23 prints Init START. In the releases between, an
/// initialisation may fail before any line names its rank.
bool is_of_named_rank(const Model& model, const Incident& incident) {
  if (incident.kind != IncidentKind::error_propagated || incident.process < 0) return false;
  if (incident.evidence.lines.empty()) return false;
  const std::string_view file = incident.event.as<ErrorPropagated>().file;
  const std::string_view name = file.substr(file.rfind('/') + 1);
  return name == "init.cu" || (name == "init.cc" && release_of(model.processes[incident.process].version) >= 223);
}

bool stands_before(LineRef at, const Rank& rank) { return at.source == rank.started_at.source && at < rank.started_at; }

}  // namespace

void find_failed_ranks(Model& model) {
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
