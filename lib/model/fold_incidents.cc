// What went wrong, as the processes said it.

#include "model/folding.h"
#include "model/wording.h"

namespace nccl_analyze::draft {

void Folding::incident(IncidentKind kind, std::string_view subject, std::string_view error, std::int64_t code,
                       std::string_view topic) {
  made_incident_ = true;
  Incident one;
  one.kind = kind;
  one.process = process_number_;
  one.level = record_->level == Level::outside ? Level::warn : record_->level;  // frameworks quote warnings
  one.message = std::string(record_->message);
  one.subject = std::string(trimmed(subject));
  one.error = std::string(error);
  one.code = code;
  one.place = std::string(record_->origin.location);
  const std::size_t slash = std::min(topic.find('/'), topic.size());
  one.topic = std::string(topic.substr(0, slash));
  one.aspect = std::string(topic.substr(std::min(slash + 1, topic.size())));
  const RankRef ref = thread().in_init ? thread().current : only_live_rank();
  if (ref.comm >= 0) {
    one.communicator = ref.comm;
    one.rank = rank_of(ref).rank;
  }
  keeper_.add_incident(std::move(one), *record_);
}

RankRef Folding::only_live_rank() const {
  RankRef only;
  for (const Life& life : process_->lives) {
    if (life.ended != ~std::uint64_t{0}) continue;
    if (only.comm >= 0) return {};
    only = life.ref;
  }
  return only;
}

void Folding::apply(const InterfaceNotFound&) { incident(IncidentKind::interface_not_found, {}); }

void Folding::apply(const ConnectRetried& event) {
  incident(IncidentKind::connect_retried, event.address, event.error);
}

void Folding::apply(const ConnectFailed& event) { incident(IncidentKind::connect_failed, event.address, event.error); }

void Folding::apply(const ConnectionClosed& event) { incident(IncidentKind::connection_closed, event.peer); }

void Folding::apply(const SocketFailed& event) { incident(IncidentKind::socket_failed, event.peer, event.error); }

void Folding::apply(const HandshakeRefused& event) { incident(IncidentKind::handshake_refused, event.detail); }

void Folding::apply(const WorldMismatched& event) { incident(IncidentKind::world_mismatched, event.detail); }

void Folding::apply(const VersionMismatched& event) {
  incident(IncidentKind::version_mismatched, std::to_string(event.version), std::to_string(event.other_version),
           event.other_rank);
}

void Folding::apply(const CudaFailed& event) {
  const bool memory = event.error.find("out of memory") != std::string_view::npos;
  incident(memory ? IncidentKind::out_of_memory : IncidentKind::cuda_failed, {}, event.error, event.code);
}

void Folding::apply(const AllocationFailed& event) {
  incident(IncidentKind::out_of_memory, event.what, {}, event.bytes);
}

void Folding::apply(const DuplicateGpuDetected& event) {
  const bool told = event.rank >= 0;  // not since 2.30
  incident(IncidentKind::duplicate_gpu, told ? keeper_.hex(event.bus_id.value) : std::string(),
           told ? std::to_string(event.rank) : std::string(), event.other_rank);
}

void Folding::apply(const SharedMemoryFailed& event) {
  incident(IncidentKind::shared_memory_failed, event.path, event.error, event.code);
}

void Folding::apply(const P2pUnusable& event) {
  incident(event.between.empty() ? IncidentKind::p2p_disabled_pcie : IncidentKind::p2p_disabled_nvlink,
           std::to_string(event.gpu) + " and " + std::to_string(event.other_gpu));
}

void Folding::apply(const P2pFailed& event) { incident(IncidentKind::p2p_failed, event.detail); }

void Folding::apply(const NvlsFailed& event) { incident(IncidentKind::nvls_failed, {}, event.error, event.code); }

void Folding::apply(const TopologyFileFailed& event) {
  incident(IncidentKind::topology_file_failed, event.path, event.error);
}

void Folding::apply(const ServiceClosed& event) {
  incident(IncidentKind::service_closed, std::to_string(event.local_rank), {}, event.local_rank);
}

void Folding::apply(const ProxyFailed& event) { incident(IncidentKind::proxy_failed, event.detail); }

void Folding::apply(const IbCompletionFailed& event) {
  incident(IncidentKind::ib_completion_failed, event.peer, event.hca, event.status);
}

void Folding::apply(const IbAsyncEvent& event) {
  const bool fatal = event.severity.find("fatal") != std::string_view::npos &&
                     event.severity.find("non-fatal") == std::string_view::npos;
  incident(IncidentKind::ib_async_event, port_name(event.device, event.port), event.what, fatal ? 1 : 0);
}

void Folding::apply(const CallFailed& event) {
  incident(event.attempt >= 0 ? IncidentKind::call_retried : IncidentKind::call_failed, event.call, event.reason,
           event.code);
}

void Folding::apply(const IbDeviceUnusable& event) {
  incident(IncidentKind::ib_device_unusable, port_name(event.device, event.port), event.operation);
}

void Folding::apply(const IbDevicesIncompatible& event) {
  incident(IncidentKind::ib_devices_incompatible, event.local, event.remote);
}

void Folding::apply(const IbRailsMismatched& event) {
  incident(IncidentKind::ib_rails_mismatched, event.local, event.remote);
}

void Folding::apply(const IbRouterLidMissing&) { incident(IncidentKind::ib_router_lid_missing, {}); }

void Folding::apply(const IbDeviceFailed& event) {
  incident(IncidentKind::ib_device_failed, std::to_string(event.device), event.side, event.device);
}

void Folding::apply(const NicCountsMismatched& event) {
  incident(IncidentKind::nic_counts_mismatched, std::to_string(event.min), std::to_string(event.max));
}

void Folding::apply(const CollectiveMismatched& event) {
  incident(IncidentKind::collective_mismatched, event.peer, {}, event.rank);
}

void Folding::apply(const MnnvlFailed& event) {
  incident(IncidentKind::mnnvl_failed, event.check, event.problem, event.clique_size);
}

void Folding::apply(const KernelMemoryExceeded& event) {
  incident(IncidentKind::gpu_unsupported, std::to_string(event.needed), std::to_string(event.available),
           event.compute_capability);
}

void Folding::apply(const Hinted& event) {
  if (event.detail.find("ACS is enabled") != std::string_view::npos) incident(IncidentKind::acs_suspected, {});
}

void Folding::apply(const RasPeerDead& event) { incident(IncidentKind::ras_peer_dead, event.peer); }

void Folding::apply(const RasTimedOut& event) {
  incident(IncidentKind::ras_timed_out, event.peer, event.what, event.seconds);
}

void Folding::apply(const RasVersionMismatched& event) {
  incident(IncidentKind::ras_version_mismatched, event.peer, event.remote);
}

void Folding::apply(const HostSettingMissing& event) { incident(IncidentKind::host_setting_missing, event.setting); }

void Folding::apply(const GraphBroken& event) {
  incident(IncidentKind::graph_broken, event.ring < 0 ? "tree" : "ring " + std::to_string(event.ring));
}

void Folding::apply(const VendorNetworkNoted& event) {
  if (record_->level == Level::warn) incident(IncidentKind::vendor_network_warned, event.network, event.detail);
}

void Folding::apply(const Warned& event) {
  const PhraseSeen seen = phrase_of(*record_);
  incident(IncidentKind::other_warning, event.wording, {}, -1, seen.topic.empty() ? event.topic : seen.topic);
}

void Folding::apply(const ErrorPropagated& event) {
  if (event.result == 7 || event.result == 0) return;  // in progress: no error
  // 2.30.7 prints the place before the message
  const std::string_view place = record_->origin.location;
  incident(IncidentKind::error_propagated, event.file.empty() ? place.substr(0, place.find(':')) : event.file, {},
           event.result);
  Rank* const rank = rank_in_init();
  if (rank == nullptr || rank->state != RankState::started) return;
  rank->state = RankState::failed;
  rank->ended_at = record_->at;
}

void Folding::apply(const AffinityChosen& event) {
  // NCCL sets it in initTransportsRank, after the first exchange between ranks, in all versions that print Init START.
  if (Rank* const rank = rank_in_init()) reach(*rank, InitPhase::topology);
  if (event.cpus.starts_with("empty"))
    incident(IncidentKind::cpu_affinity_empty, event.gpu_cpus, event.process_cpus, event.gpu);
}

void Folding::add_unread_record() {
  const PhraseSeen seen = phrase_of(*record_);
  // newer versions print these words for information
  const std::string_view known = std::holds_alternative<Noted>(record_->event) ? "none" : "";
  incident(IncidentKind::other_warning, {}, {}, -1, seen.topic.empty() ? known : seen.topic);
}

void Folding::apply(const Unrecognized&) {
  keeper_.add_unrecognized(*record_);
  if (!is_warning(*record_)) phrase_incident(phrase_of(*record_));
}

void Folding::apply(const Damaged&) {
  if (!is_warning(*record_)) phrase_incident(phrase_of(*record_));
}

void Folding::phrase_incident(const PhraseSeen& seen, std::string_view exception, int rank) {
  if (seen.phrase.empty()) return;
  Incident one;
  one.kind = IncidentKind::phrase_seen;
  one.process = is_of_another(rank, -1) ? -1 : process_number_;
  one.level = Level::warn;
  one.message = std::string(record_->message);
  one.place = std::string(record_->origin.location);
  one.topic = std::string(seen.topic);
  one.subject = std::string(seen.phrase);
  one.error = std::string(exception);
  one.rank = rank;
  keeper_.add_incident(std::move(one), *record_);
}

}  // namespace nccl_analyze::draft
