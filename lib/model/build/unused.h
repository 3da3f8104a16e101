#pragma once
// Which events the model does not use; the others have an `apply` in folding.h.

#include "nccl_analyze/event.h"

namespace nccl_analyze::draft {

/// Events that carry nothing the model keeps.
template <class E>
inline constexpr bool unused = false;
template <>
inline constexpr bool unused<AlgorithmChosen> = true;
template <>
inline constexpr bool unused<P2pChecked> = true;
template <>
inline constexpr bool unused<PluginSymbolMissing> = true;
template <>
inline constexpr bool unused<PluginAssigned> = true;
template <>
inline constexpr bool unused<GraphChannelPrinted> = true;
template <>
inline constexpr bool unused<OfiProtocolChosen> = true;
template <>
inline constexpr bool unused<OfiSupportReported> = true;
template <>
inline constexpr bool unused<OfiPlatformSelected> = true;
template <>
inline constexpr bool unused<OfiNicGrouped> = true;
template <>
inline constexpr bool unused<Noted> = true;

}  // namespace nccl_analyze::draft
