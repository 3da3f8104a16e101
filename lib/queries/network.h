#pragma once
/// Queries on the network of a process: plugin, InfiniBand, sockets.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "model/loader_error.h"
#include "model/tcpx.h"
#include "nccl_analyze/model.h"
#include "queries/hosts.h"

namespace nccl_analyze {

/// Why NCCL does not use a network plugin: it failed to start, was requested but not found, or was loaded and then
/// silently replaced by a built-in network. `warned`: it warned while it started, and the input ends before NCCL
/// chooses a network. `broken`: its file is there and cannot be loaded.
enum class PluginFault { none, failed, missing, unused, warned, broken };

/// A network plugin that NCCL does not use although it was found or requested, and why. `plugin` is null if there is no
/// such plugin.
struct UnusedPlugin {
  const Plugin* plugin = nullptr;
  PluginFault fault = PluginFault::none;
};
UnusedPlugin unused_plugin(const Model& model, Index process);

/// What the loader said about the plugin's file.
LoaderError loader_error_of(const Plugin& plugin);

bool is_aws_plugin(const Plugin& plugin);

/// Returns the libfabric provider that the process uses: `efa`, `tcp;ofi_rxm`. Empty if it did not print one.
std::string_view libfabric_provider(const Process& process);
/// Whether the process uses libfabric, and libfabric sends over TCP or UDP sockets.
bool uses_socket_provider(const Process& process);
/// Whether data between hosts goes over NCCL's own TCP sockets. If the input lacks the line `Using network`, a list of
/// socket interfaces proves it, because NCCL prints this list only for the network that it uses.
bool uses_nccl_sockets(const Process& process);

/// Whether the process lists RDMA adapters.
bool has_adapter(const Process& process);

/// Returns the value of NCCL_NET; empty if the process did not print it.
std::string_view network_asked_for(const Process& process);

/// Whether a setting requests InfiniBand. NCCL_IB_HCA counts only if the process uses NCCL's sockets and its job may
/// span hosts. False if NCCL_IB_DISABLE is on.
bool wants_infiniband(const Model& model, const JobHostSpans& spans, const Process& process);
/// Whether a setting requests InfiniBand although NCCL found no InfiniBand device.
bool misses_infiniband(const Model& model, const JobHostSpans& spans, const Process& process);

/// Whether the nodes of this communicator exchange data over TCP sockets. Without a network connection in the log, true
/// if the communicator spans nodes and the processes of all logged ranks chose the network Socket.
bool uses_sockets(const Model& model, const Communicator& comm);

/// Returns the interface names in the device list of NET/Socket: `eth0` from `[0]eth0:10.0.0.1<0>`. If the process
/// printed no such list, returns the interface of the bootstrap.
std::string socket_interfaces(const Process& process);

/// Returns for each process a bit mask of the NET/Socket devices that its connections use, by their place in its list;
/// 0 if the input shows no connection.
std::vector<std::uint64_t> used_socket_devices(const Model& model);

/// Returns the end of a statement that data goes over TCP sockets: ` on eth0`, or ` (NCCL may use eth0 and eth1)` if
/// the input shows no connection over one of several interfaces; empty if it names no interface.
std::string on_interfaces_text(const Model& model, Index process);

/// Returns the value of NCCL_SOCKET_IFNAME from the first process that prints it; empty if none does. For findings
/// about a message whose process may be unknown.
std::string chosen_interfaces(const Model& model);

}  // namespace nccl_analyze
