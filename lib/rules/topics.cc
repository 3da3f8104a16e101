// Assigns an incident to a rule: by event and error number, else by topic of the message, else by place in NCCL's code.

#include "rules/topics.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <iterator>
#include <string>

#include "nccl_analyze/events/ib.h"
#include "rules/code_places.h"
#include "rules/support/failure.h"
#include "rules/support/rdma_fault.h"
#include "text/search.h"

namespace nccl_analyze {

namespace {

struct Row {
  std::string_view key, rule;
};

/// System and library calls that only one subsystem of NCCL makes. The name of such a call therefore implies the rule.
constexpr std::array<Row, 13> subsystem_calls = {{
    {"ibv_open_device", "ib-no-device"},
    {"ibv_get_device_list", "ib-no-device"},
    {"ibv_query_device", "ib-no-device"},
    {"ibv_query_port", "ib-no-device"},
    {"posix_fallocate", "shm-too-small"},
    {"fallocate", "shm-too-small"},
    {"shm_open", "shm-too-small"},
    {"ftruncate", "shm-too-small"},
    {"connect", "connect-failed"},
    {"bind", "connect-failed"},
    {"getsockname", "connect-failed"},
    {"getaddrinfo", "no-interface"},
    {"socket", "connect-failed"},
}};

/// Returns the rule for a kind of RDMA failure; empty for RdmaFault::none. If memory for a queue or registration is
/// missing, the usual reason is the locked-memory limit.
std::string_view rule_of_fault(RdmaFault fault) {
  switch (fault) {
    case RdmaFault::timeout:
      return "ib-timeout";
    case RdmaFault::memory:
      return "ib-memory-error";
    case RdmaFault::queue_fatal:
    case RdmaFault::device_fatal:
      return "nic-fatal";
    case RdmaFault::port_down:
    case RdmaFault::port_up:
      return "ib-link-flap";
    case RdmaFault::gid_change:
      return "gid-table-change";
    case RdmaFault::connect:
      return "ib-connect-failed";
    case RdmaFault::no_memory:
      return "memlock-limit";  // NCA317 reports it instead if RDMA connections worked before
    case RdmaFault::exhausted:
      return "nic-resources-exhausted";
    case RdmaFault::flush:
      return "none";
    case RdmaFault::none:
      break;
  }
  return {};
}

/// Whether NCCL looks up its own kernels at this place, or the place is not known. At other places, a missing symbol is
/// a function of the driver, not a kernel.
bool may_look_up_kernels(std::string_view place) { return place.empty() || contains(place, "enqueue"); }

struct RuleOfError {
  int error;
  std::string_view rule;
};

/// CUDA errors whose rule does not depend on the place in NCCL's code, sorted by error number.
constexpr std::array rules_of_errors = {
    RuleOfError{2, "out-of-memory"},
    // With errors 3 to 101, the process cannot use the device at all, whatever the call was.
    RuleOfError{3, "cuda-error"},
    RuleOfError{4, "none"},  // cudaErrorCudartUnloading: the process is exiting, and the driver is already unloaded.
    RuleOfError{35, "driver-too-old"},
    RuleOfError{36, "driver-too-old"},
    RuleOfError{46, "cuda-error"},
    RuleOfError{98, "nccl-too-old-for-gpu"},
    RuleOfError{100, "cuda-error"},
    RuleOfError{101, "cuda-error"},
    RuleOfError{200, "nccl-too-old-for-gpu"},  // The kernel image is not for this GPU.
    RuleOfError{209, "nccl-too-old-for-gpu"},
    // The cuda-error rows from 214 to 719 are errors of memory or NVLink and kernel faults. They are asynchronous, so
    // that an unrelated later call reports them.
    RuleOfError{214, "cuda-error"},
    RuleOfError{217, "p2p-failed"},
    RuleOfError{218, "nccl-too-old-for-gpu"},  // 218, 221, 223: NCCL has only PTX for this GPU, which did not compile;
                                               // HIP's 218: RCCL has no code for it.
    RuleOfError{220, "cuda-error"},
    RuleOfError{221, "nccl-too-old-for-gpu"},
    RuleOfError{222, "driver-too-old"},
    RuleOfError{223, "nccl-too-old-for-gpu"},
    RuleOfError{700, "cuda-error"},
    RuleOfError{702, "cuda-error"},
    RuleOfError{710, "cuda-error"},
    RuleOfError{711, "p2p-failed"},
    RuleOfError{715, "cuda-error"},
    RuleOfError{716, "cuda-error"},
    RuleOfError{719, "cuda-error"},
    RuleOfError{802, "fabric-manager-down"},
    RuleOfError{803, "driver-too-old"},
    RuleOfError{804, "driver-too-old"},
};
static_assert(std::ranges::is_sorted(rules_of_errors, {}, &RuleOfError::error));

std::string_view rule_of_cuda_error(const Incident& incident) {
  constexpr int symbol_missing = 500;
  if (incident.cuda_error == symbol_missing)
    return may_look_up_kernels(incident.place) ? "nccl-too-old-for-gpu" : "cuda-error";
  const auto found = std::ranges::lower_bound(rules_of_errors, incident.cuda_error, {}, &RuleOfError::error);
  return found != rules_of_errors.end() && found->error == incident.cuda_error ? found->rule : std::string_view();
}

/// Returns the rule for a generic CUDA error in the code of NVLS, MNNVL or P2P; empty for other places.
std::string_view cuda_rule_of_place(std::string_view place) {
  const std::string_view rule = rule_of_place(place);
  return one_of(rule, {"nvls-failed", "mnnvl-failed", "p2p-failed"}) ? rule : std::string_view();
}

Topic cuda_topic(const Incident& incident) {
  if (const std::string_view rule = rule_of_cuda_error(incident); !rule.empty()) return {rule, TopicSource::event};
  if (const std::string_view rule = cuda_rule_of_place(incident.place); !rule.empty())
    return {rule, TopicSource::place};
  return {"cuda-error", TopicSource::event};
}

/// Whether the end of a line about a failed call of CUDA is cut off, so that it matches no row of the message table.
bool is_cut_cuda_failure(const Incident& incident) {
  return incident.kind == IncidentKind::other_warning && incident.cuda_error != 0 && incident.topic == "cuda-error";
}

std::string_view rule_of_shared_memory(const Incident& incident) {
  if (incident.echo) return "none";
  const int error = incident.error_number;
  return error == 28 || error == 12 ? std::string_view("shm-too-small") : std::string_view(incident.topic);
}

std::string_view rule_of_call(const Incident& incident) {
  const std::string_view rdma = rule_of_fault(rdma_fault(incident));
  if (!rdma.empty()) return rdma;
  for (const Row& call : subsystem_calls)
    if (incident.event.as<CallFailed>().call == call.key)
      return call.rule == "connect-failed" && says_peer_gone(incident) && call.key != "connect" ? "peer-closed"
                                                                                                : call.rule;
  return {};
}

struct KindRow {
  IncidentKind kind;
  std::string_view rule;
};

/// Events whose kind alone implies the rule.
constexpr std::array<KindRow, 38> kinds = {{
    {IncidentKind::interface_not_found, "no-interface"},
    {IncidentKind::connect_failed, "connect-failed"},
    {IncidentKind::connection_closed, "peer-closed"},
    {IncidentKind::handshake_refused, "socket-handshake-mismatch"},
    {IncidentKind::version_mismatched, "version-mismatch"},
    {IncidentKind::network_missing, "no-network"},
    {IncidentKind::out_of_memory, "out-of-memory"},
    {IncidentKind::duplicate_gpu, "duplicate-gpu"},
    {IncidentKind::p2p_disabled_nvlink, "p2p-disabled"},
    {IncidentKind::p2p_failed, "p2p-failed"},
    {IncidentKind::nvls_failed, "nvls-failed"},
    {IncidentKind::topology_file_failed, "topology-file-invalid"},
    {IncidentKind::env_rejected, "env-invalid-value"},
    {IncidentKind::ib_device_unusable, "ib-no-device"},
    {IncidentKind::ib_rails_mismatched, "rail-mismatch"},
    {IncidentKind::ib_router_lid_missing, "rail-mismatch"},
    {IncidentKind::ib_device_failed, "ib-link-flap"},
    {IncidentKind::nic_counts_mismatched, "nic-count-differs"},
    {IncidentKind::collective_mismatched, "collective-mismatch"},
    {IncidentKind::gdr_disabled, "gdr-disabled"},
    {IncidentKind::mnnvl_failed, "mnnvl-failed"},
    {IncidentKind::host_setting_missing, "iommu-settings"},
    {IncidentKind::acs_suspected, "iommu-settings"},
    {IncidentKind::graph_broken, "ring-broken"},
    {IncidentKind::cpu_affinity_empty, "cpu-affinity"},
    {IncidentKind::gpu_unsupported, "nccl-too-old-for-gpu"},
    {IncidentKind::process_ended, "application-error"},
    {IncidentKind::memory_killed, "application-error"},
    {IncidentKind::job_cancelled, "application-error"},
    {IncidentKind::gpu_faulted, "application-error"},
    {IncidentKind::node_lost, "application-error"},
    {IncidentKind::device_faulted, "application-error"},
    {IncidentKind::wqe_delayed, "slow-peer"},
    {IncidentKind::diagnostic_reported, "diagnostics-fault"},
    // Symptoms of other failures, and events that a job survives:
    {IncidentKind::service_closed, "none"},
    {IncidentKind::connect_retried, "none"},
    {IncidentKind::call_retried, "none"},
    {IncidentKind::p2p_disabled_pcie, "none"},
}};

/// Whether EFA's device of the peer has no queue pair of that number any more: the peer's process ended or closed it.
/// Newer releases of libfabric say `Bad queue pair (QP) number`.
bool is_missing_peer(const Incident& incident) {
  return contains(incident.error, "receiver queue pair number") ||
         contains(incident.error, "Bad queue pair (QP) number");
}

/// Whether libfabric's number alone says that the connection of a request is gone, because no text of the provider
/// does.
bool lost_its_peer(const Incident& incident) {
  constexpr int errors[] = {32, 104, 107};  // EPIPE, ECONNRESET, ENOTCONN
  return rdma_fault(incident) == RdmaFault::none &&
         std::ranges::find(errors, incident.error_number) != std::end(errors);
}

/// The rule for events whose error number or message must be considered; empty for other events.
std::string_view rule_of_details(const Incident& incident) {
  switch (incident.kind) {
    case IncidentKind::socket_failed:
      // Up to 2.17 the first call on a socket that is being connected reports a refused connection.
      return (says_peer_gone(incident) && incident.error_number != ECONNREFUSED) || incident.error.empty()
                 ? "peer-closed"
                 : "connect-failed";
    case IncidentKind::shared_memory_failed:
      return rule_of_shared_memory(incident);
    case IncidentKind::program_raised:
    case IncidentKind::vendor_network_warned:
    case IncidentKind::world_mismatched:
      return incident.topic;
    case IncidentKind::call_failed:
      return rule_of_call(incident);
    case IncidentKind::ib_async_event: {
      const std::string_view rule = rule_of_fault(rdma_fault(incident));
      return rule.empty() && incident.aspect != "fatal" ? "none" : rule;
    }
    case IncidentKind::ofi_request_failed:
      if (is_missing_peer(incident) || lost_its_peer(incident)) return "peer-closed";
      [[fallthrough]];
    case IncidentKind::ib_completion_failed:
    case IncidentKind::ib_devices_incompatible:
      return rule_of_fault(rdma_fault(incident));
    case IncidentKind::ras_timed_out:
    case IncidentKind::ras_peer_dead:
      return "none";
    default:
      return {};
  }
}

std::string_view rule_of_event(const Incident& incident) {
  for (const KindRow& row : kinds)
    if (row.kind == incident.kind) return row.rule;
  return rule_of_details(incident);
}

/// Returns a more specific rule than `rule`, a general one for sockets or verbs, if the errno or a closed connection
/// implies one; else returns `rule`.
std::string_view refined(std::string_view rule, const Incident& incident) {
  const int error = incident.error_number;
  if (rule == "connect-failed") {
    if (error == 97) return "no-interface";
    return incident.aspect == "closed" || error == 104 || error == 32 ? "peer-closed" : rule;
  }
  if (rule == "ib-connect-failed" && error == 12) return "memlock-limit";
  if (rule == "ib-memory-error" && error == 12) return "memlock-limit";
  return rule;
}

/// Whether the message is known and has no errno. Then no connection failed, so connect-failed does not apply: the
/// socket was in the wrong state, or the address was invalid (for example the handle of another network).
bool is_state_of_socket(const Incident& incident) { return !incident.topic.empty() && incident.error_number == 0; }

/// Whether the message comes from NCCL's RAS threads. These watch the job and carry none of its traffic. NCCL continues
/// without them, for example if another process of the host uses their port.
bool is_of_ras(std::string_view place) { return place.starts_with("ras/") || contains(place, "/ras/"); }

/// Whether the message is known to be harmless unless an error trace follows it.
bool is_harmless(const Incident& incident) { return incident.aspect == "only-if-failed" && !incident.failed; }

}  // namespace

bool is_warning(const Incident& incident) { return warns(incident.level); }

Topic topic_of(const Incident& incident) {
  if (is_of_ras(incident.place)) return {"none", TopicSource::place};
  if (incident.kind == IncidentKind::connection_closed && incident.aspect == "stranger")
    return {"none", TopicSource::event};
  if (is_harmless(incident)) return {"none", TopicSource::wording};
  if (incident.kind == IncidentKind::cuda_failed) return cuda_topic(incident);
  if (is_cut_cuda_failure(incident) && incident.message.starts_with("HIP failure") &&
      rule_of_cuda_error(incident) == "nccl-too-old-for-gpu")
    return {"nccl-too-old-for-gpu", TopicSource::event};
  if (is_cut_cuda_failure(incident) && rule_of_cuda_error(incident).empty())
    if (const std::string_view rule = cuda_rule_of_place(incident.place); !rule.empty())
      return {rule, TopicSource::place};
  if (incident.kind == IncidentKind::nvls_failed && rule_of_cuda_error(incident) == "cuda-error")
    return {"cuda-error", TopicSource::event};  // The process cannot use CUDA, whatever the call was.
  if (const std::string_view rule = rule_of_event(incident); !rule.empty()) return {rule, TopicSource::event};
  if (!incident.topic.empty() && incident.topic != "internal-error")
    return {refined(incident.topic, incident), TopicSource::wording};
  const bool may_ask_place =
      incident.kind == IncidentKind::other_warning || incident.kind == IncidentKind::call_failed ||
      incident.kind == IncidentKind::vendor_network_warned || incident.kind == IncidentKind::ofi_request_failed;
  if (may_ask_place)
    if (const std::string_view rule = rule_of_message_at_place(incident.place, incident.message);
        !rule.empty() && !(rule == "connect-failed" && is_state_of_socket(incident)))
      return {refined(rule, incident), TopicSource::place};
  return incident.topic.empty() ? Topic{} : Topic{incident.topic, TopicSource::wording};
}

bool is_about(const Incident& incident, std::string_view rule) {
  if (incident.kind == IncidentKind::phrase_seen) return false;  // unspecific_findings() handles phrases
  const Topic topic = topic_of(incident);
  return topic.rule == rule && (topic.source == TopicSource::event || topic.source == TopicSource::wording);
}

}  // namespace nccl_analyze
