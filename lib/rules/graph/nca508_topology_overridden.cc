// NCA508 reports files that replace the topology or the graphs that NCCL would detect; a wrong file costs speed.

#include <map>
#include <set>
#include <utility>

#include "nccl_analyze/events/topology.h"
#include "nccl_analyze/rule.h"
#include "nccl_analyze/rule_parts.h"
#include "queries/nvlink.h"
#include "queries/settings.h"
#include "rules/findings.h"
#include "text/message_text.h"
#include "text/search.h"

namespace nccl_analyze::nca508 {

namespace {

struct Override {
  std::string_view variable, effect;
  bool makes_topology;
};
constexpr Override overrides[] = {
    {"NCCL_TOPO_FILE", "replaces the PCIe and NVLink topology that NCCL would detect", true},
    {"NCCL_GRAPH_FILE", "replaces the rings and trees that NCCL would search", false},
};

/// Whether aws-ofi-nccl set the variable: the plugin ships files for some instance types, which are no override by the
/// user.
bool is_the_plugins(std::string_view path) {
  return contains(path, "aws-ofi-nccl") || path.starts_with("/proc/self/fd/");
}

/// Returns the files that NCCL could not read. NCA506 reports them, and NCCL detects the topology instead.
std::set<std::string_view> unreadable_files(const Model& model) {
  std::set<std::string_view> paths;
  for (const Incident& incident : model.incidents)
    if (incident.kind == IncidentKind::topology_file_failed) paths.insert(incident.event.as<TopologyFileFailed>().path);
  return paths;
}

/// NCCL reads this file even if no setting names it. The file describes a virtual machine and is no override.
constexpr std::string_view default_file = "/var/run/nvidia-topologyd/virtualTopology.xml";

/// Reports files that NCCL loads because of a setting that the input does not show, such as one in /etc/nccl.conf.
void add_loaded(const Model& model, RuleResult& result) {
  constexpr std::string_view words = "Loading topology file ";
  std::map<std::string, ProcessGroup> by_path;
  for (const Incident& incident : model.incidents) {
    if (incident.topic != "topology-overridden" || !incident.message.starts_with(words)) continue;
    const Process* const process = process_of(model, incident.process);
    const std::string path = incident.message.substr(words.size());
    if (path == default_file || is_the_plugins(path) || process == nullptr || setting(*process, "NCCL_TOPO_FILE"))
      continue;
    by_path[path].add(model, incident);
  }
  for (auto& [path, group] : by_path) {
    group.values = {{"var", "NCCL_TOPO_FILE"}, {"value", path}};
    result.findings.push_back(
        finding_of(model, concat("NCCL reads the topology from ", excerpt(path, 120), ": NCCL_TOPO_FILE is set"),
                   std::move(group)));
  }
}

struct Group : ProcessGroup {
  /// NVLinks whose two directions have unequal speeds in the file; empty if there are none.
  std::string contradiction;
};

}  // namespace

RuleResult check(const Model& model) {
  RuleResult result;
  const std::set<std::string_view> unreadable = unreadable_files(model);
  for (const Override& one : overrides) {
    std::map<std::string, Group> groups;
    for (const Process& process : model.processes) {
      const EnvValue* set = given(process, one.variable);
      if (set == nullptr || is_the_plugins(set->value) || unreadable.contains(set->value)) continue;
      const Host* host = model.host_of(index_of(model, process));
      Group& group = groups[concat(one.variable, "=", excerpt(set->value, 120), " ", one.effect)];
      group.processes.push_back(index_of(model, process));
      group.values = {{"var", std::string(one.variable)}, {"value", set->value.str()}};
      group.evidence.add(set->at);
      if (one.makes_topology && host != nullptr && group.contradiction.empty()) {
        group.contradiction = asymmetric_nvlinks_text(*host);
        if (!group.contradiction.empty()) add_line(group.evidence, host->topology_at);
      }
    }
    for (auto& [message, group] : groups) {
      Finding& finding = result.findings.emplace_back(finding_of(model, message, ProcessGroup(group)));
      if (!group.contradiction.empty()) {
        finding.values.emplace_back("why", "contradicts");
        finding.message += concat("; links are equally fast both ways, but by the file ", group.contradiction);
        finding.own_severity = Severity::warning;
      }
    }
  }
  add_loaded(model, result);
  return result;
}

}  // namespace nccl_analyze::nca508
