#pragma once
// Records incidents: the warnings and failures that processes print.

#include <string_view>
#include <tuple>
#include <type_traits>

#include "model/build/context.h"

namespace nccl_analyze::builder {

/// Returns the part of the line that precedes the message.
std::string_view text_before_message(const Record& record);

/// Adds an incident of the current process. `error` becomes Incident::error. `topic` is the name of a rule, which
/// becomes Incident::topic, or has the form `rule/aspect`, whose second part becomes Incident::aspect.
void add_incident(Context& context, IncidentKind kind, KeptEvent event, std::string_view error = {},
                  std::string_view topic = {});

/// Adds a warning that has no other incident, because its message matches no row, is truncated, or yielded only a fact.
void add_unread_warning(Context& context);

/// Adds an incident of `process` for a known phrase; does nothing if `seen` is empty. If an exception contained the
/// phrase, `exception` is its name, and `rank` the rank that raised it (-1 = unknown).
void add_phrase(Context& context, const PhraseSeen& seen, Index process, std::string_view exception = {},
                int rank = -1);

/// An event that is always an incident, and the kind of that incident.
template <class E>
struct IncidentRow {
  IncidentKind kind;
  /// The member that holds the error text of the system, of CUDA or of a library.
  std::string_view E::*error = nullptr;
};

inline constexpr std::tuple incident_rows{
    IncidentRow<InterfaceNotFound>{IncidentKind::interface_not_found},
    IncidentRow<ConnectRetried>{IncidentKind::connect_retried, &ConnectRetried::error},
    IncidentRow<ConnectFailed>{IncidentKind::connect_failed, &ConnectFailed::error},
    IncidentRow<ConnectionClosed>{IncidentKind::connection_closed},
    IncidentRow<SocketFailed>{IncidentKind::socket_failed, &SocketFailed::error},
    IncidentRow<HandshakeRefused>{IncidentKind::handshake_refused},
    IncidentRow<WorldMismatched>{IncidentKind::world_mismatched},
    IncidentRow<VersionMismatched>{IncidentKind::version_mismatched},
    IncidentRow<NetworkMissing>{IncidentKind::network_missing},
    IncidentRow<EnvRejected>{IncidentKind::env_rejected},
    IncidentRow<AllocationFailed>{IncidentKind::out_of_memory},
    IncidentRow<DuplicateGpuDetected>{IncidentKind::duplicate_gpu},
    IncidentRow<SharedMemoryFailed>{IncidentKind::shared_memory_failed, &SharedMemoryFailed::error},
    IncidentRow<P2pFailed>{IncidentKind::p2p_failed},
    IncidentRow<NvlsFailed>{IncidentKind::nvls_failed, &NvlsFailed::error},
    IncidentRow<TopologyFileFailed>{IncidentKind::topology_file_failed, &TopologyFileFailed::error},
    IncidentRow<ServiceClosed>{IncidentKind::service_closed},
    IncidentRow<ProxyFailed>{IncidentKind::proxy_failed},
    IncidentRow<IbCompletionFailed>{IncidentKind::ib_completion_failed},
    IncidentRow<IbAsyncEvent>{IncidentKind::ib_async_event, &IbAsyncEvent::what},
    IncidentRow<IbDeviceUnusable>{IncidentKind::ib_device_unusable},
    IncidentRow<IbDevicesIncompatible>{IncidentKind::ib_devices_incompatible},
    IncidentRow<IbRailsMismatched>{IncidentKind::ib_rails_mismatched},
    IncidentRow<IbRouterLidMissing>{IncidentKind::ib_router_lid_missing},
    IncidentRow<IbDeviceFailed>{IncidentKind::ib_device_failed},
    IncidentRow<NicCountsMismatched>{IncidentKind::nic_counts_mismatched},
    IncidentRow<WqeDelayed>{IncidentKind::wqe_delayed},
    IncidentRow<DiagnosticReported>{IncidentKind::diagnostic_reported},
    IncidentRow<CollectiveMismatched>{IncidentKind::collective_mismatched},
    IncidentRow<MnnvlFailed>{IncidentKind::mnnvl_failed},
    IncidentRow<KernelMemoryExceeded>{IncidentKind::gpu_unsupported},
    IncidentRow<RasPeerDead>{IncidentKind::ras_peer_dead},
    IncidentRow<RasTimedOut>{IncidentKind::ras_timed_out},
    IncidentRow<RasVersionMismatched>{IncidentKind::ras_version_mismatched},
    IncidentRow<HostSettingMissing>{IncidentKind::host_setting_missing},
    IncidentRow<GraphBroken>{IncidentKind::graph_broken}};

template <class E, class... Listed>
constexpr bool has_row(const std::tuple<IncidentRow<Listed>...>&) {
  return (std::is_same_v<E, Listed> || ...);
}

class Incidents {
 public:
  template <class E>
  requires(has_row<E>(incident_rows)) void apply(Context& context, const E& event) {
    constexpr auto row = std::get<IncidentRow<E>>(incident_rows);
    if constexpr (row.error != nullptr)
      add_incident(context, row.kind, KeptEvent(event), event.*row.error);
    else
      add_incident(context, row.kind, KeptEvent(event));
  }
  // These events are incidents only in some cases, or have several kinds of incident.
  void apply(Context& context, const CudaFailed& event);
  void apply(Context& context, const P2pUnusable& event);
  void apply(Context& context, const CallFailed& event);
  void apply(Context& context, const Hinted& event);
  void apply(Context& context, const VendorNetworkNoted& event);
  void apply(Context& context, const Warned& event);
  void apply(Context& context, const ErrorPropagated& event);
  void apply(Context& context, const AffinityChosen& event);
  void apply(Context& context, const Unrecognized& event);
  void apply(Context& context, const Damaged& event);
};

}  // namespace nccl_analyze::builder
