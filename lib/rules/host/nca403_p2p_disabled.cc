// NCA403 reports direct GPU-to-GPU traffic that a setting or the driver switches off.

#include <set>
#include <utility>

#include "nccl_analyze/events/transport.h"
#include "nccl_analyze/rule.h"
#include "queries/hosts.h"
#include "queries/nvlink.h"
#include "queries/ranks.h"
#include "queries/settings.h"
#include "rules/findings.h"
#include "text/message_text.h"
#include "text/search.h"

namespace nccl_analyze::nca403 {

namespace {

/// Whether ranks of this process use different GPUs. Several processes of one host appear as one such process if their
/// lines have no prefix.
bool drives_several_gpus(const Communicator& comm, Index process) {
  int first = -1;
  for (const Rank& rank : comm.ranks) {
    if (rank.process != process || rank.cuda_dev < 0) continue;
    if (first >= 0 && rank.cuda_dev != first) return true;
    first = rank.cuda_dev;
  }
  return false;
}

bool has_local_peers(const Model& model, Index process) {
  for (const Communicator& comm : model.communicators) {
    if (drives_several_gpus(comm, process)) return true;
    const bool local_links = has_transport(comm, "SHM");
    // In an excerpt, the lines of one rank may show the settings, and the lines of another rank the connections.
    for (const Rank& rank : comm.ranks)
      if ((rank.process == process && (rank.local_ranks > 1 || local_links)) ||
          (local_links && comm.inferred && share_host_name(model, rank.process, process)))
        return true;
    // If SHM is switched off too, NCCL counts each rank as a node. Then only the host name shows that ranks share a
    // host.
    for (std::size_t r = 1; r < comm.ranks.size(); ++r)
      if ((comm.ranks[r].process == process || comm.ranks[r - 1].process == process) &&
          same_host(model, comm.ranks[r - 1], comm.ranks[r]))
        return true;
  }
  return false;
}

bool shows_nvlink(const Process& process) {
  return process.nvlink || process.nvls == 1 || has_nvlink(process.platform);
}

void add_disabled_by_setting(const Model& model, RuleResult& result) {
  Finding finding;
  std::set<std::string> settings;
  std::vector<Index> processes;
  for (const Process& process : model.processes) {
    const std::string_view variable = p2p_off_by(process);
    if (variable.empty()) continue;
    // By default, NCCL uses no P2P between GPUs that are far apart on PCIe, so the setting changes nothing for them.
    // GPUs with NVLink only appear far apart, because the setting hides NVLink.
    const bool far = one_of(process.worst_path, {"PHB", "SYS"}) && !shows_nvlink(process);
    const Index index = index_of(model, process);
    if (far || !has_local_peers(model, index)) continue;
    const EnvValue& set = *setting(process, variable);
    settings.insert(concat(variable, "=", excerpt(set.value, 20)));
    finding.values = {{"var", std::string(variable)}, {"value", excerpt(set.value, 20)}};
    processes.push_back(index);
    finding.evidence.add(set.at);
  }
  if (finding.evidence.count == 0) return;
  set_scope(model, std::move(processes), finding);
  const std::vector<std::string> names(settings.begin(), settings.end());
  finding.message = concat(list_text(names),
                           " switches direct GPU-to-GPU traffic off inside the host: NVLink and PCIe P2P "
                           "are not used by ",
                           finding.ranks.empty() ? std::string("these processes") : ranks_text(finding.ranks));
  finding.own_stage = Stage::performance;
  result.findings.push_back(std::move(finding));
}

}  // namespace

RuleResult check(const Model& model) {
  RuleResult result{incident_findings(model, {IncidentKind::p2p_disabled_nvlink}, [](const Incident& incident) {
    const auto& event = incident.event.as<P2pUnusable>();
    return concat("The driver reports P2P as disabled between GPUs that NVLink joins (", event.gpu, " and ",
                  event.other_gpu, ")", warns(incident.level) ? "; NCCL refuses to go on" : "");
  })};
  add_disabled_by_setting(model, result);
  return result;
}

}  // namespace nccl_analyze::nca403
