// NCA506 reports topology and graph files that NCCL cannot read or that are malformed.

#include "nccl_analyze/events/topology.h"
#include "nccl_analyze/rule.h"
#include "queries/settings.h"
#include "rules/findings.h"
#include "text/message_text.h"
#include "text/search.h"

namespace nccl_analyze::nca506 {

namespace {

/// NCCL tries to open this file even if no setting names it. The file exists only in virtual machines, so its absence
/// is no fault.
constexpr std::string_view default_file = "/var/run/nvidia-topologyd/virtualTopology.xml";

/// Whether the graph file names a GPU that the job lacks, so that NCCL cannot import a channel (graph/search.cc).
bool names_other_gpus(const Incident& incident) { return contains(incident.message, "XML Import Channel"); }

std::string message_of(const Incident& incident) {
  const std::string_view path = incident.event.as<TopologyFileFailed>().path;
  if (path == default_file) return {};
  if (names_other_gpus(incident))
    return concat("The graph file is made for another set of GPUs than this job uses: ", excerpt(incident.message));
  if (contains(incident.message, "busid of node nic"))  // Of NCCL's own detection: no file is read for it.
    return concat("NCCL cannot put a NIC into the machine's topology: ", excerpt(incident.message));
  if (incident.kind != IncidentKind::topology_file_failed)
    return concat(contains(incident.message, "of node algo") ? "MSCCL cannot use the file of its algorithm: "
                                                             : "NCCL cannot use a topology or graph file: ",
                  excerpt(incident.message));
  return concat("NCCL cannot use ", excerpt(path, 120),
                when(!incident.error.empty(), ": ", excerpt(incident.error, 80)));
}

}  // namespace

RuleResult check(const Model& model) {
  RuleResult result{topic_findings(model, "topology-file-invalid", message_of)};
  for (Finding& finding : result.findings) {
    const bool is_graph = any_incident(model, finding, names_other_gpus);
    for (const Process* process : known_processes(model, finding.processes)) {
      add_setting(*process, "NCCL_GRAPH_FILE", finding);
      if (!is_graph) add_setting(*process, "NCCL_TOPO_FILE", finding);
    }
  }
  return result;
}

}  // namespace nccl_analyze::nca506
