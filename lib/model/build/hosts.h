#pragma once
// Records what processes print about their host: the topology dump and the NICs.

#include "model/build/context.h"
#include "model/host_table.h"

namespace nccl_analyze::builder {

class Hosts {
 public:
  void apply(Context& context, const SystemPrinted& event);
  void apply(Context& context, const TopologyNodePrinted& event);
  void apply(Context& context, const PathsPrinted& event);
  void apply(Context& context, const GraphSearched& event);
  void apply(Context& context, const NicGdrReported& event);
  void apply(Context& context, const NicReported& event);
  void apply(Context& context, const VirtualNicMade& event);

 private:
  /// Returns the host of the current process, and adds it if it is new.
  HostState& host(Context& context) {
    const Index known = context.process->host;
    return context.state.hosts[known < 0 ? find_host(context) : known];
  }
  Index find_host(Context& context);
  /// Returns the reader of the topology dump that this thread prints. Null if it prints none, and if the host's
  /// topology is already known or is being read from another thread.
  TopologyReader* reader(Context& context);
  void end_dump(Context& context);
  void add_nic(Context& context, const HostNic& nic);

  HostTable table_;  ///< Maps host names to indices in BuilderState::hosts.
};

}  // namespace nccl_analyze::builder
