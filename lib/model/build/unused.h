#pragma once
// Which events the model does not use. Every other event is taken by one domain of the builder.

#include <type_traits>

#include "nccl_analyze/event.h"

namespace nccl_analyze::builder {

template <class... Listed>
struct EventList {
  template <class E>
  static constexpr bool holds = (std::is_same_v<E, Listed> || ...);
};

/// Events that carry nothing the model keeps.
using UnusedEvents = EventList<AlgorithmChosen, P2pChecked, PluginSymbolMissing, PluginAssigned, GraphChannelPrinted,
                               OfiProtocolChosen, OfiSupportReported, OfiPlatformSelected, OfiNicGrouped, Noted>;

template <class E>
inline constexpr bool unused = UnusedEvents::holds<E>;

}  // namespace nccl_analyze::builder
