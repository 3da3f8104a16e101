#pragma once
/// The variant of all events. An event is a recognised log line as a plain struct; the headers in events/ group the
/// events by subject.
///
/// Every `string_view` and list of an event points into the parsed line and is valid only while the sink that received
/// the Record runs. A number that NCCL did not print keeps the default shown with the member: -1 for ids and counts, 0
/// for seconds and rates.

#include <span>
#include <string_view>
#include <variant>

#include "nccl_analyze/events/benchmark.h"
#include "nccl_analyze/events/bootstrap.h"
#include "nccl_analyze/events/collective.h"
#include "nccl_analyze/events/communicator.h"
#include "nccl_analyze/events/environment.h"
#include "nccl_analyze/events/external.h"
#include "nccl_analyze/events/fault.h"
#include "nccl_analyze/events/field.h"
#include "nccl_analyze/events/graph.h"
#include "nccl_analyze/events/ib.h"
#include "nccl_analyze/events/nic.h"
#include "nccl_analyze/events/ofi.h"
#include "nccl_analyze/events/plugin.h"
#include "nccl_analyze/events/ras.h"
#include "nccl_analyze/events/topology.h"
#include "nccl_analyze/events/transport.h"

namespace nccl_analyze {

/// A recognised line from which no fact is taken. `wording` is the template of the row that matched.
struct Noted {
  static constexpr std::string_view name = "noted";
  std::string_view wording;
  NCCL_ANALYZE_FIELDS(Noted, wording)
};

/// A recognised warning from which no fact is taken. `wording` is the template of the row that matched.
struct Warned {
  static constexpr std::string_view name = "warned";
  std::string_view wording;
  /// The rule that reports the warning; the rule's case follows after a slash when the rule distinguishes cases.
  /// `none`: the warning is harmless or only a symptom. Static text of the message table.
  std::string_view topic;
  NCCL_ANALYZE_FIELDS(Warned, wording)
};

/// A record whose end is missing, or which has a piece of another record inside; no fact is read from it.
/// Record::damage distinguishes the two cases.
struct Damaged {
  static constexpr std::string_view name = "damaged";
  NCCL_ANALYZE_FIELDS(Damaged)
};

/// An NCCL line that no row of the message table matches. Such lines are counted and sampled, never dropped.
struct Unrecognized {
  static constexpr std::string_view name = "unrecognized";
  NCCL_ANALYZE_FIELDS(Unrecognized)
};

using Event = std::variant<
    Unrecognized, Damaged, ChannelConnected, CollectiveCalled, AlgorithmChosen, RingLinked, RingListed, TreesBuilt,
    TreeLinked, NvlsTreesLinked, NvlsHeadListed, NvlsSetUp, GraphBroken, RingsConnected, CollnetChainsBuilt,
    AlgorithmConnected, ChannelsCounted, P2pChecked, NvlsReported, BootstrapInterfaceChosen, SocketInterfaceUsed,
    BootstrapTimed, InterfaceNotFound, ConnectRetried, ConnectFailed, ConnectionClosed, SocketFailed, HandshakeRefused,
    WorldMismatched, VersionPrinted, DriverVersionPrinted, VersionMismatched, EnvSet, EnvRejected, CommConfigSet,
    PluginNamed, PluginNotFound, PluginSymbolMissing, PluginLoadFailed, PluginLoaded, PluginLibraryLoaded,
    PluginInitialized, PluginAssigned, NetworkChosen, NetworkMissing, OfiStarted, OfiLibfabricUsed, OfiProviderMissing,
    OfiProviderSelected, PlatformReported, OfiNoted, IbDevicesAbsent, IbDevicesListed, SocketInterfacesListed,
    NicGdrReported, CommInitStarted, CommInitCompleted, CommPlaced, CommDestroyed, CommAborted, InitTimed,
    SystemPrinted, TopologyNodePrinted, PathsPrinted, GraphSearched, GraphChannelPrinted, AffinityChosen, CudaFailed,
    AllocationFailed, DuplicateGpuDetected, SharedMemoryFailed, P2pUnusable, P2pFailed, NvlsFailed, TopologyFileFailed,
    ErrorPropagated, ServiceClosed, ProxyFailed, GdrDecided, NicReported, VirtualNicMade, NicCountsMismatched,
    FabricReported, OfiCallFailed, OfiRequestFailed, OfiProtocolChosen, OfiProtocolFailed, OfiSupportReported,
    OfiPlatformSelected, OfiGdrDisabled, OfiNicGrouped, VendorNetworkNoted, IbCompletionFailed, IbAsyncEvent,
    CallFailed, IbDeviceUnusable, IbDevicesIncompatible, IbRailsMismatched, IbRouterLidMissing, IbDeviceFailed,
    CollectiveMismatched, MnnvlFailed, KernelMemoryExceeded, RasPeerDead, RasTimedOut, RasVersionMismatched,
    HostSettingMissing, Hinted, PluginInitFailed, CollectiveTimedOut, WatchdogReported, ProgramRaised, ProcessEnded,
    JobCancelled, GpuFaulted, RasCountsDiffer, RasRanksCounted, RasRankListed, PhraseSeen, BenchmarkStarted,
    BenchmarkRankListed, BenchmarkMeasured, BenchmarkEnded, Noted, Warned>;

/// The event's name as the `events` format prints it.
std::string_view event_name(const Event& event);

/// The descriptors of the event's members, and the address of the event, from which the offsets of the members count.
std::span<const Field> fields_in(const Event& event);
const void* address_of(const Event& event);
void* address_of(Event& event);

}  // namespace nccl_analyze
