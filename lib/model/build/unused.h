#pragma once
// Which events the model does not use. Every other event is taken by one domain of the builder.

#include "model/build/event_list.h"

namespace nccl_analyze::builder {

/// Events that carry nothing the model keeps.
using UnusedEvents = EventList<AlgorithmChosen, P2pChecked, PluginSymbolMissing, PluginAssigned, GraphChannelPrinted,
                               OfiProtocolChosen, OfiSupportReported, OfiPlatformSelected, OfiNicGrouped, Noted>;

template <class E>
inline constexpr bool unused = UnusedEvents::holds<E>;

}  // namespace nccl_analyze::builder
