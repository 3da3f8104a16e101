// Gathers the ends of network connections by GPU and NIC, and finds why GPUDirect RDMA is off.

#include "queries/gdr.h"

#include <bit>
#include <map>
#include <set>
#include <tuple>

#include "model/host_table.h"
#include "model/resolve/gpus.h"
#include "model/tcpx.h"
#include "nccl_analyze/rule_parts.h"
#include "queries/settings.h"
#include "text/phrases.h"
#include "text/search.h"

namespace nccl_analyze {

namespace {

/// Numbers of channels, in total and with GPUDirect RDMA.
struct ChannelSum {
  int all = 0, direct = 0;
  GdrUse use() const {
    if (all == 0) return GdrUse::not_shown;
    return direct == 0 ? GdrUse::off : direct == all ? GdrUse::on : GdrUse::some;
  }
};
struct BothWays {
  Index process = -1;
  std::string nic;
  ChannelSum send, receive;
};
/// Host, GPU, network as in Host::nics, number of the NIC.
using PairKey = std::tuple<Index, Index, std::string_view, int>;

bool is_gdr_network(std::string_view transport) {
  return transport.starts_with("NET/") && transport != "NET/Socket" && !is_google_network(transport.substr(4));
}

/// Names of NICs by what nic_name() makes them from. The processes of a host mostly print the same list of NICs, which
/// is read once for each NIC then.
using NicNames = std::map<std::tuple<Index, std::string_view, std::string_view, int>, std::string>;

void add_group(const Model& model, const Communicator& comm, const ConnectionGroup& group, NicNames& names,
               std::map<PairKey, BothWays>& pairs) {
  const std::string_view transport = comm.transports[group.transport];
  if (!is_gdr_network(transport)) return;
  const Rank* const rank = rank_at_nic(comm, group);
  const Process* const process = rank == nullptr ? nullptr : process_of(model, rank->process);
  if (process == nullptr || process->host_index < 0) return;
  const Host& host = model.hosts[process->host_index];
  const std::string_view network = builder::device_list_of(transport.substr(4));
  const Index gpu = builder::find_gpu(host, *rank);
  if (gpu < 0) return;  // two GPUs would look like one
  const auto [place, is_new] = pairs.try_emplace({process->host_index, gpu, network, group.device});
  BothWays& both = place->second;
  if (is_new) both.process = rank->process;
  if (is_new) {
    const auto [name, is_new_name] =
        names.try_emplace({process->host_index, process->ib_devices.view(), network, group.device});
    if (is_new_name) name->second = nic_name(host, *process, network, group.device);
    both.nic = name->second;
  }
  ChannelSum& sum = group.receive ? both.receive : both.send;
  const int channels = std::popcount(group.channels);
  sum.all += channels;
  sum.direct += group.gdrdma ? channels : 0;
}

/// Describes the setting that switches GPUDirect RDMA off; empty if no setting does.
std::string switched_off(const Process& process) {
  const EnvValue* level = gdr_level_setting(process);
  if (level != nullptr && one_of(level->value, {"LOC", "0"}))
    return concat("NCCL_NET_GDR_LEVEL=", excerpt(level->value, 20), " switches it off");
  const EnvValue* old = setting(process, "NCCL_IB_CUDA_SUPPORT");
  return old != nullptr && old->value == "0" ? std::string("NCCL_IB_CUDA_SUPPORT=0 switches it off") : std::string();
}

/// Whether the network asks the kernel for nvidia-peermem or DMA-BUF, as NET/IB and the plugins made from it do. If the
/// process does not name its network, its first line about a NIC without GPUDirect RDMA may.
bool asks_for_module(const Model& model, const Process& process) {
  if (uses_omni_path(process) || process.library == "RCCL") return false;
  const std::vector<LineRef>& lines = process.gdr().unable_nics.lines;
  if (process.network.empty()) return !lines.empty() && contains(model.quote(lines.front()), "NET/IB");
  return !uses_libfabric(process);
}

}  // namespace

const Rank* rank_at_nic(const Communicator& comm, const ConnectionGroup& group) {
  const Rank* const proxy = group.receive || group.proxy_rank < 0 ? nullptr : find_rank(comm, group.proxy_rank);
  return proxy != nullptr ? proxy : find_rank(comm, group.receive ? group.to : group.from);
}

// A process numbers the NICs of its own list. Names of the host count only if one NIC has the number.
std::string nic_name(const Host& host, const Process& process, std::string_view network, int device) {
  std::set<std::string_view> names;
  NicList listed(network == "IB" ? process.ib_devices.view() : std::string_view{});
  for (Nic port; listed.next(port);)
    if (port.index == device) names.insert(port.device);
  const bool is_listed = !names.empty();
  for (const HostNic& nic : host.nics)
    if (!is_listed && nic.network == network && nic.index == device && !nic.name.empty()) names.insert(nic.name);
  if (names.empty() || (!is_listed && names.size() > 1)) return concat("NIC ", device);
  return joined(names, "+");
}

Table<std::vector<GdrPair>> gdr_pairs(const Model& model) {
  std::map<PairKey, BothWays> sums;
  NicNames names;
  for (const Communicator& comm : model.communicators)
    for (const ConnectionGroup& group : comm.connections.groups()) add_group(model, comm, group, names, sums);
  Table<std::vector<GdrPair>> pairs(model.hosts.size());
  for (const auto& [key, both] : sums) {
    const auto& [host, gpu, network, device] = key;
    pairs[host].push_back({both.process, gpu, device, both.nic, both.send.use(), both.receive.use()});
  }
  return pairs;
}

bool uses_libfabric(const Process& process) { return contains(process.network, "Libfabric"); }

bool uses_omni_path(const Process& process) { return contains(process.ib_devices, "hfi1_"); }

const EnvValue* gdr_level_setting(const Process& process) {
  const EnvValue* level = setting(process, "NCCL_NET_GDR_LEVEL");
  return level != nullptr ? level : setting(process, "NCCL_IB_GDR_LEVEL");
}

GdrReason gdr_reason(const Model& model, const Process& process, bool has_ends) {
  const GdrReasons& gdr = process.gdr();
  const bool no_nic = gdr.able_nics == 0 && gdr.unable_nics.count > 0;
  const bool too_far = gdr.enabled == 0 && gdr.disabled.count > 0;
  if (!no_nic && !too_far && !has_ends) return {};
  if (std::string off = switched_off(process); !off.empty()) return {std::move(off), "setting"};
  if (no_nic)
    return {concat("none of the NICs that these lines name can do it",
                   asks_for_module(model, process) ? " (it sees neither nvidia-peermem nor a usable DMA-BUF)" : ""),
            "nic"};
  if (too_far && gdr.nearest >= 0) {
    const EnvValue* level = gdr_level_setting(process);
    return {concat("every NIC is too far from the GPUs (nearest at distance ", gdr.nearest, ", limit ", gdr.limit,
                   level == nullptr ? std::string() : concat(", set by NCCL_NET_GDR_LEVEL=", excerpt(level->value, 20)),
                   ")"),
            "far"};
  }
  if (too_far) return {"NCCL refuses it for every pair of GPU and NIC", "refused"};
  return {"no connection that is shown uses it, and this log does not say why", "unknown"};
}

}  // namespace nccl_analyze
