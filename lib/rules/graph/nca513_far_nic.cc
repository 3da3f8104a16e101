// NCA513 reports GPUs that use only distant NICs although their own PCIe switch has NICs.

#include <algorithm>
#include <set>
#include <utility>

#include "nccl_analyze/rule.h"
#include "nccl_analyze/rule_parts.h"
#include "queries/machines.h"
#include "queries/nvlink.h"
#include "rules/findings.h"
#include "text/message_text.h"
#include "text/search.h"

namespace nccl_analyze::nca513 {

namespace {

bool is_near(PathType path) {
  return path == PathType::pix || path == PathType::pxb || path == PathType::p2c || path == PathType::loc;
}

bool is_far(PathType path) { return path == PathType::phb || path == PathType::node || path == PathType::sys; }

/// Whether a NIC of the log is this device or contains it: NCCL joins merged ports with `+`, as in mlx5_0+mlx5_1.
bool is_named(const HostNic& nic, std::string_view device) {
  for (std::string_view rest = nic.name; !rest.empty() && !device.empty();) {
    const std::size_t end = std::min(rest.find('+'), rest.size());
    if (rest.substr(0, end) == device) return true;
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return false;
}

/// Returns the path from a GPU to a NIC of the log, for merged ports the best one; null if the document shows none.
const MachinePath* path_to(const Machine& machine, Index gpu, const HostNic& nic) {
  const MachinePath* best = nullptr;
  for (const MachinePath& path : machine.paths)
    if (path.to_nic && path.gpu == gpu && is_named(nic, machine.nics[path.to].name) &&
        (best == nullptr || path.type < best->type))
      best = &path;
  return best;
}

/// A GPU that uses only far NICs, and a near NIC that it does not use.
struct FarUse {
  const HostNic* used = nullptr;
  const HostNic* near = nullptr;
  PathType used_path = PathType::unknown, near_path = PathType::unknown;
  LineRef at;
};

/// Whether NCCL lists the NIC for the network of the NIC in use, and the NIC is not known to be slower.
bool is_equal(const HostNic& nic, const HostNic& used) {
  return nic.network == used.network && nic.index >= 0 && (nic.speed < 0 || used.speed < 0 || nic.speed >= used.speed);
}

FarUse far_use_of(const Machine& machine, Index number, const Host& host) {
  const MachineGpu& gpu = machine.gpus[number];
  FarUse use;
  for (const Index nic : host.gpus[gpu.gpu].nics) {
    const MachinePath* const path = path_to(machine, number, host.nics[nic]);
    if (path == nullptr || !is_far(path->type)) return {};  // The NIC is near, or its path is not known.
    use.used = &host.nics[nic];
    use.used_path = path->type;
    use.at = path->at;
  }
  if (use.used == nullptr) return {};
  for (const HostNic& nic : host.nics) {
    const MachinePath* const path = path_to(machine, number, nic);
    if (path == nullptr || !is_near(path->type) || !is_equal(nic, *use.used)) continue;
    use.near = &nic;
    use.near_path = path->type;
    return use;
  }
  return {};
}

/// Whether a communicator with ranks on the host has at least as many channels as the host has NICs. With fewer
/// channels, NCCL leaves NICs out by design.
bool has_channel_for_each_nic(const Model& model, Index host, std::string_view network) {
  std::set<int> nics;
  for (const HostNic& nic : model.hosts[host].nics)
    if (nic.network == network) nics.insert(nic.index);
  return std::ranges::any_of(model.communicators, [&](const Communicator& comm) {
    return comm.channels >= static_cast<int>(nics.size()) && std::ranges::any_of(comm.ranks, [&](const Rank& rank) {
             return rank.process >= 0 && rank.nics != 0 && model.processes[rank.process].host_index == host;
           });
  });
}

/// Returns the ranks, by communicator, that send or receive over the NIC of another GPU (PXN). By design, these NICs
/// are not near the GPU of the rank.
using Proxied = std::set<std::pair<Index, int>>;

Proxied proxied_ranks(const Model& model) {
  Proxied ranks;
  Index number = 0;
  for (const Communicator& comm : model.communicators) {
    for (const ConnectionGroup& group : comm.connections.groups())
      if (group.proxy_rank >= 0) ranks.emplace(number, group.receive ? group.to : group.from);
    ++number;
  }
  return ranks;
}

void judge(const Model& model, const Machine& machine, const GpuRanks& ranks, const Proxied& proxied,
           MachineGroups& groups) {
  const Host& host = model.hosts[machine.host];
  std::vector<std::string> texts;
  std::vector<Index> processes;
  Evidence evidence;
  for (Index i = 0; i < static_cast<Index>(machine.gpus.size()); ++i) {
    const Index gpu = machine.gpus[i].gpu;
    if (gpu < 0 || host.gpus[gpu].nics.empty()) continue;
    const FarUse use = far_use_of(machine, i, host);
    const bool has_proxy = std::ranges::any_of(ranks.uses_of(machine.host, gpu), [&](const GpuUse& one) {
      return proxied.contains({one.communicator, one.rank});
    });
    if (use.near == nullptr || has_proxy || !has_channel_for_each_nic(model, machine.host, use.used->network)) continue;
    texts.push_back(concat("GPU ", bus_id_text(host.gpus[gpu].bus_id), " uses ", excerpt(use.used->name, 40),
                           " at a distance of ", to_string(use.used_path), " and not ", excerpt(use.near->name, 40),
                           " at ", to_string(use.near_path)));
    add_line(evidence, use.at);
    const std::vector<Index> own = ranks.processes_of(machine.host, gpu);
    processes.insert(processes.end(), own.begin(), own.end());
  }
  if (texts.empty()) return;
  MachineGroup& group = groups[concat(" by ", tool_text(machine), ": ", list_text(texts))];
  group.names.push_back(machine_text(model, machine));
  group.processes.insert(group.processes.end(), processes.begin(), processes.end());
  group.evidence.add(evidence);
}

}  // namespace

RuleResult check(const Model& model) {
  RuleResult result;
  if (model.machines.empty()) return result;
  const GpuRanks ranks(model);
  const Proxied proxied = proxied_ranks(model);
  MachineGroups groups;
  std::set<Index> judged;  // A host may have several documents, which show the same paths.
  for (const Machine& machine : model.machines)
    if (machine.host >= 0 && !machine.paths.empty() && judged.insert(machine.host).second)
      judge(model, machine, ranks, proxied, groups);
  result.findings = findings_of(model, "On ", std::move(groups));
  return result;
}

}  // namespace nccl_analyze::nca513
