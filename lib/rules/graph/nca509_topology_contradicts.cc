// NCA509 reports detected topologies with different NVLink bandwidth in the two directions, which is impossible.

#include <algorithm>
#include <map>
#include <utility>

#include "nccl_analyze/rule.h"
#include "nccl_analyze/rule_parts.h"
#include "queries/machines.h"
#include "queries/nvlink.h"
#include "queries/settings.h"
#include "rules/findings.h"
#include "text/message_text.h"

namespace nccl_analyze::nca509 {

namespace {

/// Whether a process has its topology from a file.
bool have_topology_file(const Model& model, const std::vector<Index>& processes) {
  return std::ranges::any_of(processes,
                             [&](Index index) { return given(model.processes[index], "NCCL_TOPO_FILE") != nullptr; });
}

struct UnevenPairs {
  std::vector<std::string> texts;  ///< `GPU 17000 lists 4 links to GPU 65000, which lists 1 back`
  Evidence evidence;
};

/// Returns the pairs of GPUs of a topology file that list different numbers of NVLinks to each other.
UnevenPairs uneven_pairs(const Machine& machine) {
  struct Links {
    int count = 0;
    LineRef at;
  };
  std::map<std::pair<std::uint64_t, std::uint64_t>, Links> links;
  for (const MachineNvlink& one : machine.nvlinks) {
    if (one.to == 0) continue;
    Links& to = links[{one.from, one.to}];
    to = {to.count + one.links, one.at};
  }
  UnevenPairs uneven;
  for (const auto& [ends, one] : links) {
    const bool is_listed = std::ranges::find(machine.gpus, ends.second, &MachineGpu::bus_id) != machine.gpus.end();
    const auto back = links.find({ends.second, ends.first});
    const Links other = back == links.end() ? Links{} : back->second;
    if (!is_listed || one.count <= other.count) continue;
    uneven.texts.push_back(concat("GPU ", bus_id_text(ends.first), " lists ",
                                  count_text(static_cast<std::size_t>(one.count), "link"), " to GPU ",
                                  bus_id_text(ends.second), ", which lists ", other.count, " back"));
    add_line(uneven.evidence, one.at);
    add_line(uneven.evidence, other.at);
  }
  return uneven;
}

/// Reports topology files with fewer NVLinks in one direction than in the other. Skips incomplete files, and hosts that
/// check() reports or skips.
void add_files(const Model& model, RuleResult& result) {
  for (const Machine& machine : model.machines) {
    if (machine.host < 0 || !machine.complete || machine.several_hosts ||
        !asymmetric_nvlinks_text(model.hosts[machine.host]).empty())
      continue;
    UnevenPairs uneven = uneven_pairs(machine);
    std::vector<Index> processes = processes_on(model, machine.host);
    if (uneven.texts.empty() || have_topology_file(model, processes)) continue;
    Finding& finding = result.findings.emplace_back();
    set_scope(model, std::move(processes), finding);
    finding.message = concat("NVLink on ", machine_text(model, machine), " is not the same both ways in ",
                             tool_text(machine), ": ", list_text(uneven.texts));
    finding.evidence = std::move(uneven.evidence);
  }
}

}  // namespace

/// Reports hosts and then topology files. Skips hosts whose topology comes from a file, because NCA508 reports them.
RuleResult check(const Model& model) {
  RuleResult result;
  for (const Host& host : model.hosts) {
    const std::string links = asymmetric_nvlinks_text(host);
    if (links.empty()) continue;
    std::vector<Index> processes = processes_on(model, index_of(model, host));
    if (have_topology_file(model, processes)) continue;
    Finding& finding = result.findings.emplace_back();
    set_scope(model, std::move(processes), finding);
    finding.message = concat("NVLink on ", host_text(host), " is not equally fast both ways: ", links);
    finding.evidence = evidence_at(host.topology_at);
  }
  add_files(model, result);
  return result;
}

}  // namespace nccl_analyze::nca509
