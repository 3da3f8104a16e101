#pragma once
/// The variant of all events. An event is a recognised log line as a plain struct; the headers in events/ group the
/// events by subject.
///
/// Every `string_view` and list of an event points into the parsed line and is valid only while the sink that received
/// the Record runs. A number that NCCL did not print keeps the default value of its member: -1 for ids and counts, 0
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
#include "nccl_analyze/events/machine.h"
#include "nccl_analyze/events/nic.h"
#include "nccl_analyze/events/ofi.h"
#include "nccl_analyze/events/plugin.h"
#include "nccl_analyze/events/pod.h"
#include "nccl_analyze/events/ras.h"
#include "nccl_analyze/events/recording.h"
#include "nccl_analyze/events/topology.h"
#include "nccl_analyze/events/transport.h"

namespace nccl_analyze {

/// A recognised line from which no fact is taken. `wording` is the template of the row that matched, a static text.
struct Noted {
  static constexpr std::string_view name = "noted";
  std::string_view wording;
  bool of_init = false;  ///< Whether all releases print the line for the subsystem INIT alone; not a field.
  NCCL_ANALYZE_FIELDS(Noted, wording)
};

/// A recognised warning from which no fact is taken. `wording` is the template of the row that matched, a static text.
struct Warned {
  static constexpr std::string_view name = "warned";
  std::string_view wording;
  /// The name of the rule that reports the warning, followed by a slash and a case if the rule distinguishes cases;
  /// `none` if the warning is harmless or only a symptom. The text is static.
  std::string_view topic;
  NCCL_ANALYZE_FIELDS(Warned, wording)
};

/// A record that lacks its end or contains a piece of another record; no fact is taken from it. Record::damage
/// distinguishes the two cases.
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
    AllocationFailed, DuplicateGpuDetected, SharedMemoryFailed, P2pUnusable, P2pFailed, NvlsFailed, BufferRegistered,
    TopologyFileFailed, ErrorPropagated, ServiceClosed, ProxyFailed, GdrDecided, NicReported, VirtualNicMade,
    NicCountsMismatched, FabricReported, OfiCallFailed, OfiRequestFailed, OfiProtocolChosen, OfiProtocolFailed,
    OfiSupportReported, OfiPlatformSelected, OfiGdrDisabled, OfiNicGrouped, VendorNetworkNoted, IbCompletionFailed,
    IbAsyncEvent, CallFailed, IbDeviceUnusable, IbDevicesIncompatible, IbRailsMismatched, IbRouterLidMissing,
    IbDeviceFailed, CollectiveMismatched, MnnvlFailed, KernelMemoryExceeded, RasPeerDead, RasTimedOut,
    RasVersionMismatched, HostSettingMissing, Hinted, PluginInitFailed, CollectiveTimedOut, WatchdogReported,
    FirstToSignal, RanksDesynced, MemberAnnounced, MembersRegistered, ProgramRaised, ProcessEnded, JobCancelled,
    GpuFaulted, NodeLost, DeviceFaulted, RasCountsDiffer, RasRanksCounted, RasRankListed, RasJobCounted,
    RasCommunicatorNamed, PhraseSeen, BenchmarkStarted, BenchmarkRankListed, BenchmarkTableBegun, BenchmarkMeasured,
    BenchmarkEnded, PodManifestStarted, PodManifestValue, PodManifestEnded, RasReported, RasCommunicatorReported,
    RasRanksLaunched, RasRankLaunched, RasRankLost, RasRankFailed, FlightRecorded, CollectivesInspected,
    DurationRecorded, MachineDescribed, MachineEnded, MachineCpuListed, MachineGpuListed, MachineNicListed,
    MachinePathsListed, MachineNvlinkListed, MachineLinkListed, MachineAcsListed, MachinePortListed, MachineGidListed,
    MachineValueListed, MachineGraphListed, MachineChannelListed, WqeDelayed, DiagnosticReported, Noted, Warned>;

/// Returns the event's name, as in the `events` format.
std::string_view event_name(const Event& event);

/// Returns the descriptors of the event's members. Field::offset is relative to address_of(event).
std::span<const Field> fields_in(const Event& event);
/// The address of the value, which every standard library has at the start of the variant.
inline const void* address_of(const Event& event) { return &event; }
inline void* address_of(Event& event) { return &event; }

}  // namespace nccl_analyze
