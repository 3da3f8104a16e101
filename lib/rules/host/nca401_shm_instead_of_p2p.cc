// NCA401 reports ranks of one host that exchange data through host memory although P2P could work between their GPUs.

#include <algorithm>
#include <map>
#include <set>
#include <string_view>
#include <utility>

#include "nccl_analyze/rule.h"
#include "nccl_analyze/rule_parts.h"
#include "queries/gpu_products.h"
#include "queries/hosts.h"
#include "queries/machines.h"
#include "queries/nvlink.h"
#include "queries/ranks.h"
#include "queries/settings.h"
#include "rules/findings.h"
#include "text/message_text.h"
#include "text/search.h"

namespace nccl_analyze::nca401 {

namespace {

/// Whether the path goes through a CPU. NCCL then uses SHM by design on many machines: since 2.23 on nearly all, and in
/// 2.9 to 2.22 on Intel CPUs.
bool is_far(std::string_view path) { return one_of(path, {"PHB", "SYS"}); }

/// Describes what proves NVLink between the GPUs: NVLS, a topology dump, an instance type with NVLink, or `/read`
/// between A100s; empty when the log proves none.
std::string nvlink_evidence(const Model& model, const Communicator& comm, const Process& process) {
  if (process.nvls == 1) return "NVLS multicast is available, so NVSwitch joins them";
  if (process.nvlink) return "the topology shows NVLink";
  if (has_nvlink(process.platform)) return concat("instances of type ", excerpt(process.platform, 40), " have NVLink");
  if (std::ranges::any_of(comm.connections.groups(), &ConnectionGroup::read) && read_proves_nvlink(model, comm))
    return "other pairs of GPUs show /read, which A100s joined by NVLink do";
  return {};
}

/// Whether all GPUs that the input names are GeForce cards: their driver offers P2P over NVLink bridges alone.
bool has_only_geforce(const Model& model) {
  const std::vector<std::string_view> products = gpu_products(model);
  return !products.empty() &&
         std::ranges::all_of(products, [](std::string_view product) { return contains(product, "GeForce"); });
}

/// The reason why NCCL should use P2P. `text` is empty if there is none.
struct Reason {
  std::string text;
  std::string_view why;    ///< `nvlink`, `pcie` or `level`, for the conditions of the steps.
  std::string level = {};  ///< The value of NCCL_P2P_LEVEL.
};

/// Returns the reason why NCCL should use P2P here. Sets `needs_topology` if only a topology dump could give one.
/// `shown`: the proof of NVLink between the GPUs by a document about the machine.
Reason expectation(const Model& model, const Communicator& comm, const Process& process, const NvlinkShown& shown,
                   bool& needs_topology) {
  if (!p2p_off_by(process).empty()) return {};  // NCA403 reports the setting.
  if (std::string nvlink = nvlink_evidence(model, comm, process); !nvlink.empty() && !is_far(process.worst_path))
    return {std::move(nvlink), "nvlink"};
  if (is_far(process.worst_path)) return {};
  const bool offers_nothing = !process.worst_path.empty() && has_only_geforce(model);
  if (!process.worst_path.empty() && !offers_nothing)
    return {concat("the worst path between them is ", process.worst_path), "pcie"};
  if (const EnvValue* level = setting(process, "NCCL_P2P_LEVEL"); level != nullptr && !offers_nothing)
    return {concat("NCCL_P2P_LEVEL=", excerpt(level->value, 20), " limits P2P"), "level", excerpt(level->value, 20)};
  if (shown) return {shown.text, "nvlink"};
  needs_topology = true;
  return {};
}

/// Whether the process runs on the host of a rank of the communicator.
bool is_beside(const Model& model, const Communicator& comm, Index process) {
  return std::ranges::any_of(comm.ranks,
                             [&](const Rank& rank) { return share_host_name(model, rank.process, process); });
}

/// Whether the driver refuses P2P between GPUs on PCIe, which is normal on many machines without NVLink.
bool is_refused(const Model& model, const Communicator& comm) {
  return std::ranges::any_of(model.incidents, [&](const Incident& incident) {
    return incident.kind == IncidentKind::p2p_disabled_pcie && is_beside(model, comm, incident.process);
  });
}

/// Returns the hosts on which a setting switches P2P off, by source and name.
using Hosts = std::set<std::pair<SourceId, std::string_view>>;

Hosts hosts_without_p2p(const Model& model) {
  Hosts hosts;
  for (const Process& process : model.processes)
    if (!p2p_off_by(process).empty()) hosts.emplace(process.source, process.host.view());
  return hosts;
}

bool is_switched_off(const Model& model, const Hosts& hosts, const Communicator& comm) {
  return !hosts.empty() && std::ranges::any_of(comm.ranks, [&](const Rank& rank) {
    const Process* const process = process_of(model, rank.process);
    return process != nullptr && hosts.contains({process->source, process->host.view()});
  });
}

/// Returns the pairs of sender and receiver with a connection over a transport whose name begins with `transport`.
std::vector<std::pair<int, int>> pairs_over(const Communicator& comm, std::string_view transport) {
  std::set<std::pair<int, int>> pairs;
  comm.connections.each_bundle([&](const ConnectionBundle& link) {
    if (link.transport < comm.transports.size() && comm.transports[link.transport].starts_with(transport))
      pairs.insert({link.from, link.to});
  });
  return {pairs.begin(), pairs.end()};
}

std::vector<int> ranks_in(const std::vector<std::pair<int, int>>& pairs) {
  std::set<int> ranks;
  for (const auto& [from, to] : pairs) ranks.insert({from, to});
  return {ranks.begin(), ranks.end()};
}

/// The pairs of ranks that use SHM and those that use P2P, if every rank that uses SHM also uses P2P with some rank.
/// For GPUs with NVLink, no setting explains such a mixture: a level that admits P2P somewhere admits it over NVLink
/// everywhere.
struct MixedPairs {
  std::set<std::pair<int, int>> shm, p2p;  ///< The lower rank first. Empty if a rank uses only SHM.
};

MixedPairs mixed_pairs(const Communicator& comm, const std::vector<int>& ranks) {
  MixedPairs pairs;
  for (const auto& [from, to] : pairs_over(comm, "SHM")) pairs.shm.insert(std::minmax(from, to));
  const std::vector<std::pair<int, int>> direct = pairs_over(comm, "P2P");
  for (const auto& [from, to] : direct) pairs.p2p.insert(std::minmax(from, to));
  const std::vector<int> others = ranks_in(direct);
  return !ranks.empty() && std::ranges::includes(others, ranks) ? pairs : MixedPairs{};
}

Evidence shm_evidence(const Communicator& comm) {
  for (std::size_t t = 0; t < comm.transports.size(); ++t)
    if (comm.transports[t] == "SHM" && t < comm.transport_evidence.size()) return comm.transport_evidence[t];
  return evidence_at(comm.first);
}

/// Adds to the finding that a document about the machine proves NVLink, which rules out the hardware as the cause.
void add_shown(const NvlinkShown& shown, Finding& finding) {
  if (finding.message.find(shown.text) == std::string::npos) finding.message += concat("; ", shown.text);
  finding.message += ", so that a setting, the driver or the container is the reason and not the hardware";
  if (std::ranges::find(finding.values, "why", &std::pair<std::string_view, std::string>::first) ==
      finding.values.end())
    finding.values.emplace_back("why", "nvlink");
  add_line(finding.evidence, shown.at);
}

/// Returns ` in 2 of 4 pairs (0 with 3 and 1 with 2)`; empty if `pairs` is empty.
std::string pairs_text(const MixedPairs& pairs) {
  if (pairs.shm.empty()) return {};
  std::vector<std::string> names;
  for (const auto& [one, other] : pairs.shm) names.push_back(concat(one, " with ", other));
  return concat(" in ", pairs.shm.size(), " of ", pairs.shm.size() + pairs.p2p.size(), " pairs (", list_text(names),
                ")");
}

std::string shm_text(const std::vector<int>& ranks, const std::string& pairs) {
  return concat(capitalized(ranks_text(ranks)), " exchange data through host memory (SHM) instead of GPU to GPU",
                pairs);
}

/// Returns the first reason that a process of the communicator gives to expect P2P.
Reason reason_of(const Model& model, const Communicator& comm, const NvlinkShown& shown, bool& needs_topology) {
  for (const Rank& rank : comm.ranks) {
    const Process* const process = process_of(model, rank.process);
    Reason reason = process == nullptr ? Reason{} : expectation(model, comm, *process, shown, needs_topology);
    if (!reason.text.empty()) return reason;
  }
  return {};
}

/// SHM connections of processes whose log has no head. The model then has a communicator for each GPU of a process,
/// although these may all be the same communicator.
struct Excerpt {
  std::set<int> ranks;
  MixedPairs mixed;
  std::vector<Index> communicators;
  Evidence evidence;
  NvlinkShown shown;
};

/// Excerpts, keyed by the processes that print the connections.
using Excerpts = std::map<std::set<Index>, Excerpt>;

void add_excerpt(const Communicator& comm, Index index, const std::vector<int>& ranks, const NvlinkShown& shown,
                 Excerpts& excerpts) {
  std::set<Index> processes;
  for (const Rank& rank : comm.ranks) processes.insert(rank.process);
  Excerpt& excerpt = excerpts[processes];
  excerpt.ranks.insert(ranks.begin(), ranks.end());
  excerpt.mixed = mixed_pairs(comm, ranks);
  excerpt.communicators.push_back(index);
  excerpt.evidence.add(shm_evidence(comm));
  if (shown) excerpt.shown = shown;
}

/// Adds a note if a line of vLLM states that P2P between the GPUs does not work, because this explains why ranks use
/// SHM. Returns whether there is such a line.
bool add_refusal(const Model& model, RuleResult& result) {
  const auto said = std::ranges::find_if(model.incidents, [](const Incident& incident) {
    return incident.kind == IncidentKind::phrase_seen && incident.topic == "shm-instead-of-p2p";
  });
  if (said == model.incidents.end()) return false;
  Finding& finding = result.findings.emplace_back();
  finding.message =
      "A program of this input says that P2P between the GPUs does not work; ranks of one host then exchange data "
      "through host memory (SHM)";
  finding.survived = true;
  finding.own_severity = Severity::info;
  claim(model, *said, finding);
  set_scope(model, {said->process}, finding);
  return true;
}

/// Whether a message of one of the processes says that P2P between two GPUs cannot be enabled (NCCL 2.4 to 2.11).
bool is_not_enabled(const Model& model, const std::set<Index>& processes) {
  return std::ranges::any_of(model.incidents, [&](const Incident& incident) {
    return contains(incident.message, "Could not enable P2P") && processes.contains(incident.process);
  });
}

void report_excerpts(const Model& model, const Excerpts& excerpts, RuleResult& result) {
  const bool is_refused = add_refusal(model, result);
  for (const auto& [processes, excerpt] : excerpts) {
    if (is_refused && !excerpt.shown) continue;
    // Each communicator numbers its ranks itself, so pairs of several communicators cannot be combined.
    const MixedPairs mixed = excerpt.communicators.size() == 1 ? excerpt.mixed : MixedPairs{};
    Finding& finding = result.findings.emplace_back();
    finding.evidence = excerpt.evidence;
    finding.communicators = excerpt.communicators;
    finding.ranks.assign(excerpt.ranks.begin(), excerpt.ranks.end());
    finding.message = concat(
        shm_text(finding.ranks, pairs_text(mixed)),
        is_not_enabled(model, processes)
            ? "; NCCL says that it could not enable P2P between GPUs of this host"
            : ". Why cannot be said: the lines that tell (settings NCCL_P2P_..., P2P is disabled, topology) are not in "
              "this input");
    if (!mixed.shm.empty()) finding.values.emplace_back("p2p", "elsewhere");
    if (excerpt.shown)
      add_shown(excerpt.shown, finding);
    else
      finding.values.emplace_back("proof", "open");
  }
}

}  // namespace

RuleResult check(const Model& model) {
  RuleResult result;
  const MachinesByHost machines(model);
  bool needs_topology = false;
  const bool is_geforce = has_only_geforce(model);
  const Hosts hosts = hosts_without_p2p(model);
  Excerpts excerpts;
  for (const Communicator& comm : model.communicators) {
    if (comm.parent >= 0 || !has_transport(comm, "SHM")) continue;
    if (comm.inferred && is_switched_off(model, hosts, comm)) continue;  // NCA403 reports the setting.
    if (comm.inferred && (is_geforce || is_refused(model, comm))) {
      needs_topology = true;
      continue;
    }
    const std::vector<std::pair<int, int>> pairs = pairs_over(comm, "SHM");
    const std::vector<int> ranks = ranks_in(pairs);
    const NvlinkShown shown = nvlink_between(model, machines, comm, pairs);
    if (comm.inferred) {
      add_excerpt(comm, index_of(model, comm), ranks, shown, excerpts);
      continue;
    }
    const Reason reason = reason_of(model, comm, shown, needs_topology);
    if (reason.text.empty()) continue;
    Finding& finding = result.findings.emplace_back();
    finding.message = concat(shm_text(ranks, pairs_text(mixed_pairs(comm, ranks))), ": ", reason.text);
    finding.values = {{"why", std::string(reason.why)}, {"value", reason.level}};
    finding.evidence = shm_evidence(comm);
    if (shown) add_shown(shown, finding);
    finding.communicators = {index_of(model, comm)};
    finding.ranks = ranks;
  }
  report_excerpts(model, excerpts, result);
  if (needs_topology && result.findings.empty())
    result.not_evaluated.push_back({"",
                                    "ranks of one host use SHM; the log does not show whether NVLink or a common PCIe "
                                    "switch joins their GPUs, so it may be the design of the machine",
                                    "NCCL_DEBUG=INFO NCCL_DEBUG_SUBSYS=INIT,ENV,GRAPH"});
  return result;
}

}  // namespace nccl_analyze::nca401
