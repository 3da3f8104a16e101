// Queries on the documents that describe a machine.

#include "queries/machines.h"

#include <algorithm>

#include "model/resolve/gpus.h"
#include "queries/ranks.h"
#include "text/message_text.h"

namespace nccl_analyze {

namespace {

bool is_nvlink(const MachinePath& path) { return path.type == PathType::nvl; }

NvlinkShown shown(const Machine& machine, const MachinePath& path, std::string_view where) {
  const std::string links = path.nvlinks > 0 ? concat("NV", path.nvlinks) : std::string("NVLink");
  return {concat(tool_text(machine), " shows ", links, " between ", where), path.at};
}

/// Returns the GPU-to-GPU path with the fewest NVLinks; null if one path is not NVLink or if there is no path.
const MachinePath* weakest_of_nvlink(const Machine& machine) {
  const MachinePath* weakest = nullptr;
  for (const MachinePath& path : machine.paths) {
    if (path.to_nic) continue;
    if (!is_nvlink(path)) return nullptr;
    if (weakest == nullptr || path.nvlinks < weakest->nvlinks) weakest = &path;
  }
  return weakest;
}

/// Returns the index of the rank's GPU on this host; -1 if it is not known, or if the rank runs on another host.
Index gpu_on(const Model& model, Index host, const Rank* rank) {
  const Process* const process = rank == nullptr ? nullptr : process_of(model, rank->process);
  if (process == nullptr || process->host_index != host) return -1;
  return builder::find_gpu(model.hosts[host], *rank);
}

}  // namespace

MachinesByHost::MachinesByHost(const Model& model) {
  if (model.machines.empty()) return;
  machines_.resize(model.hosts.size());
  for (const Machine& machine : model.machines)
    if (machine.host >= 0) machines_[machine.host].push_back(&machine);
}

bool is_usable(const MachineNic& nic) { return !nic.name.empty() && nic.state != PortState::down; }

bool has_nics(const MachinesByHost& machines, Index host) {
  return std::ranges::any_of(machines.of(host),
                             [](const Machine* machine) { return std::ranges::any_of(machine->nics, is_usable); });
}

std::string_view tool_text(const Machine& machine) {
  switch (machine.tool) {
    case MachineTool::topo_matrix:
      return "`nvidia-smi topo -m`";
    case MachineTool::topology_xml:
      return "NCCL's topology file";
    case MachineTool::graph_xml:
      return "NCCL's graph file";
    case MachineTool::ibstat:
      return "`ibstat`";
    case MachineTool::ibdev2netdev:
      return "`ibdev2netdev`";
    case MachineTool::lspci:
      return "`lspci`";
    case MachineTool::ibv_devinfo:
      return "`ibv_devinfo`";
    case MachineTool::ibstatus:
      return "`ibstatus`";
    case MachineTool::rdma_link:
      return "`rdma link`";
    case MachineTool::show_gids:
      return "`show_gids`";
    case MachineTool::ulimit:
      return "`ulimit -l`";
    case MachineTool::df:
      return "`df`";
    case MachineTool::lsmod:
      return "`lsmod`";
    case MachineTool::nvidia_smi:
      return "`nvidia-smi`";
    case MachineTool::ray:
      return "Ray";
    case MachineTool::unknown:
      break;
  }
  return "a document";
}

std::string machine_text(const Model& model, const Machine& machine) {
  constexpr std::size_t longest = 60;
  const Host* const host = model.hosts.find(machine.host);
  if (host != nullptr && !host->name.empty()) return excerpt(host->name, longest);
  const auto source = static_cast<std::size_t>(machine.at.source);
  return source < model.sources.size() ? concat("the machine of ", excerpt(model.sources[source].name, longest))
                                       : std::string("a machine");
}

std::string path_text(const MachinePath& path) {
  if (path.type == PathType::nvl && path.nvlinks > 0) return "NV" + std::to_string(path.nvlinks);
  return std::string(to_string(path.type));
}

const MachinePath* path_between(const Machine& machine, Index from, Index to) {
  if (from < 0 || to < 0) return nullptr;
  const auto found = std::ranges::find_if(machine.paths, [&](const MachinePath& path) {
    return !path.to_nic && machine.gpus[path.gpu].gpu == from && machine.gpus[path.to].gpu == to;
  });
  return found == machine.paths.end() ? nullptr : &*found;
}

NvlinkShown nvlink_between(const Model& model, const MachinesByHost& machines, const Communicator& comm,
                           const std::vector<std::pair<int, int>>& pairs) {
  NvlinkShown best;
  for (const auto& [from, to] : pairs) {
    const Rank* const a = find_rank(comm, from);
    const Rank* const b = find_rank(comm, to);
    const Process* const process = a == nullptr ? nullptr : process_of(model, a->process);
    const Index host = process == nullptr ? -1 : process->host_index;
    NvlinkShown one;
    for (const Machine* const machine : machines.of(host)) {
      const MachinePath* path = path_between(*machine, gpu_on(model, host, a), gpu_on(model, host, b));
      if (path == nullptr) path = weakest_of_nvlink(*machine);
      if (path != nullptr && is_nvlink(*path)) one = shown(*machine, *path, "these GPUs");
    }
    if (!one) return {};
    if (!best) best = std::move(one);
  }
  return best;
}

NvlinkShown nvlink_between_all(const MachinesByHost& machines, Index host) {
  for (const Machine* const machine : machines.of(host))
    if (const MachinePath* const path = weakest_of_nvlink(*machine); path != nullptr && machine->complete)
      return shown(*machine, *path, "all GPUs of the host");
  return {};
}

std::span<const GpuUse> GpuRanks::uses_of(Index host, Index gpu) const {
  const auto key = [](const GpuUse& use) { return std::pair{use.host, use.gpu}; };
  const auto from = std::ranges::lower_bound(uses_, std::pair{host, gpu}, {}, key);
  const auto to = std::ranges::upper_bound(uses_, std::pair{host, gpu}, {}, key);
  return {from, to};
}

std::vector<Index> GpuRanks::processes_of(Index host, Index gpu) const {
  std::vector<Index> processes;
  for (const GpuUse& use : uses_of(host, gpu)) {
    const Rank* const rank = find_rank(model_->communicators[use.communicator], use.rank);
    if (rank != nullptr && rank->process >= 0) processes.push_back(rank->process);
  }
  std::ranges::sort(processes);
  processes.erase(std::unique(processes.begin(), processes.end()), processes.end());
  return processes;
}

}  // namespace nccl_analyze
