// Classifies RDMA failures by completion status, event and call, and builds the findings that all RDMA rules share.

#include "rules/support/rdma.h"

#include <algorithm>
#include <array>
#include <initializer_list>
#include <map>
#include <utility>

#include "nccl_analyze/events/ib.h"
#include "rules/support/network.h"
#include "rules/support/rule_support.h"
#include "rules/topics.h"

namespace nccl_analyze {

namespace {

template <class Key>
struct Meaning {
  Key key;
  RdmaFault fault;
};

/// Completion statuses (IBV_WC_*). The statuses that are missing here result from wrong use of the queue by NCCL or its
/// caller, not from the network.
constexpr std::array<Meaning<int>, 8> completions = {{
    {4, RdmaFault::memory},    // LOC_PROT_ERR
    {5, RdmaFault::flush},     // WR_FLUSH_ERR
    {8, RdmaFault::memory},    // LOC_ACCESS_ERR
    {9, RdmaFault::memory},    // REM_INV_REQ_ERR
    {10, RdmaFault::memory},   // REM_ACCESS_ERR
    {11, RdmaFault::memory},   // REM_OP_ERR
    {12, RdmaFault::timeout},  // RETRY_EXC_ERR
    {13, RdmaFault::timeout},  // RNR_RETRY_EXC_ERR
}};

/// Parts of error messages of libfabric's EFA provider, lower case.
constexpr std::array<Meaning<std::string_view>, 8> efa_completions = {{
    {"unresponsive", RdmaFault::timeout},
    {"unreachable", RdmaFault::timeout},
    {"receiver not ready", RdmaFault::timeout},
    {"timed out", RdmaFault::timeout},
    {"memory region key", RdmaFault::memory},
    {"remote address", RdmaFault::memory},
    {"bad address", RdmaFault::memory},
    {"flushed", RdmaFault::flush},
}};

/// Event names as ibv_event_type_str() returns them, and NCCL's text for unknown events (18 is IBV_EVENT_GID_CHANGE).
constexpr std::array<Meaning<std::string_view>, 12> events = {{
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
RdmaFault look_up(const std::array<Meaning<Key>, size>& table, const Key& key) {
  const auto found = std::find_if(table.begin(), table.end(), [&](const auto& row) { return row.key == key; });
  return found == table.end() ? RdmaFault::none : found->fault;
}

RdmaFault efa_fault(const Incident& incident) {
  const std::string words = lower_case(incident.error);
  for (const auto& [part, fault] : efa_completions)
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

/// NCCL up to 2.18 prints no errno, and up to 2.3 no error text either. The usual reason for such a failure is ENOMEM.
bool says_no_memory(const Incident& incident) {
  const int error = incident.error_number;
  return error == 12 || (error == 0 && incident.error.empty());
}

bool says_exhausted(const Incident& incident) {
  constexpr int errors[] = {11, 23, 24, 28};  // EAGAIN, ENFILE, EMFILE, ENOSPC
  return std::find(std::begin(errors), std::end(errors), incident.error_number) != std::end(errors);
}

RdmaFault call_fault(const Incident& incident) {
  const Call call = call_of(incident.event.as<CallFailed>().call);
  if (call == Call::other) return RdmaFault::none;
  if (call == Call::connect) return RdmaFault::connect;
  if (says_exhausted(incident)) return RdmaFault::exhausted;
  if (says_no_memory(incident)) return RdmaFault::no_memory;
  return call == Call::register_memory ? RdmaFault::memory : RdmaFault::connect;
}

bool stands_behind(const Incident& later, const Incident& earlier) {
  const auto& a = earlier.evidence.lines;
  const auto& b = later.evidence.lines;
  return !a.empty() && !b.empty() && a.back().source == b.back().source && a.back() < b.back();
}

/// The cheap test of the kind comes first, because each lost link scans all incidents.
bool is_lost_packet(const Incident& incident) {
  if (incident.kind != IncidentKind::ib_completion_failed && incident.kind != IncidentKind::ofi_request_failed)
    return false;
  const RdmaFault fault = rdma_fault(incident);
  return fault == RdmaFault::timeout || fault == RdmaFault::flush;
}

bool same_port(const Incident& a, const Incident& b) {
  const auto &one = a.event.as<IbAsyncEvent>(), &other = b.event.as<IbAsyncEvent>();
  return one.device == other.device && one.port == other.port;
}

bool came_back(const Model& model, const Incident& port_down) {
  return std::any_of(model.incidents.begin(), model.incidents.end(), [&](const Incident& other) {
    return other.process == port_down.process && same_port(other, port_down) &&
           rdma_fault(other) == RdmaFault::port_up && stands_behind(other, port_down);
  });
}

bool ended_in_order(const Model& model, Index index) {
  const Process* const process = process_of(model, index);
  return process != nullptr && process->ended_in_order;
}

/// NCCL survives some failed calls: if it cannot register a user buffer, the data takes another path.
bool survived(const Model& model, const std::vector<Index>& processes) {
  return !processes.empty() &&
         std::all_of(processes.begin(), processes.end(), [&](Index process) { return ended_in_order(model, process); });
}

}  // namespace

RdmaFault rdma_fault(const Incident& incident) {
  switch (incident.kind) {
    case IncidentKind::ib_completion_failed:
      return look_up(completions, incident.event.as<IbCompletionFailed>().status);
    case IncidentKind::ofi_request_failed:
      return efa_fault(incident);
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

bool link_loss_hurts(const Model& model, const Incident& port_down) {
  if (std::any_of(model.incidents.begin(), model.incidents.end(), is_lost_packet)) return true;
  return !came_back(model, port_down) && !ended_in_order(model, port_down.process);
}

namespace {

/// Whether `other` may be `process` under another name in the same source: it has the same pid, or its lines have no
/// prefix. Host names differ within a process when a log was anonymized incompletely.
bool may_be_one(const Process& process, const Process& other) {
  return process.source == other.source && (other.pid < 0 || other.pid == process.pid);
}

}  // namespace

bool rdma_worked_before(const Model& model, const std::vector<Index>& processes) {
  std::vector<bool> failed(model.processes.size()), placed(model.processes.size());
  for (const Index index : processes)
    if (process_of(model, index) != nullptr) failed[static_cast<std::size_t>(index)] = true;
  for (const Communicator& comm : model.communicators)
    for (const Rank& rank : comm.ranks)
      if (rank.process >= 0) placed[static_cast<std::size_t>(rank.process)] = true;
  std::vector<const Process*> strangers;  // failed processes without a rank
  for (std::size_t i = 0; i < failed.size(); ++i)
    if (failed[i] && !placed[i]) strangers.push_back(&model.processes[i]);
  const auto is_one_of_them = [&](Index index) {
    if (index < 0) return false;
    const auto i = static_cast<std::size_t>(index);
    return failed[i] || std::any_of(strangers.begin(), strangers.end(),
                                    [&](const Process* stranger) { return may_be_one(*stranger, model.processes[i]); });
  };
  for (const Communicator& comm : model.communicators)
    for (const Rank& rank : comm.ranks)
      if (rank.connected != 0 && rank.nics != 0 && !has_transport(comm, "NET/Socket") && is_one_of_them(rank.process))
        return true;
  return false;
}

void RdmaCase::add(const Model& model, const Incident& incident) {
  processes.push_back(incident.process);
  incidents.push_back(static_cast<Index>(&incident - model.incidents.data()));
  evidence.add(incident.evidence);
  only_calls &= incident.kind == IncidentKind::call_failed;
  if (incident.kind == IncidentKind::ib_async_event) {
    const auto& event = incident.event.as<IbAsyncEvent>();
    if (!event.device.empty()) add_once(devices, excerpt(port_name(event.device, event.port), 40));
    return;
  }
  if (incident.kind != IncidentKind::ib_completion_failed) return;
  const std::string_view hca = incident.event.as<IbCompletionFailed>().hca;
  if (!hca.empty()) add_once(devices, excerpt(hca, 40));
  const std::string_view ip = ip_of(incident.peer);
  if (!ip.empty() && addresses.insert(std::string(ip)).second) name_peer(model, incident.process, ip);
}

void RdmaCase::name_peer(const Model& model, Index process, std::string_view ip) {
  std::string name = excerpt(ip, 60);
  constexpr std::size_t named = 4;  // list_text() shows at most 4 items, and each search scans all ranks
  const Index comm = peers.size() < named ? main_communicator(model, process) : -1;
  if (comm >= 0) {
    RanksByAddress ranks(model);
    const auto there = ranks.at(comm, ip);
    if (there.size() == 1) name += concat(", ", place_text(model, there[0]->process));
  }
  peers.push_back(std::move(name));
}

std::string where_text(const RdmaCase& found) {
  std::string text;
  if (!found.peers.empty()) text += concat("; ", found.peers.size() == 1 ? "peer " : "peers ", list_text(found.peers));
  if (!found.devices.empty())
    text += concat("; ", found.devices.size() == 1 ? "NIC " : "NICs ", list_text(found.devices));
  return text;
}

std::string who_text(const Finding& finding) {
  if (!finding.ranks.empty()) return capitalized(ranks_text(finding.ranks));
  return finding.processes.size() > 1 ? count_text(finding.processes.size(), "process") : std::string("A process");
}

std::vector<Finding> rdma_findings(const Model& model, RdmaFault fault, std::string (*what)(const Incident&)) {
  std::map<std::string, RdmaCase> cases;
  for (const Incident& incident : model.incidents) {
    if (rdma_fault(incident) != fault || !is_warning(incident)) continue;
    if (const std::string text = what(incident); !text.empty()) cases[text].add(model, incident);
  }
  std::vector<Finding> found;
  for (auto& [text, one] : cases) {
    Finding& finding = found.emplace_back();
    set_scope(model, one.processes, finding);
    finding.message = concat(who_text(finding), " ", text, " ", times_text(one.evidence.count), where_text(one));
    finding.evidence = std::move(one.evidence);
    finding.incidents = std::move(one.incidents);
    finding.survived = one.only_calls && survived(model, finding.processes);
    if (finding.survived) finding.own_severity = Severity::warning;
  }
  return found;
}

std::string port_name(std::string_view device, int port) {
  return port < 0 ? std::string(device) : concat(device, ":", port);
}

std::string times_text(std::uint64_t count) { return count == 1 ? std::string("once") : concat(count, " times"); }

namespace {

/// Pods of the Kubeflow training operators have such names. A wrong guess only changes the order of the advice.
bool looks_like_pod(std::string_view host) {
  return contains(host, "-worker-") || contains(host, "-launcher") || contains(host, "-master-");
}

void look_at(const Process& process, Site& site) {
  site.kubernetes |= !process.pod.empty() || !process.container.empty() || looks_like_pod(process.host);
  site.efa |= contains(process.network, "Libfabric") ||
              std::any_of(process.plugins.begin(), process.plugins.end(), is_aws_plugin);
  site.roce |= contains(process.ib_devices, "/RoCE");
  site.infiniband |= contains(process.ib_devices, "/IB");
}

}  // namespace

Site site_of(const Model& model, const std::vector<Index>& processes) {
  Site site;
  for (const Index index : processes)
    if (const Process* process = process_of(model, index)) look_at(*process, site);
  return site;
}

std::string gid_index_text(const Model& model, const std::vector<Index>& processes) {
  for (const Index index : processes) {
    const Process* process = process_of(model, index);
    if (process == nullptr || !contains(process->ib_devices, "/RoCE")) continue;
    if (const EnvValue* value = setting(*process, "NCCL_IB_GID_INDEX"))
      return concat("; NCCL_IB_GID_INDEX=", excerpt(value->value, 20), " is set");
  }
  return {};
}

}  // namespace nccl_analyze
