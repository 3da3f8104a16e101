#pragma once
/// What became of the network that a process could have had; the network rules agree on it here.

#include <string>
#include <string_view>

#include "model/tcpx.h"
#include "nccl_analyze/model.h"

namespace nccl_analyze {

enum class PluginFault { none, failed, missing, unused };

/// A network plugin of a process that NCCL does not use, though it is there or was asked for.
struct LostPlugin {
  const Plugin* plugin = nullptr;
  PluginFault fault = PluginFault::none;
};
LostPlugin lost_plugin(const Model& model, Index process);

bool is_aws_plugin(const Plugin& plugin);

/// The network that NCCL_NET asks for; empty when it does not.
std::string_view network_asked_for(const Process& process);

/// InfiniBand was asked for by a setting and is not there.
bool misses_infiniband(const Model& model, const Process& process);

/// Nodes of this communicator exchange data over TCP sockets.
bool uses_sockets(const Model& model, const Communicator& comm);

/// `eth0` from `[0]eth0:10.0.0.1<0>`, several joined; the bootstrap's interface when that list is unknown.
std::string socket_interfaces(const Process& process);

}  // namespace nccl_analyze
