// Classifies RDMA failures by completion status, event and call.

#include "rules/support/rdma_fault.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <string>
#include <string_view>

#include "nccl_analyze/events/ib.h"
#include "nccl_analyze/events/ofi.h"
#include "text/lower_case.h"
#include "text/search.h"

namespace nccl_analyze {

namespace {

template <class Key>
struct CodeMeaning {
  Key key;
  RdmaFault fault;
};

/// Completion statuses (IBV_WC_*). All other statuses result from incorrect use of the queue by NCCL or its caller, not
/// from the network.
constexpr std::array<CodeMeaning<int>, 8> completions = {{
    {4, RdmaFault::memory},    // LOC_PROT_ERR
    {5, RdmaFault::flush},     // WR_FLUSH_ERR
    {8, RdmaFault::memory},    // LOC_ACCESS_ERR
    {9, RdmaFault::memory},    // REM_INV_REQ_ERR
    {10, RdmaFault::memory},   // REM_ACCESS_ERR
    {11, RdmaFault::memory},   // REM_OP_ERR
    {12, RdmaFault::timeout},  // RETRY_EXC_ERR
    {13, RdmaFault::timeout},  // RNR_RETRY_EXC_ERR
}};

/// Lower-case parts of error messages of libfabric's providers EFA and, the last one, CXI (Slingshot).
constexpr std::array<CodeMeaning<std::string_view>, 9> ofi_completions = {{
    {"unresponsive", RdmaFault::timeout},
    {"unreachable", RdmaFault::timeout},
    {"receiver not ready", RdmaFault::timeout},
    {"timed out", RdmaFault::timeout},
    {"memory region key", RdmaFault::memory},
    {"remote address", RdmaFault::memory},
    {"bad address", RdmaFault::memory},
    {"flushed", RdmaFault::flush},
    {"undeliverable", RdmaFault::timeout},
}};

/// Event names from ibv_event_type_str(), and NCCL's text for an unknown event (18 is IBV_EVENT_GID_CHANGE).
constexpr std::array<CodeMeaning<std::string_view>, 12> events = {{
    {"local catastrophic error", RdmaFault::device_fatal},
    {"device fatal", RdmaFault::device_fatal},
    {"local work queue catastrophic error", RdmaFault::queue_fatal},
    {"invalid request local work queue error", RdmaFault::queue_fatal},
    {"local access violation work queue error", RdmaFault::queue_fatal},
    {"CQ error", RdmaFault::queue_fatal},
    {"WQ fatal", RdmaFault::queue_fatal},
    {"port error", RdmaFault::port_down},
    {"port active", RdmaFault::port_up},
    {"GID table change", RdmaFault::gid_change},
    {"GID table changed", RdmaFault::gid_change},
    {"unknown event type (18)", RdmaFault::gid_change},
}};

template <class Key, std::size_t size>
RdmaFault look_up(const std::array<CodeMeaning<Key>, size>& table, const Key& key) {
  const auto found = std::find_if(table.begin(), table.end(), [&](const auto& row) { return row.key == key; });
  return found == table.end() ? RdmaFault::none : found->fault;
}

/// Whether the request failed because its peer did not respond. Older releases of libfabric pass the completion status
/// of EFA on as their own code, for which they have no text; 20 is IBV_WC_RESP_TIMEOUT_ERR.
bool has_status_of_timeout(const OfiRequestFailed& event) { return event.code == 20 && event.provider_error < 0; }

RdmaFault ofi_fault(const Incident& incident) {
  if (has_status_of_timeout(incident.event.as<OfiRequestFailed>())) return RdmaFault::timeout;
  const std::string words = lower_case(incident.error);
  for (const auto& [part, fault] : ofi_completions)
    if (contains(words, part)) return fault;
  return RdmaFault::none;
}

RdmaFault event_fault(const Incident& incident) {
  const RdmaFault fault = look_up(events, std::string_view(incident.error));
  return fault == RdmaFault::none && incident.aspect == "fatal" ? RdmaFault::queue_fatal
                                                                : fault;  // NCCL gives up after any fatal event
}

enum class Call : std::uint8_t { other, connect, create, register_memory };

Call call_of(std::string_view name) {
  if (one_of(name, {"ibv_modify_qp", "ibv_query_gid"})) return Call::connect;
  if (name.starts_with("ibv_create_") || one_of(name, {"ibv_alloc_pd", "mlx5dv_create_qp"})) return Call::create;
  if (name.starts_with("ibv_reg_") || name == "mlx5dv_reg_dmabuf_mr") return Call::register_memory;
  return Call::other;
}

/// Whether the error is ENOMEM. An unknown errno without any error text counts as ENOMEM, because that is the usual
/// reason: NCCL up to 2.18 prints no errno, and NCCL up to 2.3 no error text either.
bool is_no_memory(const Incident& incident) {
  const int error = incident.error_number;
  return error == 12 || (error == 0 && incident.error.empty());
}

bool is_exhausted(const Incident& incident) {
  constexpr int errors[] = {11, 23, 24, 28};  // EAGAIN, ENFILE, EMFILE, ENOSPC
  return std::find(std::begin(errors), std::end(errors), incident.error_number) != std::end(errors);
}

/// Whether the call registers memory of a GPU that was exported as a DMA-BUF. The kernel does not charge its pages to
/// the limit on locked memory.
bool registers_dma_buf(std::string_view name) { return contains(name, "dmabuf"); }

RdmaFault call_fault(const Incident& incident) {
  const std::string_view name = incident.event.as<CallFailed>().call;
  const Call call = call_of(name);
  if (call == Call::other) return RdmaFault::none;
  if (call == Call::connect) return RdmaFault::connect;
  if (is_exhausted(incident)) return RdmaFault::exhausted;
  if (is_no_memory(incident) && !registers_dma_buf(name)) return RdmaFault::no_memory;
  return call == Call::register_memory ? RdmaFault::memory : RdmaFault::connect;
}

}  // namespace

RdmaFault rdma_fault(const Incident& incident) {
  switch (incident.kind) {
    case IncidentKind::ib_completion_failed:
      return look_up(completions, incident.event.as<IbCompletionFailed>().status);
    case IncidentKind::ofi_request_failed:
      return ofi_fault(incident);
    case IncidentKind::ib_async_event:
      return event_fault(incident);
    case IncidentKind::call_failed:
      return call_fault(incident);
    case IncidentKind::ib_devices_incompatible:
      return RdmaFault::connect;
    default:
      return RdmaFault::none;
  }
}

}  // namespace nccl_analyze
