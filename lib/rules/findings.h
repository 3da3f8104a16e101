#pragma once
/// Builds findings from processes and incidents, and sets their scope.

#include <initializer_list>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "nccl_analyze/model.h"
#include "nccl_analyze/rule.h"
#include "nccl_analyze/rule_parts.h"

namespace nccl_analyze {

/// Returns the index of a part of the model.
Index index_of(const Model& model, const Incident& incident);
Index index_of(const Model& model, const Process& process);
Index index_of(const Model& model, const Communicator& comm);
Index index_of(const Model& model, const Host& host);
/// Returns the names of the hosts of these processes in excerpts, each once.
std::vector<std::string> hosts_of(const Model& model, const std::vector<Index>& processes);
/// Returns the name of the host in an excerpt; `a host` if it has none.
std::string host_text(const Host& host);

/// Sets the scope of a finding to the ranks of the benchmark that have lines in the input.
void set_scope(const Model& model, const Benchmark& benchmark, Finding& finding);

/// Returns a finding for each communicator for which `judge(communicator, finding)` returns a message. Its scope is the
/// communicator; `judge` adds evidence, ranks and whatever else the case has.
template <class Judge>
std::vector<Finding> each_communicator(const Model& model, const Judge& judge) {
  std::vector<Finding> found;
  for (const Communicator& comm : model.communicators) {
    Finding finding;
    finding.message = judge(comm, finding);
    finding.communicators = {index_of(model, comm)};
    if (!finding.message.empty()) found.push_back(std::move(finding));
  }
  return found;
}
inline std::vector<Finding> each_communicator(const Model& model,
                                              std::string (*judge)(const Model&, const Communicator&, Finding&)) {
  return each_communicator(model, [&](const Communicator& comm, Finding& of) { return judge(model, comm, of); });
}

/// Returns a finding for each benchmark for which `judge(benchmark, finding)` returns a message. Its scope is the ranks
/// of the benchmark; `judge` adds evidence and whatever else the case has.
template <class Judge>
std::vector<Finding> each_benchmark(const Model& model, const Judge& judge) {
  std::vector<Finding> found;
  for (const Benchmark& benchmark : model.benchmarks) {
    Finding finding;
    finding.message = judge(benchmark, finding);
    if (finding.message.empty()) continue;
    set_scope(model, benchmark, finding);
    found.push_back(std::move(finding));
  }
  return found;
}

/// Moves findings behind others.
void append(std::vector<Finding>& findings, std::vector<Finding> more);
/// Adds the lines that show connections over this transport; if there is no other evidence, the first line of the
/// communicator.
void add_transport(const Communicator& comm, std::string_view transport, Evidence& evidence);

/// Returns the processes with these indices, without those that are unknown.
std::vector<const Process*> known_processes(const Model& model, const std::vector<Index>& indices);
/// A rank with the process that it runs in.
struct KnownRank {
  const Rank& rank;
  const Process& process;
};
/// Returns the ranks of the communicator whose processes have lines in the input.
std::vector<KnownRank> known_ranks(const Model& model, const Communicator& comm);

/// Processes with the same fault, and the lines that prove it. Rules group processes by message.
struct ProcessGroup {
  std::vector<Index> processes;
  Evidence evidence;
  std::vector<std::pair<std::string_view, std::string>> values = {};  ///< See Finding::values.
  std::vector<Index> incidents = {};                                  ///< See Finding::incidents.

  /// Adds the incident, its process and its lines.
  void add(const Model& model, const Incident& incident);
};
/// Returns a finding with this message, the group's evidence, values and incidents, and the scope of its processes.
Finding finding_of(const Model& model, std::string message, ProcessGroup&& group);

/// Returns a finding for each message that `judge(index, process, group)` returns for processes; processes without a
/// fault get an empty one. `judge` adds the lines of the process, and values of the case, to an empty group.
template <class Judge>
std::vector<Finding> each_process(const Model& model, const Judge& judge) {
  std::map<std::string, ProcessGroup> groups;
  for (Index index = 0; index < static_cast<Index>(model.processes.size()); ++index) {
    ProcessGroup one;
    const std::string message = judge(index, model.processes[index], one);
    if (message.empty()) continue;
    ProcessGroup& group = groups[message];
    group.processes.push_back(index);
    group.evidence.add(one.evidence);
    group.values = std::move(one.values);
  }
  std::vector<Finding> found;
  for (auto& [message, group] : groups) found.push_back(finding_of(model, message, std::move(group)));
  return found;
}

/// Machines to which the same statement applies, so that they share one finding.
struct MachineGroup {
  std::vector<std::string> names;
  std::vector<Index> processes;
  Evidence evidence;
  bool is_error = false;
};
/// Groups of machines, keyed by the statement about them.
using MachineGroups = std::map<std::string, MachineGroup>;
/// Returns a finding for each group. Its message is `before`, the names of the machines and the key of the group.
std::vector<Finding> findings_of(const Model& model, std::string_view before, MachineGroups&& groups);

/// Whether the condition holds for any incident for which the finding accounts.
template <class Condition>
bool any_incident(const Model& model, const Finding& finding, const Condition& holds) {
  for (const Index index : finding.incidents)
    if (holds(model.incidents[index])) return true;
  return false;
}
/// Records that the finding accounts for the incident, and adds the incident's lines to the evidence.
void claim(const Model& model, const Incident& incident, Finding& finding);
/// Claims the incidents that satisfy the condition.
template <class Condition>
void claim_all(const Model& model, const Condition& is_meant, Finding& finding) {
  for (const Incident& incident : model.incidents)
    if (is_meant(incident)) claim(model, incident, finding);
}
/// Returns a finding that claims the incidents that satisfy the condition and has the scope of their processes.
template <class Condition>
Finding claimed(const Model& model, const Condition& is_meant) {
  ProcessGroup group;
  for (const Incident& incident : model.incidents)
    if (is_meant(incident)) group.add(model, incident);
  return finding_of(model, {}, std::move(group));
}

/// Adds the ranks of the finding to its message: `, on ranks 0-3`.
void name_ranks(Finding& finding);
/// Adds the line of the setting to the finding, and its variable and value to the values. Does nothing if the process
/// did not print it.
void add_setting(const Process& process, std::string_view variable, Finding& finding);
/// Adds a rank to examine first to the ranks, processes and suspects of the finding; of suspects, at most 64.
void suspect(Suspect suspect, Finding& finding);

/// Creates one finding for each distinct `message` of the incidents of these kinds, and claims these incidents. An
/// incident with an empty message is skipped.
std::vector<Finding> incident_findings(const Model& model, std::initializer_list<IncidentKind> kinds,
                                       std::string (*message)(const Incident&));
/// Creates one finding for each distinct `message` of the incidents that topics.h assigns to this rule (is_about()),
/// whatever their kind, and claims these incidents. An incident with an empty message is skipped.
std::vector<Finding> topic_findings(const Model& model, std::string_view rule, std::string (*message)(const Incident&));

}  // namespace nccl_analyze
