#pragma once
/// Plugins, and the network that a process uses.

#include <string_view>

#include "nccl_analyze/events/field.h"

namespace nccl_analyze {

/// `kind` is NET, COLLNET, TUNER or PROFILER in the plugin events.
struct PluginNamed {
  static constexpr std::string_view name = "plugin_named";
  std::string_view kind;
  std::string_view library;
  NCCL_ANALYZE_FIELDS(PluginNamed, kind, library)
};

/// Normal where no plugin is installed; `libraries` are the names tried.
struct PluginNotFound {
  static constexpr std::string_view name = "plugin_not_found";
  std::string_view kind;
  std::string_view libraries;
  NCCL_ANALYZE_FIELDS(PluginNotFound, kind, libraries)
};

/// A probe for one plugin interface; normal while another version follows.
struct PluginSymbolMissing {
  static constexpr std::string_view name = "plugin_symbol_missing";
  std::string_view kind;
  std::string_view symbol;
  NCCL_ANALYZE_FIELDS(PluginSymbolMissing, kind, symbol)
};

/// The dynamic loader's own words on a library that did not load.
struct PluginLoadFailed {
  static constexpr std::string_view name = "plugin_load_failed";
  std::string_view kind;
  std::string_view reason;
  NCCL_ANALYZE_FIELDS(PluginLoadFailed, kind, reason)
};

/// The library has the interface; it is not initialised yet.
struct PluginLoaded {
  static constexpr std::string_view name = "plugin_loaded";
  std::string_view kind;
  std::string_view plugin;
  int api = -1;
  NCCL_ANALYZE_FIELDS(PluginLoaded, kind, plugin, api)
};

struct PluginLibraryLoaded {
  static constexpr std::string_view name = "plugin_library_loaded";
  std::string_view kind;
  std::string_view library;
  NCCL_ANALYZE_FIELDS(PluginLibraryLoaded, kind, library)
};

/// Normal for a network that the host does not have: the next one is tried.
struct PluginInitFailed {
  static constexpr std::string_view name = "plugin_init_failed";
  std::string_view kind;
  std::string_view plugin;
  NCCL_ANALYZE_FIELDS(PluginInitFailed, kind, plugin)
};

struct PluginInitialized {
  static constexpr std::string_view name = "plugin_initialized";
  std::string_view plugin;
  NCCL_ANALYZE_FIELDS(PluginInitialized, plugin)
};

struct PluginAssigned {
  static constexpr std::string_view name = "plugin_assigned";
  std::string_view kind;
  std::string_view plugin;
  NCCL_ANALYZE_FIELDS(PluginAssigned, kind, plugin)
};

/// `Using network …`: the authoritative name.
struct NetworkChosen {
  static constexpr std::string_view name = "network_chosen";
  std::string_view network;
  NCCL_ANALYZE_FIELDS(NetworkChosen, network)
};

struct NetworkMissing {
  static constexpr std::string_view name = "network_missing";
  std::string_view network;  ///< Empty when NCCL does not say which.
  NCCL_ANALYZE_FIELDS(NetworkMissing, network)
};

/// Words of a network plugin whose sources are closed or only partly public.
struct VendorNetworkNoted {
  static constexpr std::string_view name = "vendor_network_noted";
  std::string_view network, detail;
  NCCL_ANALYZE_FIELDS(VendorNetworkNoted, network, detail)
};

}  // namespace nccl_analyze
