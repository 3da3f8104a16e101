// Computes the paths between the devices of a topology file from the PCIe bridges above them and their NVLinks.

#include <algorithm>
#include <map>
#include <utility>

#include "model/resolve/machines.h"

namespace nccl_analyze::builder {

namespace {

using Ends = std::pair<std::uint64_t, std::uint64_t>;

/// The NVLinks of a machine: from GPU to GPU by bus ids, and from each GPU to switches.
struct Nvlinks {
  std::map<Ends, int> direct;
  std::map<std::uint64_t, int> to_switch;
};

Nvlinks nvlinks_of(const Machine& machine) {
  Nvlinks links;
  for (const MachineNvlink& one : machine.nvlinks) {
    if (one.to_switch) links.to_switch[one.from] += one.links;
    if (one.to != 0) links.direct[{one.from, one.to}] += one.links;
  }
  return links;
}

/// Returns the number of NVLinks between two GPUs: their direct links or their links to switches, whichever are more.
/// If the two GPUs list different numbers of links, the smaller number counts.
int nvlinks_between(const Nvlinks& links, std::uint64_t a, std::uint64_t b) {
  const auto count = [](const auto& of, const auto& key) {
    const auto found = of.find(key);
    return found == of.end() ? 0 : found->second;
  };
  const int direct = std::min(count(links.direct, Ends{a, b}), count(links.direct, Ends{b, a}));
  return std::max(direct, std::min(count(links.to_switch, a), count(links.to_switch, b)));
}

/// Returns the path type over PCIe, as in src/graph/paths.cc of NCCL: PIX over one switch, PXB over several switches,
/// PHB through the CPU, SYS between CPUs.
template <class A, class B>
PathType pcie_path(const A& a, const B& b) {
  if (a.numa != b.numa) return PathType::sys;
  const auto [apart, other] = std::ranges::mismatch(a.switches, b.switches);
  const auto common = apart - a.switches.begin();
  if (common == 0) return PathType::phb;
  const auto left = (a.switches.end() - apart) + (b.switches.end() - other);
  return left == 0 ? PathType::pix : PathType::pxb;
}

}  // namespace

void find_paths(Machine& machine, std::size_t& room) {
  const std::size_t devices = machine.gpus.size() + machine.nics.size();
  const std::size_t needed = machine.gpus.size() * devices;
  if (machine.tool != MachineTool::topology_xml || machine.several_hosts || needed > room) return;
  room -= needed;
  const Nvlinks links = nvlinks_of(machine);
  Index from = 0;
  for (const MachineGpu& gpu : machine.gpus) {
    Index to = 0;
    for (const MachineGpu& other : machine.gpus) {
      MachinePath path{.at = gpu.at, .gpu = from, .to = to++};
      if (path.to == from) continue;
      path.nvlinks = nvlinks_between(links, gpu.bus_id, other.bus_id);
      path.type = path.nvlinks > 0 ? PathType::nvl : pcie_path(gpu, other);
      machine.paths.push_back(path);
    }
    to = 0;
    for (const MachineNic& nic : machine.nics) {
      MachinePath path{.at = gpu.at, .gpu = from, .to = to++, .to_nic = true, .type = pcie_path(gpu, nic)};
      if (path.type == PathType::phb && gpu.c2c > 0) path.type = PathType::p2c;
      machine.paths.push_back(path);
    }
    ++from;
  }
}

}  // namespace nccl_analyze::builder
