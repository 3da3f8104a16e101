// NCA508 reports files that replace the topology or the graphs that NCCL would detect; a wrong file costs speed.

#include <map>
#include <set>
#include <utility>

#include "nccl_analyze/events/topology.h"
#include "nccl_analyze/rule.h"
#include "rules/support/evidence.h"
#include "rules/support/findings.h"
#include "rules/support/message_text.h"
#include "rules/support/nvlink.h"
#include "rules/support/search.h"
#include "rules/support/settings.h"

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

struct Group : ProcessGroup {
  std::string contradiction;  ///< Contradiction inside the file's topology; empty if there is none.
};

Verdict check(const Model& model) {
  Verdict verdict;
  const std::set<std::string_view> unreadable = unreadable_files(model);
  for (const Override& one : overrides) {
    std::map<std::string, Group> groups;
    for (std::size_t i = 0; i < model.processes.size(); ++i) {
      const EnvValue* set = setting(model.processes[i], one.variable);
      if (set == nullptr || set->value.empty() || is_the_plugins(set->value) || unreadable.contains(set->value))
        continue;
      const Host* host = model.host_of(static_cast<Index>(i));
      Group& group = groups[concat(one.variable, "=", excerpt(set->value, 120), " ", one.effect)];
      group.processes.push_back(static_cast<Index>(i));
      group.evidence.add(set->at);
      if (one.makes_topology && host != nullptr && group.contradiction.empty()) {
        group.contradiction = uneven_links(*host);
        if (!group.contradiction.empty()) add_line(group.evidence, host->topology_at);
      }
    }
    for (auto& [message, group] : groups) {
      Finding& finding = verdict.findings.emplace_back(finding_of(model, message, ProcessGroup(group)));
      if (!group.contradiction.empty()) {
        finding.message += concat("; links are equally fast both ways, but by the file ", group.contradiction);
        finding.own_severity = Severity::warning;
      }
    }
  }
  return verdict;
}

}  // namespace

extern constinit const Rule rule{
    {.id = "NCA508",
     .name = "topology-overridden",
     .severity = Severity::info,
     .provisional = true,
     .title = "A file replaces what NCCL would detect",
     .explanation =
         R"(`NCCL_TOPO_FILE` tells NCCL where GPUs, network cards and switches are; what it does not say is still detected.
`NCCL_GRAPH_FILE` gives the rings and trees themselves, and NCCL then searches none. Some clouds need a topology file in
their virtual machines, which hide the PCIe switches (Azure's images set `/opt/microsoft/ndv4/topo.xml` or
`ndv5/topo.xml`, with `NCCL_IGNORE_CPU_AFFINITY=1`, which is meant there), and aws-ofi-nccl brings
its own. A file of another instance type or of an older machine makes NCCL believe in links that are not there: GPUDirect
RDMA over the wrong card, half of the cards idle, rings across sockets. The report's topology is then the file's, too.

NCCL also reads /var/run/nvidia-topologyd/virtualTopology.xml without being asked, and prints that only with the
subsystem GRAPH.)",
     .fix =
         R"(1. Is it meant? The file must be of this instance type, alike on all hosts, and mounted in every container.
2. On bare metal remove it: detection is right there.
3. Compare: `NCCL_TOPO_DUMP_FILE=/tmp/detected.xml` without the variable, then diff with the file. A graph file must be
   made anew (`NCCL_GRAPH_DUMP_FILE`) with each new version of NCCL.)"},
    check};

}  // namespace nccl_analyze::nca508
