#pragma once
// Records facts about processes: versions, settings, networks, hardware.

#include "model/build/context.h"

namespace nccl_analyze::builder {

class Processes {
 public:
  void apply(Context& context, const BootstrapInterfaceChosen& event);
  void apply(Context& context, const SocketInterfaceUsed& event);
  void apply(Context& context, const VersionPrinted& event);
  void apply(Context& context, const DriverVersionPrinted& event);
  void apply(Context& context, const EnvSet& event);
  void apply(Context& context, const PlatformReported& event);
  void apply(Context& context, const IbDevicesAbsent& event);
  void apply(Context& context, const IbDevicesListed& event);
  void apply(Context& context, const SocketInterfacesListed& event);
  void apply(Context& context, const GdrDecided& event);
  void apply(Context& context, const FabricReported& event);
  void apply(Context& context, const NvlsReported& event);
  void apply(Context& context, const BufferRegistered& event);
  void apply(Context& context, const Noted& event);
};

/// Records a version line without a prefix, which therefore names no process.
void add_bare_version(Context& context, const VersionPrinted& event);

}  // namespace nccl_analyze::builder
