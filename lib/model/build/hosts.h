#pragma once
// What processes print of their host: the topology dump and the NICs.

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
  /// The host of the process at hand.
  HostState& host(Context& context) {
    const Index known = context.process->host;
    return context.state.hosts[known < 0 ? find_host(context) : known];
  }
  Index find_host(Context& context);
  /// The reader of this thread's dump; null when another thread's dump is read for the host, or its topology is known.
  TopologyReader* reader(Context& context);
  void end_dump(Context& context);
  void add_nic(Context& context, const HostNic& nic);

  HostTable table_;  ///< Numbers BuilderState::hosts.
};

}  // namespace nccl_analyze::builder
