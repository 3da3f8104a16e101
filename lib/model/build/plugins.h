#pragma once
// Records the plugins of a process and the network that NCCL chose.

#include "model/build/context.h"

namespace nccl_analyze::builder {

class Plugins {
 public:
  void apply(Context& context, const PluginNamed& event);
  void apply(Context& context, const PluginNotFound& event);
  void apply(Context& context, const PluginLoadFailed& event);
  void apply(Context& context, const PluginLoaded& event);
  void apply(Context& context, const PluginLibraryLoaded& event);
  void apply(Context& context, const PluginInitialized& event);
  void apply(Context& context, const PluginInitFailed& event);
  void apply(Context& context, const PluginAssigned& event);
  void apply(Context& context, const NetworkChosen& event);
  void apply(Context& context, const OfiStarted& event);
  void apply(Context& context, const OfiLibfabricUsed& event);
  void apply(Context& context, const OfiProviderMissing& event);
  void apply(Context& context, const OfiProviderSelected& event);
  void apply(Context& context, const OfiNoted& event);
  void apply(Context& context, const OfiCallFailed& event);
  void apply(Context& context, const OfiProtocolFailed& event);
  void apply(Context& context, const OfiGdrDisabled& event);
  void apply(Context& context, const OfiRequestFailed& event);
};

}  // namespace nccl_analyze::builder
