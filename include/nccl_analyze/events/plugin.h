#pragma once
/// Events of plugins and of the network that a process uses. `kind` is the kind of plugin as printed: NET, COLLNET,
/// TUNER, PROFILER, ….

#include <string_view>

#include "nccl_analyze/events/field.h"

namespace nccl_analyze {

/// A plugin that the environment names.
struct PluginNamed {
  static constexpr std::string_view name = "plugin_named";
  std::string_view kind;
  std::string_view library;
  NCCL_ANALYZE_FIELDS(PluginNamed, kind, library)
};

/// No plugin of a kind was found: normal when none is installed.
struct PluginNotFound {
  static constexpr std::string_view name = "plugin_not_found";
  std::string_view kind;
  std::string_view libraries;  ///< The names that NCCL tried, as printed.
  std::string_view reason;     ///< The dynamic loader's error text, which may say that the plugin is there.
  NCCL_ANALYZE_FIELDS(PluginNotFound, kind, libraries, reason)
};

/// A plugin lacks the symbol for one version of the plugin interface. This is normal if NCCL then finds the symbol for
/// another version.
struct PluginSymbolMissing {
  static constexpr std::string_view name = "plugin_symbol_missing";
  std::string_view kind;
  std::string_view symbol;
  NCCL_ANALYZE_FIELDS(PluginSymbolMissing, kind, symbol)
};

/// A library of a plugin could not be loaded.
struct PluginLoadFailed {
  static constexpr std::string_view name = "plugin_load_failed";
  std::string_view kind;
  std::string_view reason;  ///< The dynamic loader's error text.
  NCCL_ANALYZE_FIELDS(PluginLoadFailed, kind, reason)
};

/// A plugin was loaded, but is not initialised yet.
struct PluginLoaded {
  static constexpr std::string_view name = "plugin_loaded";
  std::string_view kind;
  std::string_view plugin;
  int api = -1;  ///< Version of the plugin interface; -1 when not printed.
  NCCL_ANALYZE_FIELDS(PluginLoaded, kind, plugin, api)
};

/// The library of a plugin was loaded.
struct PluginLibraryLoaded {
  static constexpr std::string_view name = "plugin_library_loaded";
  std::string_view kind;
  std::string_view library;
  NCCL_ANALYZE_FIELDS(PluginLibraryLoaded, kind, library)
};

/// A plugin could not be initialised. This is normal for a network that the host does not have; NCCL then tries the
/// next plugin.
struct PluginInitFailed {
  static constexpr std::string_view name = "plugin_init_failed";
  std::string_view kind;
  std::string_view plugin;
  NCCL_ANALYZE_FIELDS(PluginInitFailed, kind, plugin)
};

/// A network plugin was initialised.
struct PluginInitialized {
  static constexpr std::string_view name = "plugin_initialized";
  std::string_view plugin;
  NCCL_ANALYZE_FIELDS(PluginInitialized, plugin)
};

/// A communicator uses a plugin.
struct PluginAssigned {
  static constexpr std::string_view name = "plugin_assigned";
  std::string_view kind;
  std::string_view plugin;
  NCCL_ANALYZE_FIELDS(PluginAssigned, kind, plugin)
};

/// `Using network …`: the network that the process uses.
struct NetworkChosen {
  static constexpr std::string_view name = "network_chosen";
  std::string_view network;
  NCCL_ANALYZE_FIELDS(NetworkChosen, network)
};

/// NCCL could not initialise any network, or not the network that NCCL_NET names.
struct NetworkMissing {
  static constexpr std::string_view name = "network_missing";
  std::string_view network;  ///< The network that NCCL_NET names; else empty.
  NCCL_ANALYZE_FIELDS(NetworkMissing, network)
};

/// A message of a network plugin whose source code is not fully public.
struct VendorNetworkNoted {
  static constexpr std::string_view name = "vendor_network_noted";
  std::string_view network, detail;  ///< `FasTrak`, `gIB`, …; and the rest of the message.
  NCCL_ANALYZE_FIELDS(VendorNetworkNoted, network, detail)
};

}  // namespace nccl_analyze
