// Combines RDMA incidents into findings with peers, NICs and counts.

#include "rules/support/rdma_findings.h"

#include <charconv>
#include <cstddef>
#include <map>
#include <utility>

#include "nccl_analyze/events/ib.h"
#include "queries/bootstrap_address.h"
#include "queries/machine_values.h"
#include "queries/places.h"
#include "queries/ranks.h"
#include "queries/settings.h"
#include "rules/findings.h"
#include "rules/support/rdma_outcome.h"
#include "rules/topics.h"
#include "text/message_text.h"
#include "text/search.h"

namespace nccl_analyze {

void RdmaCase::add(const Model& model, const Incident& incident) {
  ProcessGroup::add(model, incident);
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
  constexpr std::size_t named = 4;  // list_text() shows at most 4 peers, and each lookup scans all ranks
  const Index comm = peers.size() < named ? first_communicator_of(model, process) : -1;
  if (comm >= 0) {
    RanksByAddress ranks(model);
    const auto there = ranks.at(comm, ip);
    if (there.size() == 1) name += concat(", ", rank_and_process_text(model, there[0]->process));
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

namespace {

/// Whether the failure breaks connections. The NIC flushes the pending requests of a broken connection. A failed call
/// breaks none.
bool breaks_connections(const Incident& incident, RdmaFault fault) {
  return incident.kind != IncidentKind::call_failed &&
         (fault == RdmaFault::timeout || fault == RdmaFault::memory || fault == RdmaFault::queue_fatal ||
          fault == RdmaFault::device_fatal);
}

/// Whether NCCL itself prints the line, with its level, rather than a framework that quotes the message.
bool is_own_line(const Model& model, const Incident& incident) {
  const std::vector<LineRef>& lines = incident.evidence.lines;
  return !lines.empty() && contains(model.quote(lines.front()), "NCCL WARN");
}

/// Returns the texts of `what` for the warnings with this fault that NCCL itself prints. PyTorch repeats such a warning
/// after `Last error:`.
std::set<std::string> printed_texts(const Model& model, RdmaFault fault, std::string (*what)(const Incident&)) {
  std::set<std::string> texts;
  for (const Incident& incident : model.incidents)
    if (is_warning(incident) && rdma_fault(incident) == fault && is_own_line(model, incident))
      texts.insert(what(incident));
  return texts;
}

/// Groups the warnings with this fault by the text that `what` returns, without those for which the text is empty. Adds
/// requests that were flushed afterwards to the case that first broke a connection of their process.
std::map<std::string, RdmaCase> find_cases(const Model& model, RdmaFault fault, std::string (*what)(const Incident&)) {
  std::map<std::string, RdmaCase> cases;
  std::map<Index, RdmaCase*> broken;  // by process: the case that first broke one of its connections
  const std::set<std::string> printed = printed_texts(model, fault, what);
  for (const Incident& incident : model.incidents) {
    if (!is_warning(incident)) continue;
    const RdmaFault own = rdma_fault(incident);
    if (own == RdmaFault::flush) {
      // A flush after the failure is an echo of it: the finding accounts for the flush, but does not quote it.
      if (const auto cause = broken.find(incident.process); cause != broken.end())
        cause->second->incidents.push_back(index_of(model, incident));
      continue;
    }
    const std::string text = own == fault ? what(incident) : std::string();
    if (text.empty()) continue;
    RdmaCase& found = cases[text];
    if (printed.contains(text) && !is_own_line(model, incident)) {  // The same failure, quoted.
      found.processes.push_back(incident.process);
      found.incidents.push_back(index_of(model, incident));
      continue;
    }
    found.add(model, incident);
    if (breaks_connections(incident, fault)) broken.try_emplace(incident.process, &found);
  }
  return cases;
}

}  // namespace

std::vector<Finding> rdma_findings(const Model& model, RdmaFault fault, std::string (*what)(const Incident&)) {
  std::map<std::string, RdmaCase> cases = find_cases(model, fault, what);
  std::vector<Finding> found;
  for (auto& [text, one] : cases) {
    Finding& finding = found.emplace_back(finding_of(model, {}, ProcessGroup(one)));
    const bool are_many = finding.ranks.size() > 1 || (finding.ranks.empty() && finding.processes.size() > 1);
    const std::string did = are_many && text.starts_with("was ") ? concat("were ", text.substr(4)) : text;
    finding.message = concat(who_text(finding), " ", did, ", ", times_text(finding.evidence.count), where_text(one));
    // NCCL survives some failed calls: if it cannot register a user buffer, the data takes another path.
    finding.survived = one.only_calls && all_ended_in_order(model, finding.processes);
    if (finding.survived) finding.own_severity = Severity::warning;
  }
  return found;
}

namespace {

/// Returns the GID index that a failed call used, else the value of NCCL_IB_GID_INDEX; -1 if neither is printed.
int used_gid_index(const Model& model, const Finding& finding) {
  for (const Index index : finding.incidents)
    if (const int used = model.incidents[index].event.as<CallFailed>().gid_index; used >= 0) return used;
  for (const Index index : finding.processes) {
    const Process* const process = process_of(model, index);
    const EnvValue* const value = process == nullptr ? nullptr : setting(*process, "NCCL_IB_GID_INDEX");
    int used = -1;
    if (value == nullptr) continue;
    const std::string_view text = value->value.view();
    std::from_chars(text.data(), text.data() + text.size(), used);
    if (used >= 0) return used;
  }
  return -1;
}

}  // namespace

void add_gid_reading(const Model& model, Finding& finding) {
  if (model.machines.empty()) return;
  const GidReading reading = read_gid_tables(model, finding.processes, used_gid_index(model, finding));
  finding.message += gid_reading_text(reading);
  if (!reading.fault.empty()) finding.values.emplace_back("gid", "wrong");
  if (reading.fits) finding.values.emplace_back("gid", "fits");
  if (reading.right >= 0) finding.values.emplace_back("gid_right", std::to_string(reading.right));
  if (!reading.fault.empty() || reading.right >= 0) add_line(finding.evidence, reading.at);
}

std::string port_name(std::string_view device, int port) {
  return port < 0 ? std::string(device) : concat(device, ":", port);
}

std::string times_text(std::uint64_t count) { return count == 1 ? std::string("once") : concat(count, " times"); }

}  // namespace nccl_analyze
