// Rows of the search for plugins, their loading and failures, and the network that NCCL chooses.

#include "messages/families.h"

namespace nccl_analyze {

namespace {

constexpr Row plugin_rows[] = {
    // Rows for certain kinds of plugins must precede the rows for all kinds, because the last of those rows matches any
    // reason.
    row<PluginLibraryLoaded>("Successfully loaded external {({kind:network|tuner|profiler|env|gin} )}plugin {library}",
                             "2.27.3", "",
                             "Successfully loaded external plugin libnccl-net.so\nSuccessfully loaded external network "
                             "plugin libnccl-net.so"),
    row<PluginLibraryLoaded>("Plugin Path : {library}", "", "",
                             "Plugin Path : /opt/hpcx/nccl_rdma_sharp_plugin/lib/libnccl-net.so"),
    row<PluginLibraryLoaded>("{kind:GIN|RMA}/Plugin: Successfully loaded external plugin {library}", "2.30.7", "",
                             "GIN/Plugin: Successfully loaded external plugin libnccl-gin.so"),
    row<PluginLoaded>("{kind:PROFILER}/Plugin: loaded {plugin}", "2.24.3", "2.27.7", "PROFILER/Plugin: loaded example"),
    row<PluginLoaded>("{kind:PROFILER}/Plugin: Loaded {plugin} (v{api})", "2.28.3", "",
                      "PROFILER/Plugin: Loaded example (v5)"),
    row<PluginLoaded>("{kind:TUNER|ENV}/Plugin: Using {plugin} (v{api})", "2.28.3", "",
                      "TUNER/Plugin: Using nccl_ofi_tuner (v3)"),
    row<PluginLoaded>("{kind:GIN|RMA}/Plugin: Loaded {:gin|rma} plugin {plugin} (v{api})", "2.30.7", "",
                      "GIN/Plugin: Loaded gin plugin libnccl-gin.so (v13)"),
    row<PluginLoaded>("Using {kind:tuner} plugin: '{plugin}'", "2.19.1", "2.20.5",
                      "Using tuner plugin: 'nccl_ofi_tuner'"),
    row<PluginSymbolMissing>("{kind:PROFILER}/Plugin: failed to find {symbol:word}", "2.23.4", "2.27.7",
                             "PROFILER/Plugin: failed to find ncclProfiler_v4"),
    row<PluginSymbolMissing>("{kind:TUNER}/Plugin: Failed to find {symbol:word}, using internal tuner instead.",
                             "2.21.5", "2.21.5",
                             "TUNER/Plugin: Failed to find ncclTunerPlugin_v2, using internal tuner instead."),
    row<PluginLoadFailed>("External {kind:network|tuner|profiler|env} plugin {:text} is {reason}", "2.28.3", "",
                          "External network plugin libnccl-net.so is unsupported"),
    row<PluginNotFound>("NET/Plugin : No plugin found ({libraries}).", "2.4.2", "2.4.8",
                        "NET/Plugin : No plugin found (libnccl-net.so)."),
    row<PluginNotFound>("NET/Plugin : No plugin found, using internal implementation", "2.17.1", "2.18.6",
                        "NET/Plugin : No plugin found, using internal implementation"),
    row<PluginLoadFailed>(
        "NET/Plugin{: |}: Plugin load{( ({:text}))} returned {:int} : {reason}", "2.4.2", "2.21.5",
        "NET/Plugin : Plugin load returned 2 : libnccl-net-x.so: cannot open shared object file: No such file or "
        "directory.\nNET/Plugin : Plugin load (libnccl-net-x.so) returned 2 : libnccl-net-x.so: cannot open shared "
        "object file: No such file or directory\nNET/Plugin: Plugin load returned 2 : libnccl-net-x.so: cannot open "
        "shared object file: No such file or directory when loading libnccl-net-x.so"),
    row<PluginInitFailed>("Failed to initialize {kind:NET} plugin {plugin}", "2.28.3", "",
                          "Failed to initialize NET plugin IB"),
    row<PluginAssigned>("{kind:GIN}/Plugin: Assigned plugin {plugin} type {:int} to comm", "2.30.7", "",
                        "GIN/Plugin: Assigned plugin GIN_IB type 2 to comm"),
    row<PluginAssigned>("{kind:RMA}/Plugin: Assigned plugin {plugin} to comm", "2.30.7", "",
                        "RMA/Plugin: Assigned plugin IB to comm"),
    row<CommConfigSet>("PROFILER/Plugin: init {key:commName}: {value} commHash: {:word} nranks: {:int} rank: {:int}",
                       "2.28.3", "", "PROFILER/Plugin: init commName: default_pg commHash: 3 nranks: 8 rank: 3"),
    row<PluginSymbolMissing>("NET/Plugin: Failed to find {symbol:ncclNetPlugin|ncclCollNetPlugin} symbol ({:text}",
                             "2.13.4", "2.25.1",
                             "NET/Plugin: Failed to find ncclNetPlugin symbol (>= v5). ncclNetPlugin symbols v4 and "
                             "lower are not supported."),
    row<PluginNamed>(
        "{({kind:NET|TUNER|PROFILER|GIN|RMA|ENV}/Plugin: )}Plugin name set by env to {library}", "2.11.4", "2.27.7",
        "NET/Plugin: Plugin name set by env to libnccl-net.so\nPlugin name set by env to libnccl-net-x.so"),
    row<PluginNotFound>("{kind:NET|TUNER|PROFILER|GIN|RMA|ENV}/Plugin: Could not find:{libraries}", "2.22.3", "",
                        "NET/Plugin: Could not find: libnccl-net.so."),
    row<PluginNotFound>("{kind:NET|TUNER|PROFILER|GIN|RMA|ENV}/Plugin: No plugin found ({libraries})", "2.21.5",
                        "2.21.5", "NET/Plugin: No plugin found (libnccl-net.so)"),
    row<PluginNotFound>(
        "{kind:NET|TUNER|PROFILER|GIN|RMA|ENV}/Plugin : No plugin found ({libraries}), using internal implementation",
        "2.5.6", "2.16.5", "NET/Plugin : No plugin found (libnccl-net.so), using internal implementation"),
    row<PluginNotFound>(
        "{kind:NET|TUNER|PROFILER|GIN|RMA|ENV}/Plugin : dlerror={reason} No plugin found ({libraries}), using internal "
        "implementation",
        "2.19.1", "2.20.5",
        "NET/Plugin : dlerror=libnccl-net.so: cannot open shared object file: No such file or "
        "directory No plugin found (libnccl-net.so), using internal implementation"),
    row<PluginSymbolMissing>("{kind:NET|TUNER|PROFILER|GIN|RMA|ENV}/Plugin: Failed to find {symbol:word} symbol{(, "
                             "using internal tuner instead)}.",
                             "2.4.2", "2.27.7",
                             "NET/Plugin: Failed to find ncclCollNetPlugin_v10 symbol.\nTUNER/Plugin: Failed to find "
                             "ncclTunerPlugin_v2 symbol, using internal tuner instead."),
    row<PluginLoaded>("NET/Plugin: Loaded {kind:net|collnet|coll|gin|rma} plugin {plugin} (v{api})", "2.4.2", "",
                      "NET/Plugin: Loaded net plugin Libfabric (v10)"),
    row<PluginLoaded>("{kind:NET|TUNER|PROFILER|GIN|RMA|ENV}/Plugin: Using tuner plugin {plugin}", "2.21.5", "2.27.7",
                      "TUNER/Plugin: Using tuner plugin nccl_ofi_tuner"),
    row<PluginLoadFailed>("{kind:NET|TUNER|PROFILER|GIN|RMA|ENV}/Plugin: {reason}", "2.21.5", "",
                          "NET/Plugin: libfabric.so.1: cannot open shared object file: No such file or directory"),
    row<PluginInitialized>("Initialized NET plugin {plugin}", "2.27.3", "", "Initialized NET plugin Socket"),
    row<PluginAssigned>("Assigned {kind:NET|GIN|RMA} plugin {plugin} to comm", "2.27.3", "",
                        "Assigned NET plugin Socket to comm"),
    row<NetworkChosen>("Using network {network}", "2.6.4", "", "Using network Socket"),
    row<NetworkMissing>("Failed to initialize any NET plugin", "2.27.3", "", "Failed to initialize any NET plugin"),
    row<NetworkMissing>("Error: network {network} not found.", "2.10.3", "2.26.6", "Error: network IBext not found."),
    // The source code of Google's plugins is at most partly public, so their messages are kept as free text.
    row<VendorNetworkNoted>("NET/{network:FasTrak|GPUDirectTCPX_v7|GPUDirectTCPX|gIB}{detail}", "", "",
                            "NET/FasTrak: Number of GPUs (16) is larger than maximum number: 8"),
    row<NetworkChosen>("Using {:internal|external} Network {network}", "", "2.3.7", "Using internal Network Socket"),
};

}  // namespace

const Family plugin_family{"plugin", plugin_rows};

}  // namespace nccl_analyze
