// Describes GPUDirect RDMA by kinds of hosts, then NVLS, CollNet, registered buffers, GIN and RMA.

#include "report/sentences/gpudirect.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <string_view>
#include <utility>

#include "model/stable_sort.h"
#include "nccl_analyze/rule_parts.h"
#include "queries/gdr.h"
#include "queries/hosts.h"
#include "queries/settings.h"
#include "text/escape.h"
#include "text/host_list.h"
#include "text/phrases.h"

namespace nccl_analyze {
namespace {

constexpr std::size_t most_kinds = 4, most_hosts = 4, most_gpus = 16, most_nics = 4, most_backends = 4;

std::string gpu_text(const Host& host, Index index) {
  const HostGpu& gpu = host.gpus[index];
  // Containers number their GPUs from 0 each.
  const bool is_unique = gpu.nvml_dev >= 0 && std::ranges::count(host.gpus, gpu.nvml_dev, &HostGpu::nvml_dev) == 1;
  return concat("GPU ", is_unique ? std::to_string(gpu.nvml_dev) : to_hex(gpu.bus_id));
}

/// Lists GPUs with their NICs: `GPU 0 ↔ mlx5_0+mlx5_1, GPU 1 ↔ mlx5_2`, or `8 GPUs ↔ mlx5_0` if all have the same.
std::string pairs_text(const Host& host, const std::vector<const GdrPair*>& pairs, std::size_t most) {
  std::vector<std::pair<Index, std::vector<std::string_view>>> gpus;
  for (const GdrPair* const pair : pairs) {
    if (gpus.empty() || gpus.back().first != pair->gpu) gpus.emplace_back().first = pair->gpu;
    gpus.back().second.push_back(pair->nic);
  }
  const auto nics_of = [](const std::vector<std::string_view>& nics) {
    return nics.size() > 2
               ? fold_host_list(nics, most_nics)
               : concat(nics[0], nics.size() < 2 ? "" : "+", nics.size() < 2 ? std::string_view() : nics[1]);
  };
  const bool are_alike =
      gpus.size() > 2 && std::ranges::all_of(gpus, [&](const auto& gpu) { return gpu.second == gpus.front().second; });
  if (are_alike) return concat(gpus.size(), " GPUs \u2194 ", nics_of(gpus.front().second));
  std::string text;
  for (std::size_t i = 0; i < std::min(gpus.size(), most); ++i)
    append_item(text, concat(gpu_text(host, gpus[i].first), " \u2194 ", nics_of(gpus[i].second)));
  if (gpus.size() > most) append_item(text, concat(gpus.size() - most, " more GPUs"));
  return text;
}

/// Sending and receiving.
using Directions = std::pair<GdrUse, GdrUse>;

std::string directions_text(Directions use) {
  constexpr std::array<std::string_view, 4> states{" not shown", " off", " on some channels", " on"};
  if (use == Directions{GdrUse::on, GdrUse::on}) return "send and receive";
  if (use == Directions{GdrUse::off, GdrUse::off}) return "off";
  const std::string send = concat("send", states[static_cast<std::size_t>(use.first)]);
  const std::string receive = concat("receive", states[static_cast<std::size_t>(use.second)]);
  return use.first == GdrUse::not_shown ? receive + ", " + send : send + ", " + receive;
}

/// Returns why GPUDirect RDMA is off for these pairs, or why they do not send with it; empty if no line shows it, or if
/// they differ. `direct`: the processes that use it with some NIC.
std::string reason_text(const Model& model, const std::vector<const GdrPair*>& pairs, const std::set<Index>& direct) {
  std::set<std::string> reasons;
  for (const GdrPair* const pair : pairs) {
    const Process& process = model.processes[pair->process];
    const EnvValue* const read = setting(process, "NCCL_NET_GDR_READ");
    const bool is_one_way = pair->send == GdrUse::off && pair->receive != GdrUse::off;
    const bool is_off = pair->receive == GdrUse::off || (is_one_way && pair->receive == GdrUse::not_shown);
    if (is_one_way && pair->receive != GdrUse::not_shown && read != nullptr && read->value == "0") {
      reasons.insert("NCCL_NET_GDR_READ=0");
    } else if (is_off && !direct.contains(pair->process)) {
      const GdrReason reason = gdr_reason(model, process, true);
      reasons.insert(reason.kind == "unknown" ? std::string() : reason.text);
    }
  }
  return reasons.size() == 1 ? *reasons.begin() : std::string();
}

/// Describes the pairs of a host: `GPU 0 ↔ mlx5_0 (send and receive); GPU 1 ↔ mlx5_1 (off: …)`.
std::string host_text(const Model& model, const Host& host, const std::vector<GdrPair>& pairs, std::size_t most) {
  std::map<Directions, std::vector<const GdrPair*>, std::greater<>> groups;
  std::set<Index> direct;
  for (const GdrPair& pair : pairs) {
    groups[{pair.send, pair.receive}].push_back(&pair);
    if (pair.send >= GdrUse::some || pair.receive >= GdrUse::some) direct.insert(pair.process);
  }
  std::string text;
  for (const auto& [use, alike] : groups) {
    const std::string reason = reason_text(model, alike, direct);
    append_item(
        text,
        concat(pairs_text(host, alike, most), " (", directions_text(use), reason.empty() ? "" : ": ", reason, ")"),
        "; ");
  }
  return text;
}

/// Describes NICs whose lines say whether they can, on a host without a pair: `2 of 2 NICs can; which GPUs use them is
/// not shown`.
std::string ability_text(const Host& host) {
  std::size_t able = 0, unable = 0;
  for (const HostNic& nic : host.nics) {
    if (nic.network == "Socket" || nic.gdr < 0) continue;
    ++(nic.gdr == 1 ? able : unable);
  }
  if (able + unable == 0) return {};
  return concat(able, " of ", count_text(able + unable, "NIC"), " can; which GPUs use them is not shown");
}

std::string asked_in_vain(const Model& model, const Communicator& comm) {
  if (comm.nnodes < 2 || !comm.collnet.empty() || comm.connections.empty()) return {};
  const bool is_asked = std::ranges::any_of(comm.ranks, [&](const Rank& rank) {
    const Process* const process = process_of(model, rank.process);
    return process != nullptr && switched_on(*process, "NCCL_COLLNET_ENABLE");
  });
  return is_asked ? "CollNet: no connection is shown, though NCCL_COLLNET_ENABLE asks for it" : "";
}

std::string ways_text(std::uint8_t ways) {
  std::string text;
  for (std::size_t i = 0; i < buffer_ways; ++i)
    if (const auto way = static_cast<BufferWay>(i); (ways & bit_of(way)) != 0) append_item(text, to_string(way));
  return text;
}

std::string buffers_text(const BufferWays& buffers) {
  std::string text;
  if (buffers.registered != 0) text = "registered for " + ways_text(buffers.registered);
  const auto others = static_cast<std::uint8_t>(buffers.refused & ~buffers.without_gdr);
  if (others != 0) append_item(text, "refused for " + ways_text(others), "; ");
  if (buffers.without_gdr != 0)
    append_item(text, "refused for " + ways_text(buffers.without_gdr) + ", which needs GPUDirect RDMA", "; ");
  return text;
}

std::string names_text(const std::set<std::string_view>& names) { return joined(names, ", ", most_backends, ", "); }

}  // namespace

std::vector<std::string> describe_gpudirect(const Model& model, bool everything) {
  const Table<std::vector<GdrPair>> pairs = gdr_pairs(model);
  std::map<std::string, std::set<std::string_view>> kinds;
  const bool matters = spans_nodes(model);
  const std::size_t most = everything ? static_cast<std::size_t>(-1) : most_gpus;
  for (std::size_t i = 0; i < model.hosts.size(); ++i) {
    const Host& host = model.hosts[i];
    std::string text = pairs[i].empty() ? (matters ? ability_text(host) : "") : host_text(model, host, pairs[i], most);
    if (!text.empty()) kinds[std::move(text)].insert(host.pod.empty() ? host.name : host.pod);
  }
  std::vector<std::pair<std::string, std::set<std::string_view>>> sorted(kinds.begin(), kinds.end());
  sort_stably(sorted, [](const auto& a, const auto& b) { return a.second.size() > b.second.size(); });
  std::vector<std::string> lines;
  for (auto& [text, hosts] : sorted) {
    if (!everything && lines.size() == most_kinds) break;
    const std::string names =
        model.hosts.size() < 2 ? std::string() : " on " + fold_host_list({hosts.begin(), hosts.end()}, most_hosts);
    lines.push_back(concat("GPUDirect RDMA", names, ": ", text));
  }
  if (lines.size() < sorted.size())
    lines.push_back("and " + count_text(sorted.size() - lines.size(), "other kind") + " of host");
  return lines;
}

std::string describe_nvls(const Model& model, const Communicator& comm, bool is_on) {
  if (is_on)
    return comm.nvls_channels <= 0 ? std::string() : concat(" (", count_text(comm.nvls_channels, "channel"), ")");
  bool is_off = false, is_unable = false;
  for (const Rank& rank : comm.ranks) {
    const Process* const process = process_of(model, rank.process);
    if (process == nullptr) continue;
    const EnvValue* const enabled = setting(*process, "NCCL_NVLS_ENABLE");
    is_off = is_off || (enabled != nullptr && enabled->value == "0");
    is_unable = is_unable || process->nvls == 0;
  }
  if (is_off) return " (NCCL_NVLS_ENABLE=0)";
  return is_unable ? " (multicast is not available)" : "";
}

std::vector<std::string> describe_offloads(const Model& model, const Communicator& comm) {
  std::vector<std::string> lines{asked_in_vain(model, comm)};
  BufferWays buffers;
  std::set<std::string_view> gin, rma;
  for (const Process& process : model.processes) {
    buffers.registered |= process.buffers.registered;
    buffers.refused |= process.buffers.refused;
    buffers.without_gdr |= process.buffers.without_gdr;
    for (const Plugin& plugin : process.plugins) {
      if (plugin.status != PluginStatus::initialized) continue;
      if (plugin.kind == "gin") gin.insert(plugin.name);
      if (plugin.kind == "rma") rma.insert(plugin.name);
    }
  }
  if (const std::string text = buffers_text(buffers); !text.empty()) lines.push_back("buffers of the user: " + text);
  std::string backends = gin.empty() ? std::string() : "GIN over " + names_text(gin);
  if (!rma.empty()) append_item(backends, "RMA over " + names_text(rma));
  if (!backends.empty()) lines.push_back("one-sided communication: " + backends);
  std::erase(lines, "");
  return lines;
}

}  // namespace nccl_analyze
