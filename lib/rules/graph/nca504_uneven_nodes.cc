// NCA504 reports nodes of one job with different numbers of ranks: NCCL then has fewer algorithms to choose from.

#include <algorithm>
#include <map>

#include "nccl_analyze/rule.h"
#include "queries/places.h"
#include "rules/findings.h"
#include "text/message_text.h"

namespace nccl_analyze::nca504 {

namespace {

/// Returns the indexes of nodes, keyed by the number of ranks per node; empty if the size of any node is uncertain.
std::map<int, std::vector<Index>> sizes_of(const Communicator& comm) {
  std::map<int, std::vector<Index>> sizes;
  for (const Node& node : comm.nodes) {
    if (node.inferred || node.local_ranks < 1) return {};
    sizes[node.local_ranks].push_back(static_cast<Index>(&node - comm.nodes.data()));
  }
  return sizes;
}

}  // namespace

RuleResult check(const Model& model) {
  return {each_communicator(model, [&](const Communicator& comm, Finding& finding) -> std::string {
    // A child communicator may be uneven by design.
    if (comm.inferred || comm.parent >= 0) return {};
    const auto sizes = sizes_of(comm);
    if (sizes.size() < 2) return {};
    std::vector<std::string> groups;
    for (const auto& [ranks, nodes] : sizes) {
      groups.push_back(
          concat(count_text(nodes.size(), "node"), " with ", count_text(static_cast<std::size_t>(ranks), "rank")));
      // The host and the first line of the node's first rank stand for the node.
      if (const auto rank = std::ranges::find(comm.ranks, nodes.front(), &Rank::node); rank != comm.ranks.end()) {
        groups.back() += concat(" (", rank_and_process_text(model, rank->process), ")");
        finding.evidence.add(rank->started_at);
        finding.ranks.push_back(rank->rank);
        finding.processes.push_back(rank->process);
      }
    }
    return concat("The nodes of the job are not alike: ", list_text(groups));
  })};
}

}  // namespace nccl_analyze::nca504
