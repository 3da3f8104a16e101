#pragma once
/// What values of the JSON report depend on beside the object that they belong to.

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "nccl_analyze/model.h"

namespace nccl_analyze::members {

/// Who is on the hosts: their processes, and the ranks that use their GPUs.
struct HostUses {
  Table<std::vector<Index>> processes;  ///< By host.
  std::vector<GpuUse> all;
  std::map<const HostGpu*, std::span<const GpuUse>> ranks;  ///< Parts of `all`; a GPU without ranks has none.
};
/// Returns parts of the model, which has to stay where it is.
inline HostUses host_uses(const Model& model) {
  HostUses uses{Table<std::vector<Index>>(model.hosts.size()), gpu_uses(model), {}};
  for (std::size_t i = 0; i < model.processes.size(); ++i)
    if (const Index place = model.processes[i].host_index; place >= 0)
      uses.processes[place].push_back(static_cast<Index>(i));
  const std::span<const GpuUse> all = uses.all;
  for (std::size_t from = 0, to = 0; from < all.size(); from = to) {
    const auto is_here = [&](const GpuUse& use) { return use.host == all[from].host && use.gpu == all[from].gpu; };
    while (to < all.size() && is_here(all[to])) ++to;
    uses.ranks.emplace(&model.hosts[all[from].host].gpus[all[from].gpu], all.subspan(from, to - from));
  }
  return uses;
}

/// What getters of members take beside their owner.
struct Context {
  const Model& model;
  HostUses hosts = {};
  /// How many more ranks without a log may be listed, so that a forged `nranks` does not turn one log line into
  /// gigabytes.
  mutable std::int64_t unlogged_budget = std::int64_t{1} << 22;
};

/// Returns the position of an item in its table.
template <class T>
std::uint64_t index_in(const Table<T>& table, const T& item) {
  return static_cast<std::uint64_t>(&item - table.data());
}

}  // namespace nccl_analyze::members
