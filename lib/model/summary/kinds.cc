#include "model/summary/kinds.h"

#include <variant>

#include "model/build/comm_names.h"
#include "model/build/unused.h"

namespace nccl_analyze::builder {

namespace {

using LifecycleEvents = EventList<CommInitStarted, CommInitCompleted, CommDestroyed, CommAborted>;
using GraphParts = EventList<ChannelConnected, TreesBuilt, CollnetChainsBuilt, RingListed, RingLinked, TreeLinked,
                             NvlsTreesLinked, NvlsHeadListed, NvlsSetUp, CommPlaced>;
using DumpLines = EventList<SystemPrinted, TopologyNodePrinted, PathsPrinted>;
using Retries = EventList<ConnectRetried, RasTimedOut>;
using UnreadLines = EventList<Unrecognized, PhraseSeen>;

}  // namespace

bool is_unused(const Record& record) {
  const Event& event = record.event;
  if (const auto* const config = std::get_if<CommConfigSet>(&event)) return !is_name(*config);
  return !is_notable(record.level) && (std::holds_alternative<Damaged>(event) || UnusedEvents::has(event));
}

bool is_lifecycle(const Event& event) { return LifecycleEvents::has(event); }

Hex lifecycle_comm(const Event& event) {
  Hex comm;
  LifecycleEvents::visit(event, [&comm](const auto& one) { comm = one.comm; });
  return comm;
}

bool is_graph(const Event& event) { return LifecycleEvents::has(event) || GraphParts::has(event); }

bool is_dump(const Event& event) { return DumpLines::has(event); }

bool is_retry(const Record& record) {
  return Retries::has(record.event) || (!is_notable(record.level) && UnreadLines::has(record.event));
}

}  // namespace nccl_analyze::builder
