// Detects unused network plugins, missing InfiniBand and traffic over sockets.

#include "queries/network.h"

#include <algorithm>
#include <vector>

#include "nccl_analyze/events/lists.h"
#include "queries/hosts.h"
#include "queries/ranks.h"
#include "queries/settings.h"
#include "text/lower_case.h"
#include "text/message_text.h"
#include "text/search.h"

namespace nccl_analyze {

namespace {

/// NCCL reports its built-in networks IB and Socket like plugins. A built-in network without a device is normal.
bool is_internal(const Plugin& plugin) { return one_of(plugin.name, {"IB", "Socket"}); }

bool is_network(const Plugin& plugin) { return lower_case(plugin.kind) == "net" && !is_internal(plugin); }

/// Whether the plugin is missing because plugins were disabled: NCCL_NET_PLUGIN=none is the documented way to do so,
/// but NCCL then looks for libnccl-net-none.so.
bool means_none(const Process& process, const Plugin& plugin) {
  const EnvValue* asked = setting(process, "NCCL_NET_PLUGIN");
  return (asked != nullptr && asked->value == "none") || plugin.name == "none" || plugin.library == "none" ||
         contains(plugin.library, "libnccl-net-none.so");
}

/// Whether the process uses the plugin's network, which proves that the plugin was initialised, whatever failed later.
bool is_used(const Process& process, const Plugin& plugin) {
  return !process.network.empty() &&
         (process.network == plugin.name || (is_aws_plugin(plugin) && contains(process.network, "Libfabric")));
}

bool in_multi_node_job(const Model& model, Index process) {
  for (const Communicator& comm : model.communicators)
    if (spans_nodes(model, comm))
      for (const Rank& rank : comm.ranks)
        if (rank.process == process) return true;
  return false;
}

bool has_rank(const Communicator& comm, Index process) {
  return std::ranges::any_of(comm.ranks, [process](const Rank& rank) { return rank.process == process; });
}

/// Whether the process may need a network: the input shows no communicator of it, or one that is not known to be on one
/// node.
bool may_need_network(const Model& model, Index process) {
  bool has_communicator = false;
  for (const Communicator& comm : model.communicators) {
    if (!has_rank(comm, process)) continue;
    if (comm.nranks != 1 && spans_hosts(model, comm) != Proof::disproven) return true;
    has_communicator = true;
  }
  return !has_communicator;
}

/// Whether a plugin that cannot be loaded matters: the environment names it, or the nodes of the job may have nothing
/// but TCP sockets without it. A job on one node needs no network, and NCCL's own InfiniBand is as fast as most
/// plugins.
bool is_missed(const Model& model, Index index, const Plugin& plugin) {
  const Process& process = model.processes[index];
  if (plugin.requested || setting(process, "NCCL_NET_PLUGIN") != nullptr) return true;
  if (!process.network.empty() && process.network != "Socket") return false;
  return may_need_network(model, index);
}

}  // namespace

LoaderError loader_error_of(const Plugin& plugin) { return read_loader_error(plugin.reason, plugin.library); }

UnusedPlugin unused_plugin(const Model& model, Index index) {
  const Process* process = process_of(model, index);
  if (process == nullptr) return {};
  const Plugin* missing = nullptr;
  const Plugin* loaded = nullptr;
  for (const Plugin& plugin : process->plugins) {
    if (!is_network(plugin)) continue;
    if (plugin.status == PluginStatus::failed && loader_error_of(plugin).fault != LoaderFault::none) {
      if (is_missed(model, index, plugin)) return {&plugin, PluginFault::broken};
      continue;
    }
    if (plugin.status == PluginStatus::failed && !is_used(*process, plugin)) return {&plugin, PluginFault::failed};
    const bool is_open = process->network.empty() && plugin.status != PluginStatus::initialized;
    if (!plugin.failure.lines.empty() && is_open)
      return {&plugin, contains(plugin.reason, "provider") ? PluginFault::failed : PluginFault::warned};
    const EnvValue* const asked = setting(*process, "NCCL_NET_PLUGIN");
    const bool requested = plugin.requested || (asked != nullptr && !asked->value.empty());
    if (plugin.status == PluginStatus::missing && requested) missing = &plugin;
    if (plugin.status == PluginStatus::loaded || plugin.status == PluginStatus::initialized) loaded = &plugin;
  }
  if (loaded == nullptr)
    return missing != nullptr && !means_none(*process, *missing) ? UnusedPlugin{missing, PluginFault::missing}
                                                                 : UnusedPlugin{};
  // Up to 2.26 NCCL silently replaces a plugin that finds no device by a built-in network. This matters only in jobs
  // with several nodes.
  const bool replaced = one_of(process->network, {"Socket", "IB"}) && process->network != loaded->name;
  if (loaded->status == PluginStatus::loaded && replaced && network_asked_for(*process).empty() &&
      in_multi_node_job(model, index))
    return {loaded, PluginFault::unused};
  return {};
}

bool is_aws_plugin(const Plugin& plugin) {
  return contains(plugin.version, "aws-ofi-nccl") || contains(plugin.name, "Libfabric");
}

std::string_view libfabric_provider(const Process& process) {
  constexpr std::string_view label = "provider ";
  for (const Plugin& plugin : process.plugins) {
    const std::string_view version = plugin.version;
    const std::size_t at = version.find(label);
    if (at == std::string_view::npos) continue;
    const std::string_view provider = version.substr(at + label.size());
    return provider.substr(0, provider.find(','));
  }
  return {};
}

bool uses_socket_provider(const Process& process) {
  const std::string_view provider = libfabric_provider(process);
  return contains(process.network, "Libfabric") &&
         (provider.starts_with("tcp") || provider.starts_with("sockets") || provider.starts_with("udp"));
}

bool uses_nccl_sockets(const Process& process) {
  return process.network == "Socket" || (process.network.empty() && !process.socket_devices.empty());
}

bool has_adapter(const Process& process) {
  return process.ib_devices.view().find_first_not_of(' ') != std::string_view::npos;
}

std::string_view network_asked_for(const Process& process) {
  const EnvValue* value = setting(process, "NCCL_NET");
  return value == nullptr ? std::string_view{} : std::string_view(value->value);
}

bool misses_infiniband(const Model& model, const JobHostSpans& spans, const Process& process) {
  return process.ib_absent && wants_infiniband(model, spans, process);
}

bool wants_infiniband(const Model& model, const JobHostSpans& spans, const Process& process) {
  if (switched_on(process, "NCCL_IB_DISABLE")) return false;
  if (network_asked_for(process) == "IB") return true;
  const EnvValue* plugin = setting(process, "NCCL_NET_PLUGIN");
  if (plugin != nullptr && one_of(lower_case(plugin->value), {"ib", "ibext"})) return true;
  const EnvValue* adapters = setting(process, "NCCL_IB_HCA");
  const auto index = static_cast<Index>(&process - model.processes.data());
  return adapters != nullptr && !adapters->value.empty() && !adapters->value.view().starts_with('^') &&
         uses_nccl_sockets(process) && spans.of(index) != Proof::disproven;
}

bool uses_sockets(const Model& model, const Communicator& comm) {
  if (has_transport(comm, "NET/Socket")) return true;
  if (!comm.transports.empty() &&
      std::ranges::any_of(comm.transports, [](const std::string& transport) { return transport.starts_with("NET/"); }))
    return false;
  if (!spans_nodes(model, comm) || comm.ranks.empty()) return false;
  return std::ranges::all_of(comm.ranks, [&](const Rank& rank) {
    const Process* process = process_of(model, rank.process);
    return process != nullptr && process->network == "Socket";
  });
}

std::string socket_interfaces(const Process& process) {
  std::vector<std::string> names;
  std::string_view rest = process.socket_devices;
  for (auto open = rest.find(']'); open != std::string_view::npos; open = rest.find(']')) {
    rest.remove_prefix(open + 1);
    const auto colon = rest.find(':');
    if (colon == std::string_view::npos) break;
    add_once(names, std::string(rest.substr(0, std::min<std::size_t>(colon, 32))));
  }
  return names.empty() ? process.bootstrap_interface.str() : list_text(names);
}

std::vector<std::uint64_t> used_socket_devices(const Model& model) {
  std::vector<std::uint64_t> used(model.processes.size());
  for (const Communicator& comm : model.communicators)
    for (const Rank& rank : comm.ranks)
      if (process_of(model, rank.process) != nullptr) used[static_cast<std::size_t>(rank.process)] |= rank.nics;
  return used;
}

std::string on_interfaces_text(const Model& model, Index process) {
  constexpr std::size_t most = 64;  // Bits of the mask.
  const std::uint64_t used = used_socket_devices(model)[static_cast<std::size_t>(process)];
  std::vector<std::string> all, shown;
  InterfaceList devices(model.processes[process].socket_devices);
  NetworkInterface device;
  for (std::size_t i = 0; devices.next(device); ++i) {
    add_once(all, excerpt(device.name, 32));
    if (i < most && ((used >> i) & 1U) != 0) add_once(shown, excerpt(device.name, 32));
  }
  if (all.size() == 1) shown = all;
  if (!shown.empty()) return concat(" on ", list_text(shown));
  const std::string names = socket_interfaces(model.processes[process]);
  return when(!names.empty(), " (NCCL may use ", names, ")");
}

std::string chosen_interfaces(const Model& model) {
  for (const Process& process : model.processes)
    if (const EnvValue* const value = setting(process, "NCCL_SOCKET_IFNAME")) return std::string(value->value.view());
  return {};
}

}  // namespace nccl_analyze
