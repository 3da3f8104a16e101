#pragma once
// Lists the events that the model does not use. Every other event is handled by one domain of the builder.

#include "model/build/event_list.h"

namespace nccl_analyze::builder {

using UnusedEvents = EventList<AlgorithmChosen, P2pChecked, PluginSymbolMissing, GraphChannelPrinted, OfiProtocolChosen,
                               OfiSupportReported, OfiPlatformSelected, OfiNicGrouped>;

template <class E>
inline constexpr bool unused = UnusedEvents::holds<E>;

}  // namespace nccl_analyze::builder
