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
    finding.communicators = {static_cast<Index>(&comm - model.communicators.data())};
    if (!finding.message.empty()) found.push_back(std::move(finding));
  }
  return found;
}
inline std::vector<Finding> each_communicator(const Model& model,
                                              std::string (*judge)(const Model&, const Communicator&, Finding&)) {
  return each_communicator(model, [&](const Communicator& comm, Finding& of) { return judge(model, comm, of); });
}

/// Moves findings behind others.
void append(std::vector<Finding>& findings, std::vector<Finding> more);
/// Adds the lines that show connections over this transport; if there is no other evidence, the first line of the
/// communicator.
void add_transport(const Communicator& comm, std::string_view transport, Evidence& evidence);

/// Returns the processes with these indices, without those that are unknown.
std::vector<const Process*> known_processes(const Model& model, const std::vector<Index>& indices);
/// Returns the index of an incident of the model.
Index index_of(const Model& model, const Incident& incident);

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
