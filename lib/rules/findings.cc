// Builds findings from processes and incidents.

#include "rules/findings.h"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <map>
#include <utility>

#include "queries/settings.h"
#include "rules/topics.h"
#include "text/message_text.h"
#include "text/search.h"

namespace nccl_analyze {

void set_scope(const Model& model, std::vector<Index> processes, Finding& finding) {
  std::ranges::sort(processes);
  processes.erase(std::unique(processes.begin(), processes.end()), processes.end());
  if (!processes.empty() && processes.front() < 0) processes.erase(processes.begin());
  finding.processes = processes;
  // Rank numbers of different communicators are not comparable, so all ranks come from a single communicator.
  for (std::size_t i = 0; i < model.communicators.size(); ++i) {
    for (const Rank& rank : model.communicators[i].ranks)
      if (std::ranges::binary_search(processes, rank.process) && !model.processes[rank.process].has_other_ranks)
        finding.ranks.push_back(rank.rank);
    if (finding.ranks.empty()) continue;
    finding.communicators = {static_cast<Index>(i)};
    // The number is unknown where the start of a communicator is not in the input. Naming only some would blame them.
    if (std::ranges::any_of(finding.ranks, [](int rank) { return rank < 0; })) finding.ranks.clear();
    return;
  }
}

void set_scope(const Model& model, const Benchmark& benchmark, Finding& finding) {
  std::vector<Index> processes;
  for (const BenchmarkRank& rank : benchmark.ranks)
    if (rank.process >= 0) processes.push_back(rank.process);
  if (!processes.empty()) set_scope(model, std::move(processes), finding);
}

void append(std::vector<Finding>& findings, std::vector<Finding> more) {
  std::ranges::move(more, std::back_inserter(findings));
}

void add_transport(const Communicator& comm, std::string_view transport, Evidence& evidence) {
  for (std::size_t t = 0; t < comm.transports.size() && t < comm.transport_evidence.size(); ++t)
    if (comm.transports[t] == transport) evidence.add(comm.transport_evidence[t]);
  if (evidence.count == 0) evidence = evidence_at(comm.first);
}

std::vector<Finding> findings_of(const Model& model, std::string_view before, MachineGroups&& groups) {
  std::vector<Finding> findings;
  for (auto& [said, group] : groups) {
    Finding& finding = findings.emplace_back();
    set_scope(model, std::move(group.processes), finding);
    finding.message = concat(before, list_text(group.names), said);
    finding.evidence = std::move(group.evidence);
    if (group.is_error) finding.own_severity = Severity::error;
  }
  return findings;
}

Finding finding_of(const Model& model, std::string message, ProcessGroup&& group) {
  Finding finding;
  finding.message = std::move(message);
  finding.evidence = std::move(group.evidence);
  finding.values = std::move(group.values);
  finding.incidents = std::move(group.incidents);
  set_scope(model, std::move(group.processes), finding);
  return finding;
}

std::vector<const Process*> known_processes(const Model& model, const std::vector<Index>& indices) {
  std::vector<const Process*> found;
  for (const Index index : indices)
    if (const Process* process = process_of(model, index)) found.push_back(process);
  return found;
}

Index index_of(const Model& model, const Incident& incident) {
  return static_cast<Index>(&incident - model.incidents.data());
}
Index index_of(const Model& model, const Process& process) {
  return static_cast<Index>(&process - model.processes.data());
}
Index index_of(const Model& model, const Communicator& comm) {
  return static_cast<Index>(&comm - model.communicators.data());
}
Index index_of(const Model& model, const Host& host) { return static_cast<Index>(&host - model.hosts.data()); }

std::vector<std::string> hosts_of(const Model& model, const std::vector<Index>& processes) {
  std::vector<std::string> hosts;
  for (const Process* process : known_processes(model, processes))
    if (!process->host.empty()) add_once(hosts, excerpt(process->host, 60));
  return hosts;
}

std::string host_text(const Host& host) { return host.name.empty() ? "a host" : excerpt(host.name, 60); }

std::vector<KnownRank> known_ranks(const Model& model, const Communicator& comm) {
  std::vector<KnownRank> known;
  known.reserve(comm.ranks.size());
  for (const Rank& rank : comm.ranks)
    if (const Process* process = process_of(model, rank.process)) known.push_back({rank, *process});
  return known;
}

void ProcessGroup::add(const Model& model, const Incident& incident) {
  processes.push_back(incident.process);
  evidence.add(incident.evidence);
  incidents.push_back(index_of(model, incident));
}

void claim(const Model& model, const Incident& incident, Finding& finding) {
  finding.incidents.push_back(index_of(model, incident));
  finding.evidence.add(incident.evidence);
}

void name_ranks(Finding& finding) {
  if (!finding.ranks.empty()) finding.message += concat(", on ", ranks_text(finding.ranks));
}

void add_setting(const Process& process, std::string_view variable, Finding& finding) {
  const EnvValue* value = setting(process, variable);
  if (value == nullptr) return;
  finding.evidence.add(value->at);
  finding.values.emplace_back("var", variable);
  finding.values.emplace_back("value", value->value);
}

void suspect(Suspect suspect, Finding& finding) {
  constexpr std::size_t most = 64;
  if (suspect.rank >= 0) finding.ranks.push_back(suspect.rank);
  if (suspect.process >= 0) finding.processes.push_back(suspect.process);
  if (finding.suspects.size() < most) finding.suspects.push_back(std::move(suspect));
}

namespace {

template <class Filter>
std::vector<Finding> findings_of(const Model& model, Filter is_wanted, std::string (*message)(const Incident&)) {
  std::vector<Finding> found;
  std::vector<std::vector<Index>> processes;
  std::map<std::string, std::size_t> known;
  for (const Incident& incident : model.incidents) {
    if (!is_wanted(incident)) continue;
    std::string text = message(incident);
    if (text.empty()) continue;
    const auto [at, added] = known.try_emplace(text, found.size());
    if (added) {
      found.emplace_back().message = std::move(text);
      processes.emplace_back();
    }
    claim(model, incident, found[at->second]);
    processes[at->second].push_back(incident.process);
  }
  for (std::size_t i = 0; i < found.size(); ++i) set_scope(model, std::move(processes[i]), found[i]);
  return found;
}

}  // namespace

std::vector<Finding> incident_findings(const Model& model, std::initializer_list<IncidentKind> kinds,
                                       std::string (*message)(const Incident&)) {
  return findings_of(
      model,
      [&](const Incident& incident) { return std::find(kinds.begin(), kinds.end(), incident.kind) != kinds.end(); },
      message);
}

std::vector<Finding> topic_findings(const Model& model, std::string_view rule,
                                    std::string (*message)(const Incident&)) {
  return findings_of(
      model, [&](const Incident& incident) { return is_about(incident, rule); }, message);
}

}  // namespace nccl_analyze
