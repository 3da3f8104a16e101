// Compares RDMA failures with later events of the port, with the end of the process, and with its connections.

#include "rules/support/rdma_outcome.h"

#include <algorithm>
#include <cstddef>

#include "nccl_analyze/events/ib.h"
#include "queries/ranks.h"
#include "rules/support/rdma_fault.h"

namespace nccl_analyze {

namespace {

/// Whether both incidents are in the same source, and `later` comes after `earlier`.
bool is_later(const Incident& later, const Incident& earlier) {
  const auto& a = earlier.evidence.lines;
  const auto& b = later.evidence.lines;
  return !a.empty() && !b.empty() && a.back().source == b.back().source && a.back() < b.back();
}

/// Whether a request failed by timeout or flush. Tests the kind first, which is cheap, because all incidents are
/// scanned for each lost link.
bool is_lost_packet(const Incident& incident) {
  if (incident.kind != IncidentKind::ib_completion_failed && incident.kind != IncidentKind::ofi_request_failed)
    return false;
  const RdmaFault fault = rdma_fault(incident);
  return fault == RdmaFault::timeout || fault == RdmaFault::flush;
}

bool same_port(const Incident& a, const Incident& b) {
  const auto &one = a.event.as<IbAsyncEvent>(), &other = b.event.as<IbAsyncEvent>();
  return one.device == other.device && one.port == other.port;
}

bool came_back(const Model& model, const Incident& port_down) {
  return std::ranges::any_of(model.incidents, [&](const Incident& other) {
    return other.process == port_down.process && same_port(other, port_down) &&
           rdma_fault(other) == RdmaFault::port_up && is_later(other, port_down);
  });
}

/// Whether `other` may be the same process as `process` although the host names differ, as in an incompletely
/// anonymised log: both are in the same source, and `other` has the same pid or no prefix.
bool may_be_one(const Process& process, const Process& other) {
  return process.source == other.source && (other.pid < 0 || other.pid == process.pid);
}

}  // namespace

bool all_ended_in_order(const Model& model, const std::vector<Index>& processes) {
  return !processes.empty() && std::ranges::all_of(processes, [&](Index index) {
    const Process* const process = process_of(model, index);
    return process != nullptr && process->ended_in_order;
  });
}

bool link_loss_hurts(const Model& model, const Incident& port_down) {
  if (std::ranges::any_of(model.incidents, is_lost_packet)) return true;
  return !came_back(model, port_down) && !all_ended_in_order(model, {port_down.process});
}

bool rdma_worked_before(const Model& model, const std::vector<Index>& processes) {
  std::vector<bool> failed(model.processes.size()), placed(model.processes.size());
  for (const Index index : processes)
    if (process_of(model, index) != nullptr) failed[static_cast<std::size_t>(index)] = true;
  for (const Communicator& comm : model.communicators)
    for (const Rank& rank : comm.ranks)
      if (rank.process >= 0) placed[static_cast<std::size_t>(rank.process)] = true;
  std::vector<const Process*> strangers;  // failed processes without a rank
  for (std::size_t i = 0; i < failed.size(); ++i)
    if (failed[i] && !placed[i]) strangers.push_back(&model.processes[i]);
  const auto is_one_of_them = [&](Index index) {
    if (index < 0) return false;
    const auto i = static_cast<std::size_t>(index);
    return failed[i] || std::ranges::any_of(strangers, [&](const Process* stranger) {
             return may_be_one(*stranger, model.processes[i]);
           });
  };
  for (const Communicator& comm : model.communicators)
    for (const Rank& rank : comm.ranks)
      if (rank.connected != 0 && rank.nics != 0 && !has_transport(comm, "NET/Socket") && is_one_of_them(rank.process))
        return true;
  return false;
}

}  // namespace nccl_analyze
