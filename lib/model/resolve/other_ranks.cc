// Finds processes that have more ranks than the input shows. A process with several GPUs has a rank for each GPU, and
// an excerpt often shows only one of them.

#include <map>
#include <set>

#include "model/resolve/passes.h"

namespace nccl_analyze::builder {

namespace {

/// The known ranks of one process.
struct Known {
  std::set<int> devices;     ///< The CUDA and NVML indices of these ranks' GPUs.
  bool is_complete = false;  ///< Whether the input shows all ranks of a communicator of the process.
  bool is_vague = false;     ///< Whether the GPU of any of these ranks is unknown.

  void add(const Communicator& comm, const Rank& rank) {
    is_complete |= !comm.inferred && comm.nranks > 0 && static_cast<int>(comm.ranks.size()) == comm.nranks;
    is_vague |= rank.cuda_dev < 0 && rank.nvml_dev < 0;
    for (const int device : {rank.cuda_dev, rank.nvml_dev})
      if (device >= 0) devices.insert(device);
  }
};

/// Whether the incident is a warning or an error trace whose line shows the GPU of its thread. A thread that waits for
/// events of a NIC has chosen no GPU, so its lines show 0.
bool names_gpu(const Incident& incident) {
  return incident.device >= 0 && incident.process >= 0 && incident.kind != IncidentKind::ib_async_event &&
         (warns(incident.level) || incident.kind == IncidentKind::error_propagated);
}

}  // namespace

void find_other_ranks(Model& model) {
  std::map<Index, Known> known;
  for (const Incident& incident : model.incidents)
    if (names_gpu(incident)) known[incident.process];
  if (known.empty()) return;
  for (const Communicator& comm : model.communicators)
    for (const Rank& rank : comm.ranks)
      if (const auto found = known.find(rank.process); found != known.end()) found->second.add(comm, rank);
  for (Incident& incident : model.incidents) {
    if (!names_gpu(incident)) continue;
    const Known& ranks = known[incident.process];
    if (ranks.is_complete || ranks.is_vague || ranks.devices.empty() || ranks.devices.contains(incident.device))
      continue;
    model.processes[incident.process].has_other_ranks = true;
    incident.communicator = incident.rank = -1;
  }
}

}  // namespace nccl_analyze::builder
