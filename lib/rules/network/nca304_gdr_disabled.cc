// NCA304 reports RDMA networks without GPUDirect RDMA, where data is copied through host memory.

#include <algorithm>
#include <array>
#include <map>
#include <utility>

#include "model/versions.h"
#include "nccl_analyze/events/ofi.h"
#include "nccl_analyze/rule.h"
#include "nccl_analyze/rule_parts.h"
#include "queries/gdr.h"
#include "queries/gpu_products.h"
#include "queries/hosts.h"
#include "queries/machine_values.h"
#include "queries/network.h"
#include "queries/nvlink.h"
#include "queries/platform.h"
#include "queries/ranks.h"
#include "queries/settings.h"
#include "rules/findings.h"
#include "rules/support/rdma_findings.h"
#include "text/message_text.h"
#include "text/search.h"

namespace nccl_analyze::nca304 {

namespace {

/// Whether the instance type supports GPUDirect RDMA over EFA. These are the types on which aws-ofi-nccl refuses to
/// start without it.
bool has_gdr(std::string_view platform) {
  if (platform == "p5.4xlarge") return false;
  constexpr std::array<std::string_view, 6> families = {"p4d",          "p5",           "p6",
                                                        "g7e.12xlarge", "g7e.24xlarge", "g7e.48xlarge"};
  return std::ranges::any_of(families, [&](std::string_view family) { return platform.starts_with(family); });
}

/// Whether the process's network, by its name, can do GPUDirect RDMA. For Libfabric, the instance type decides.
bool uses_rdma(const Process& process) {
  if (uses_libfabric(process))
    return !uses_socket_provider(process) && (process.platform.empty() || has_gdr(process.platform));
  return process.network.view().starts_with("IB") || process.network.view().starts_with("UCX") ||
         process.network == "gIB";
}

/// Whether the communicator may span hosts. If NCCL does not print the number of nodes (before 2.20.3), more ranks than
/// a host has GPUs, some of them without a log here, count as several hosts. The size of an inferred communicator is
/// unknown, so it may span hosts unless the input disproves that.
bool may_span_hosts(const Model& model, const Communicator& comm) {
  constexpr int most_gpus = 8;
  const Proof proof = spans_hosts(model, comm);
  if (comm.inferred) return proof != Proof::disproven;
  return proof == Proof::proven ||
         (comm.nnodes < 0 && comm.nranks > most_gpus && static_cast<int>(comm.ranks.size()) < comm.nranks);
}

/// Number of receiving ends of a process's connections, in total and with GPUDirect RDMA. Sending ends are not counted:
/// even if GPUDirect RDMA works, a send uses it only if the GPU is fast to read over PCIe.
struct Ends {
  std::uint64_t all = 0, direct = 0;
};

/// Whether all GPUs that the input names are GB10, which have no GPUDirect RDMA.
bool has_only_gb10(const Model& model) {
  const std::vector<std::string_view> products = gpu_products(model);
  return !products.empty() &&
         std::ranges::all_of(products, [](std::string_view product) { return contains(product, "GB10"); });
}

/// Returns the ends of each process.
Table<Ends> receiving_ends(const Model& model) {
  Table<Ends> ends(model.processes.size());
  for (const Communicator& comm : model.communicators) {
    for (const ConnectionGroup& group : comm.connections.groups()) {
      if (!group.receive || group.transport >= comm.transports.size()) continue;
      const std::string_view transport = comm.transports[group.transport];
      if (!transport.starts_with("NET/") || transport == "NET/Socket" || is_google_network(transport.substr(4)))
        continue;
      const Rank* rank = find_rank(comm, group.to);
      if (rank == nullptr || rank->process < 0) continue;
      Ends& of_process = ends[rank->process];
      ++of_process.all;
      of_process.direct += group.gdrdma ? 1 : 0;
    }
  }
  return ends;
}

/// Whether the process's first line about a NIC without GPUDirect RDMA names this network: `NET/Libfabric : GPU Direct
/// RDMA …`.
bool is_told_by(const Model& model, const Process& process, std::string_view network) {
  const std::vector<LineRef>& lines = process.gdr().unable_nics.lines;
  return !lines.empty() && contains(model.quote(lines.front()), network);
}

struct Group : ProcessGroup {
  std::string_view kind;  ///< GdrReason::kind
  std::string network;
  bool is_libfabric = false, is_omni_path = false;
  /// Whether a process uses Libfabric on an unknown instance type; many types have no GPUDirect RDMA.
  bool may_lack_it = false;
  std::string instance;  ///< `p5.48xlarge has`, for the message, if the type has GPUDirect RDMA over EFA; else empty.
};

/// Returns the kind of network, as in the rule's document, if the network does not use nvidia-peermem; else empty.
std::string_view fabric_of(const Model& model, const Group& group) {
  if (group.is_omni_path) return "omni-path";
  if (uses_efa(model, group.processes) || (group.is_libfabric && is_on_aws(model, group.processes))) return "efa";
  return group.is_libfabric ? "libfabric" : std::string_view{};
}

void add_evidence(const Process& process, const GdrReason& reason, Group& group) {
  if (const EnvValue* level = gdr_level_setting(process); level != nullptr && reason.kind == "setting")
    group.evidence.add(level->at);
  if (process.gdr().able_nics == 0) group.evidence.add(process.gdr().unable_nics);
  if (process.gdr().enabled == 0) group.evidence.add(process.gdr().disabled);
  add_line(group.evidence, process.platform_at);
}

/// Whether the connections prove A100s with NVLink, which on AWS only p4d and p4de have.
bool has_linked_a100(const Model& model, const Communicator& comm) {
  const auto groups = comm.connections.groups();
  return std::ranges::any_of(groups, [](const ConnectionGroup& group) { return group.read; }) &&
         read_proves_nvlink(model, comm);
}

/// Adds lines of network connections, which show that GDRDMA is missing, and P2P lines that prove A100s.
void add_connections(const Model& model, Group& group) {
  for (const Communicator& comm : model.communicators)
    for (std::size_t t = 0; t < comm.transports.size() && t < comm.transport_evidence.size(); ++t)
      if ((comm.transports[t].starts_with("NET/") && comm.transports[t] != "NET/Socket") ||
          (comm.transports[t].starts_with("P2P/") && has_linked_a100(model, comm)))
        group.evidence.add(comm.transport_evidence[t]);
}

/// Whether connections use the RDMA network that one of the ranks prints. If so, all ranks of the communicator use it.
bool connects_as_named(const Model& model, const Communicator& comm) {
  return std::ranges::any_of(comm.ranks, [&](const Rank& rank) {
    const Process* const process = process_of(model, rank.process);
    return process != nullptr && uses_rdma(*process) && has_transport(comm, concat("NET/", process->network));
  });
}

/// Returns the processes that exchange data with other hosts over RDMA. In an excerpt that shows neither the network
/// nor the hosts, processes that may do so are included.
std::vector<Index> rdma_processes(const Model& model, const JobHostSpans& spans) {
  std::vector<Index> found;
  const bool a100 =
      std::ranges::any_of(model.communicators, [&](const Communicator& comm) { return has_linked_a100(model, comm); });
  for (const Communicator& comm : model.communicators) {
    if (!may_span_hosts(model, comm)) continue;
    // If the line `Using network` is missing, connections prove an RDMA network: InfiniBand, or EFA if the GPUs are
    // A100s of p4d.
    const bool shown = has_transport(comm, "NET/IB") || (a100 && has_transport(comm, "NET/AWS Libfabric")) ||
                       connects_as_named(model, comm);
    for (const auto& [rank, process] : known_ranks(model, comm)) {
      const bool tried = process.gdr().disabled.count > 0;  // NCCL tests the distance only if the NIC supports GDR
      if (uses_rdma(process) || (process.network.empty() && (tried || shown))) found.push_back(rank.process);
    }
  }
  for (const Process& process : model.processes) {
    const bool refused = process.gdr().able_nics == 0 && process.gdr().unable_nics.count > 0;
    if (refused && (process.network.empty() || uses_rdma(process)) &&
        spans.of(index_of(model, process)) != Proof::disproven)
      found.push_back(index_of(model, process));
  }
  std::ranges::sort(found);
  found.erase(std::unique(found.begin(), found.end()), found.end());
  return found;
}

std::string message_of(const std::string& reason, const Group& group, bool others_use_it, const Finding& finding) {
  const bool are_many = finding.ranks.size() > 1 || finding.processes.size() > 1;
  return concat(who_text(finding), are_many ? " use " : " uses ",
                group.network.empty() ? std::string(are_many ? "their network" : "its network")
                                      : concat("the network ", group.network),
                " without GPUDirect RDMA: ", reason, others_use_it ? "; other ranks of the job use it" : "");
}

/// Reports that aws-ofi-nccl refused to start because GPUDirect RDMA failed on an instance type that supports it.
void add_refusals(const Model& model, RuleResult& result) {
  for (Finding& finding : incident_findings(model, {IncidentKind::gdr_disabled}, [](const Incident& incident) {
         const std::string_view platform = incident.event.as<OfiGdrDisabled>().platform;
         return concat("aws-ofi-nccl gives up: GPUDirect RDMA does not work on ",
                       platform.empty() ? std::string("this instance") : excerpt(platform, 40), ", which has it");
       })) {
    finding.own_severity = Severity::error;
    finding.own_stage = Stage::setup;
    result.findings.push_back(std::move(finding));
  }
}

/// Whether connections show Libfabric, for excerpts without the line `Using network`.
bool connects_over_libfabric(const Model& model, Index process) {
  const Index index = first_communicator_of(model, process);
  if (index < 0) return false;
  const Communicator& comm = model.communicators[index];
  return has_transport(comm, "NET/AWS Libfabric") || has_transport(comm, "NET/Libfabric");
}

void describe(const Model& model, Index index, Group& group) {
  const Process& process = model.processes[index];
  const Index comm = first_communicator_of(model, index);
  group.is_omni_path |= uses_omni_path(process);
  group.is_libfabric |= uses_libfabric(process) || connects_over_libfabric(model, index) ||
                        (process.network.empty() && is_told_by(model, process, "Libfabric"));
  if (!group.is_libfabric) return;
  if (has_gdr(process.platform))
    group.instance = concat(excerpt(process.platform, 40), " has");
  else if (comm >= 0 && has_linked_a100(model, model.communicators[comm]))
    group.instance = "p4d and p4de, the types with A100s joined by NVLink, have";
  else
    group.may_lack_it = true;
}

/// Adds whether the input shows the kernel's module on the hosts of the finding: as the value `module`, `missing` where
/// a host lacks it, else `loaded`.
void add_module(const Model& model, Finding& finding) {
  const std::vector<ShownValue> shown = values_about(model, finding.processes, "nvidia_peermem");
  if (shown.empty()) return;
  const auto is_missing = [](const ShownValue& one) { return one.value->number == 0; };
  const auto missing = std::ranges::find_if(shown, is_missing);
  const bool is_loaded = missing == shown.end();
  finding.message += is_loaded ? "; the module nvidia-peermem is loaded (`lsmod`)"
                               : "; the module nvidia-peermem is not loaded (`lsmod`)";
  finding.values.emplace_back("module", is_loaded ? "loaded" : "missing");
  add_line(finding.evidence, (is_loaded ? shown.front() : *missing).value->at);
}

Finding finding_on(const Model& model, const JobHostSpans& spans, const std::string& reason, Group& group, bool used) {
  if (group.evidence.count == 0) add_connections(model, group);
  Finding finding = finding_of(model, {}, ProcessGroup(group));
  finding.message = message_of(reason, group, used, finding);
  if (group.kind == "setting" || group.may_lack_it) finding.own_severity = Severity::info;
  if (spans.of(finding.processes) == Proof::open) finding.message += if_it_spans_hosts;
  if (group.may_lack_it) finding.message += ". Many instance types have none over EFA (p4d, p5 and p6 have it)";
  if (!group.may_lack_it && !group.instance.empty()) finding.message += concat("; ", group.instance, " it over EFA");
  finding.values = {{"reason", std::string(group.kind)}, {"fabric", std::string(fabric_of(model, group))}};
  if (group.may_lack_it) finding.values.push_back({"instance", "unknown"});
  if (group.kind == "nic" || group.kind == "unknown") add_module(model, finding);
  return finding;
}

/// Whether NCCL connects at the first collective, as it does since 2.22, and not in the initialisation. True if no
/// process prints an older version.
bool connects_late(const Model& model) {
  return std::ranges::none_of(model.processes, [](const Process& process) {
    return !process.version.empty() && lower_version(process.version.view(), "2.22");
  });
}

}  // namespace

RuleResult check(const Model& model) {
  RuleResult result;
  add_refusals(model, result);
  if (!result.findings.empty() || has_only_gb10(model)) return result;
  const JobHostSpans spans(model);
  const std::vector<Index> processes = rdma_processes(model, spans);
  const Table<Ends> ends = receiving_ends(model);
  std::map<std::string, Group> groups;
  bool used = false;
  for (const Index index : processes) {
    const Ends own = ends[index];
    used |= own.direct > 0;
    const Process& process = model.processes[index];
    const GdrReason reason = own.direct > 0 ? GdrReason{} : gdr_reason(model, process, own.all > 0);
    if (reason.text.empty()) continue;
    Group& group = groups[reason.text];
    group.processes.push_back(index);
    group.kind = reason.kind;
    if (!process.network.empty()) group.network = excerpt(process.network, 40);
    describe(model, index, group);
    add_evidence(process, reason, group);
  }
  for (auto& [reason, group] : groups) result.findings.push_back(finding_on(model, spans, reason, group, used));
  if (groups.empty() && !processes.empty() && !used)
    result.not_evaluated.push_back(
        {{},
         "no connection could be placed between two nodes",
         connects_late(model) ? "NCCL_DEBUG=INFO NCCL_DEBUG_SUBSYS=INIT,NET,GRAPH and a log up to the first collective"
                              : "NCCL_DEBUG=INFO NCCL_DEBUG_SUBSYS=INIT,NET,GRAPH and a log up to Init COMPLETE"});
  return result;
}

}  // namespace nccl_analyze::nca304
