// NCA404 reports that P2P between GPUs failed when NCCL tried to use it.

#include "nccl_analyze/rule.h"
#include "queries/hosts.h"
#include "rules/findings.h"
#include "text/message_text.h"
#include "text/search.h"

namespace nccl_analyze::nca404 {

namespace {

std::string message_of(const Incident& incident) {
  if (!warns(incident.level)) return {};
  // The transport shm.cc hands host memory on, and peer access is what its handles of CUDA need.
  const bool is_host_memory = incident.cuda_error == 217 && contains(incident.place, "shm.cc");
  return concat(
      is_host_memory ? "A handle of host memory could not be opened: " : "Direct access between GPUs failed: ",
      excerpt(incident.message));
}

/// Whether all processes have one host name, and their addresses show several hosts, or containers with networks of
/// their own. NCCL takes them for one host and passes handles on that no other host can open.
bool has_hosts_of_one_name(const Model& model) {
  HostCount count;
  for (const Process& process : model.processes) count.add(process);
  return count.names() == 1 && count.hosts() > 1;
}

}  // namespace

RuleResult check(const Model& model) {
  RuleResult result{topic_findings(model, "p2p-failed", message_of)};
  if (!has_hosts_of_one_name(model)) return result;
  for (Finding& finding : result.findings) finding.values.emplace_back("hosts", "twins");
  return result;
}

}  // namespace nccl_analyze::nca404
