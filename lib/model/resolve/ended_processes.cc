// Finds the process or the rank that a launcher's line about the end of a process means. Open MPI prints host and pid
// as the process itself knows them, as NCCL does; torchrun prints the rank in a summary only; Slurm's task is no rank
// where one task starts several.

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <map>
#include <set>
#include <string_view>
#include <utility>

#include "model/resolve/passes.h"
#include "model/resolve/short_host.h"

namespace nccl_analyze::builder {

namespace {

using HostAndPid = std::pair<std::string_view, std::int64_t>;

/// Parses what the builder notes about such a line: `node-7`, up to a dot, and 4100 for `node-7, pid 4100`. The pid is
/// -1 if the text does not name both.
HostAndPid named_process(const Incident& incident) {
  constexpr std::string_view words = ", pid ";
  const std::string_view who = incident.error;
  const std::size_t at = who.find(words);
  if (at == std::string_view::npos || at == 0) return {{}, -1};
  std::int64_t pid = -1;
  const std::string_view digits = who.substr(at + words.size());
  std::from_chars(digits.data(), digits.data() + digits.size(), pid);
  const std::string_view host = who.substr(0, at);
  return {short_host(host), pid};
}

bool is_unknown_end(const Incident& incident) {
  return incident.kind == IncidentKind::process_ended && incident.process < 0 && named_process(incident).second > 0;
}

bool names_host_and_number(const Incident& incident) {
  return incident.kind == IncidentKind::process_ended && incident.rank >= 0 &&
         !incident.event.as<ProcessEnded>().host.empty();
}

/// Whether a launcher counts tasks in this line. torchrun's summary has ranks.
bool names_task(const Incident& incident) {
  return names_host_and_number(incident) && incident.event.as<ProcessEnded>().local_rank < 0;
}

/// Forgets the number that a launcher gave a process if NCCL has the rank of this number on other hosts: where torchrun
/// starts the ranks, Slurm counts one task for each node.
void forget_task_numbers(Model& model) {
  if (std::ranges::none_of(model.incidents, names_task)) return;
  int widest = 0;
  for (const Communicator& comm : model.communicators) widest = std::max(widest, comm.nranks);
  std::map<int, std::set<std::string_view>> hosts;
  for (const Communicator& comm : model.communicators)
    for (const Rank& rank : comm.ranks)
      if (comm.nranks == widest && rank.process >= 0)
        hosts[rank.rank].emplace(short_host(model.processes[static_cast<std::size_t>(rank.process)].host));
  for (Incident& incident : model.incidents) {
    if (!names_task(incident)) continue;
    const auto known = hosts.find(incident.rank);
    if (known != hosts.end() && !known->second.contains(short_host(incident.event.as<ProcessEnded>().host)))
      incident.rank = -1;
  }
}

/// The source of a line about the end of a process, and the pid in it.
std::pair<SourceId, std::int64_t> told_in(const Incident& incident) {
  const SourceId source = incident.evidence.lines.empty() ? SourceId{} : incident.evidence.lines.front().source;
  return {source, incident.event.as<ProcessEnded>().pid};
}

/// Gives torchrun's line about a process that failed the host and the rank that its summary names: both print the pid.
void name_by_summary(Model& model) {
  std::map<std::pair<SourceId, std::int64_t>, const Incident*> summaries;  // null where several have the pid
  for (const Incident& incident : model.incidents) {
    if (!names_host_and_number(incident) || told_in(incident).second <= 0) continue;
    const auto [known, is_new] = summaries.emplace(told_in(incident), &incident);
    if (!is_new) known->second = nullptr;
  }
  if (summaries.empty()) return;
  for (Incident& incident : model.incidents) {
    if (incident.kind != IncidentKind::process_ended || incident.rank >= 0) continue;
    const auto& event = incident.event.as<ProcessEnded>();
    const auto named = summaries.find(told_in(incident));
    if (named == summaries.end() || named->second == nullptr || !event.host.empty()) continue;
    const auto& summary = named->second->event.as<ProcessEnded>();
    if (summary.code != event.code || summary.local_rank != event.local_rank) continue;
    incident.rank = named->second->rank;
    incident.error = named->second->error;
  }
}

}  // namespace

void join_ended_processes(Model& model) {
  name_by_summary(model);
  forget_task_numbers(model);
  if (std::ranges::none_of(model.incidents, is_unknown_end)) return;
  std::map<HostAndPid, Index> processes;  // -1 where several have the name
  for (std::size_t i = 0; i < model.processes.size(); ++i) {
    const Process& one = model.processes[i];
    if (one.pid <= 0 || one.host.empty()) continue;
    const auto [known, is_new] = processes.try_emplace({one.host, one.pid}, static_cast<Index>(i));
    if (!is_new) known->second = -1;
  }
  for (Incident& incident : model.incidents) {
    if (!is_unknown_end(incident)) continue;
    const auto found = processes.find(named_process(incident));
    if (found != processes.end()) incident.process = found->second;
  }
}

}  // namespace nccl_analyze::builder
