// What went wrong, as the processes said it.

#include "model/build/builder.h"
#include "model/wording.h"

namespace nccl_analyze::draft {

void Folding::add_incident(IncidentKind kind, KeptEvent event, std::string_view error, std::string_view topic) {
  made_incident_ = true;
  Incident one;
  one.kind = kind;
  one.process = process_number_;
  one.level = record_->level == Level::outside ? Level::warn : record_->level;  // frameworks quote warnings
  one.message = std::string(record_->message);
  one.event = std::move(event);
  one.error = std::string(error);
  one.place = std::string(record_->origin.location);
  const std::size_t slash = std::min(topic.find('/'), topic.size());
  one.topic = std::string(topic.substr(0, slash));
  one.aspect = std::string(topic.substr(std::min(slash + 1, topic.size())));
  const RankRef ref = thread().in_init ? thread().current : process_->lives.only_open();
  if (ref.comm >= 0) {
    one.communicator = ref.comm;
    one.rank = rank_of(ref).rank;
  }
  keeper_.add_incident(std::move(one), *record_);
}

void Folding::apply(const InterfaceNotFound& event) { incident(IncidentKind::interface_not_found, event); }

void Folding::apply(const ConnectRetried& event) { incident(IncidentKind::connect_retried, event, event.error); }

void Folding::apply(const ConnectFailed& event) { incident(IncidentKind::connect_failed, event, event.error); }

void Folding::apply(const ConnectionClosed& event) { incident(IncidentKind::connection_closed, event); }

void Folding::apply(const SocketFailed& event) { incident(IncidentKind::socket_failed, event, event.error); }

void Folding::apply(const HandshakeRefused& event) { incident(IncidentKind::handshake_refused, event); }

void Folding::apply(const WorldMismatched& event) { incident(IncidentKind::world_mismatched, event); }

void Folding::apply(const VersionMismatched& event) { incident(IncidentKind::version_mismatched, event); }

void Folding::apply(const CudaFailed& event) {
  const bool memory = event.error.find("out of memory") != std::string_view::npos;
  incident(memory ? IncidentKind::out_of_memory : IncidentKind::cuda_failed, event, event.error);
}

void Folding::apply(const AllocationFailed& event) { incident(IncidentKind::out_of_memory, event); }

void Folding::apply(const DuplicateGpuDetected& event) { incident(IncidentKind::duplicate_gpu, event); }

void Folding::apply(const SharedMemoryFailed& event) {
  incident(IncidentKind::shared_memory_failed, event, event.error);
}

void Folding::apply(const P2pUnusable& event) {
  incident(event.between.empty() ? IncidentKind::p2p_disabled_pcie : IncidentKind::p2p_disabled_nvlink, event);
}

void Folding::apply(const P2pFailed& event) { incident(IncidentKind::p2p_failed, event); }

void Folding::apply(const NvlsFailed& event) { incident(IncidentKind::nvls_failed, event, event.error); }

void Folding::apply(const TopologyFileFailed& event) {
  incident(IncidentKind::topology_file_failed, event, event.error);
}

void Folding::apply(const ServiceClosed& event) { incident(IncidentKind::service_closed, event); }

void Folding::apply(const ProxyFailed& event) { incident(IncidentKind::proxy_failed, event); }

void Folding::apply(const IbCompletionFailed& event) { incident(IncidentKind::ib_completion_failed, event); }

void Folding::apply(const IbAsyncEvent& event) { incident(IncidentKind::ib_async_event, event, event.what); }

void Folding::apply(const CallFailed& event) {
  incident(event.attempt >= 0 ? IncidentKind::call_retried : IncidentKind::call_failed, event, event.reason);
}

void Folding::apply(const IbDeviceUnusable& event) { incident(IncidentKind::ib_device_unusable, event); }

void Folding::apply(const IbDevicesIncompatible& event) { incident(IncidentKind::ib_devices_incompatible, event); }

void Folding::apply(const IbRailsMismatched& event) { incident(IncidentKind::ib_rails_mismatched, event); }

void Folding::apply(const IbRouterLidMissing& event) { incident(IncidentKind::ib_router_lid_missing, event); }

void Folding::apply(const IbDeviceFailed& event) { incident(IncidentKind::ib_device_failed, event); }

void Folding::apply(const NicCountsMismatched& event) { incident(IncidentKind::nic_counts_mismatched, event); }

void Folding::apply(const CollectiveMismatched& event) { incident(IncidentKind::collective_mismatched, event); }

void Folding::apply(const MnnvlFailed& event) { incident(IncidentKind::mnnvl_failed, event); }

void Folding::apply(const KernelMemoryExceeded& event) { incident(IncidentKind::gpu_unsupported, event); }

void Folding::apply(const Hinted& event) {
  if (event.detail.find("ACS is enabled") != std::string_view::npos) incident(IncidentKind::acs_suspected, event);
}

void Folding::apply(const RasPeerDead& event) { incident(IncidentKind::ras_peer_dead, event); }

void Folding::apply(const RasTimedOut& event) { incident(IncidentKind::ras_timed_out, event); }

void Folding::apply(const RasVersionMismatched& event) { incident(IncidentKind::ras_version_mismatched, event); }

void Folding::apply(const HostSettingMissing& event) { incident(IncidentKind::host_setting_missing, event); }

void Folding::apply(const GraphBroken& event) { incident(IncidentKind::graph_broken, event); }

void Folding::apply(const VendorNetworkNoted& event) {
  if (record_->level == Level::warn) incident(IncidentKind::vendor_network_warned, event);
}

void Folding::apply(const Warned& event) {
  const PhraseSeen seen = phrase_of(*record_);
  incident(IncidentKind::other_warning, event, {}, seen.topic.empty() ? event.topic : seen.topic);
}

void Folding::apply(const ErrorPropagated& event) {
  if (event.result == 7 || event.result == 0) return;  // in progress: no error
  ErrorPropagated whole = event;
  const std::string_view place = record_->origin.location;
  if (whole.file.empty()) whole.file = place.substr(0, place.find(':'));  // 2.30.7 prints it before the message
  incident(IncidentKind::error_propagated, whole);
  Rank* const rank = rank_in_init();
  if (rank == nullptr || rank->state != RankState::started) return;
  rank->state = RankState::failed;
  rank->ended_at = record_->at;
}

void Folding::apply(const AffinityChosen& event) {
  // NCCL sets it in initTransportsRank, after the first exchange between ranks, in all versions that print Init START.
  if (Rank* const rank = rank_in_init()) reach(*rank, InitPhase::topology);
  if (event.cpus.starts_with("empty")) incident(IncidentKind::cpu_affinity_empty, event);
}

void Folding::add_unread_record() {
  const PhraseSeen seen = phrase_of(*record_);
  // newer versions print these words for information
  const std::string_view known = std::holds_alternative<Noted>(record_->event) ? "none" : "";
  add_incident(IncidentKind::other_warning, {}, {}, seen.topic.empty() ? known : seen.topic);
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
  one.event = KeptEvent(seen);
  one.error = std::string(exception);
  one.rank = rank;
  keeper_.add_incident(std::move(one), *record_);
}

}  // namespace nccl_analyze::draft
