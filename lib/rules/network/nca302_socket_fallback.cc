// NCA302 reports nodes that exchange data over TCP sockets although a faster network is available or requested.

#include <algorithm>
#include <utility>

#include "nccl_analyze/rule.h"
#include "nccl_analyze/rule_parts.h"
#include "queries/hosts.h"
#include "queries/machines.h"
#include "queries/network.h"
#include "queries/settings.h"
#include "rules/findings.h"
#include "rules/support/pods.h"
#include "text/message_text.h"
#include "text/search.h"

namespace nccl_analyze::nca302 {

namespace {

/// Adds to the finding that the manifest of a pod requests no RDMA device. Adds nothing if a process lists RDMA
/// adapters, because its pod then has the devices.
void add_manifest(const Model& model, Finding& finding) {
  if (std::ranges::none_of(finding.processes, [&](Index index) { return has_adapter(model.processes[index]); }))
    add_lack(lacks_device(model, finding.processes), finding);
}

/// Describes the RDMA NICs that another tool shows on the host of a process for which NCCL finds none, and adds a line
/// of the tool to `evidence`. Empty if there are none.
std::string nics_of_host(const MachinesByHost& machines, const Process& process, Evidence& evidence) {
  if (!process.ib_absent) return {};
  for (const Machine* const machine : machines.of(process.host_index)) {
    std::vector<std::string> names;
    for (const MachineNic& nic : machine->nics) {
      if (!is_usable(nic)) continue;
      if (names.empty()) add_line(evidence, nic.at);
      add_once(names, excerpt(nic.name, 40));
    }
    if (!names.empty())
      return concat(tool_text(*machine), " shows ", count_text(names.size(), "RDMA NIC"), " (", list_text(names),
                    ") in the host, and NCCL finds none: they are not in the container");
  }
  return {};
}

/// Describes what shows that a faster network is available or requested; empty if nothing does.
std::string faster_network(const Process& process) {
  if (network_asked_for(process) == "Socket") return {};
  if (!network_asked_for(process).empty())
    return concat("NCCL_NET=", excerpt(network_asked_for(process), 40), " asks for another network");
  if (has_adapter(process) && !switched_on(process, "NCCL_IB_DISABLE"))
    return concat("the host has RDMA adapters (", excerpt(process.ib_devices, 80), ")");
  if (!process.platform.empty())
    return concat("aws-ofi-nccl is installed (its tuner reports the instance type ", excerpt(process.platform, 40),
                  ")");
  return {};
}

/// The reason why a process should not use sockets, and the line of a manifest that shows the reason.
struct Reason {
  std::string text;
  LineRef manifest;
};

/// Returns as a reason that the manifest of a pod requests an RDMA device although NCCL finds none; empty if it does
/// not. The node has the device, because Kubernetes starts the pod on no other node.
Reason device_of_pod(const Model& model, Index index) {
  const PodRequest request = model.processes[index].ib_absent ? rdma_request(model, index) : PodRequest{};
  if (request.resource.empty()) return {};
  return {concat("the manifest of the pod asks for ", excerpt(request.resource, 60),
                 request.is_efa ? ", and NCCL uses no plugin for EFA (aws-ofi-nccl)"
                                : ", and NCCL finds no RDMA NIC in the container: look for the device there, and for "
                                  "the libraries in its image (rdma-core)"),
          request.at};
}

Reason reason_of(const Model& model, const MachinesByHost& machines, Index index, Evidence& evidence) {
  const Process& process = model.processes[index];
  Reason reason{faster_network(process), {}};
  if (!reason.text.empty() || switched_on(process, "NCCL_IB_DISABLE") || !network_asked_for(process).empty())
    return reason;
  reason.text = nics_of_host(machines, process, evidence);
  return reason.text.empty() ? device_of_pod(model, index) : reason;
}

/// Reports processes that use Libfabric over its provider for TCP or UDP, unless the job runs on one host.
void add_socket_providers(const Model& model, const JobHostSpans& spans, RuleResult& result) {
  const auto judge = [&](Index index, const Process& process, ProcessGroup& group) -> std::string {
    const Proof proof = spans.of(index);
    if (!uses_socket_provider(process) || proof == Proof::disproven) return {};
    for (const Plugin& plugin : process.plugins)
      if (plugin.version.view().find("provider ") != std::string_view::npos) group.evidence.add(plugin.evidence);
    add_line(group.evidence, process.network_at);
    return concat("Libfabric uses the provider ", excerpt(libfabric_provider(process), 40),
                  ", which sends over sockets: no EFA or other fast network is used",
                  proof == Proof::open ? if_it_spans_hosts : "");
  };
  result.findings = each_process(model, judge);
  for (Finding& finding : result.findings) add_manifest(model, finding);
}

}  // namespace

RuleResult check(const Model& model) {
  RuleResult result;
  const JobHostSpans spans(model);
  add_socket_providers(model, spans, result);
  const MachinesByHost machines(model);
  append(
      result.findings, each_communicator(model, [&](const Communicator& comm, Finding& finding) -> std::string {
        if (comm.parent >= 0 || !uses_sockets(model, comm)) return {};
        std::vector<std::string> reasons;
        for (const auto& [rank, process] : known_ranks(model, comm)) {
          // NCA301 or NCA303 reports the cause; sockets are only its effect.
          if (unused_plugin(model, rank.process).fault != PluginFault::none || misses_infiniband(model, spans, process))
            return {};
          Reason reason = reason_of(model, machines, rank.process, finding.evidence);
          if (reason.text.empty()) continue;
          add_once(reasons, std::move(reason.text));
          add_line(finding.evidence, process.ib_at);
          add_line(finding.evidence, reason.manifest);
          add_line(finding.evidence, process.network_at);
          add_line(finding.evidence, process.platform_at);
          finding.processes.push_back(rank.process);
        }
        if (reasons.empty()) return {};
        add_transport(comm, "NET/Socket", finding.evidence);
        finding.ranks = logged_ranks(comm);
        const std::size_t nodes = node_count(model, comm);
        finding.message = concat("Traffic between ", nodes > 1 ? count_text(nodes, "node") : std::string("nodes"),
                                 " runs over TCP sockets, although ", list_text(reasons));
        add_manifest(model, finding);
        return std::move(finding.message);
      }));
  return result;
}

}  // namespace nccl_analyze::nca302
