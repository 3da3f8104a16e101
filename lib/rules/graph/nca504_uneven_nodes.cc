// NCA504 reports nodes of one job with different numbers of ranks: NCCL then has fewer algorithms to choose from.

#include <map>

#include "nccl_analyze/rule.h"
#include "queries/places.h"
#include "rules/findings.h"
#include "text/message_text.h"

namespace nccl_analyze::nca504 {

namespace {

/// Returns the indexes of nodes, keyed by the number of ranks per node; empty if the size of any node is uncertain.
std::map<int, std::vector<std::size_t>> sizes_of(const Communicator& comm) {
  std::map<int, std::vector<std::size_t>> sizes;
  for (std::size_t i = 0; i < comm.nodes.size(); ++i) {
    if (comm.nodes[i].inferred || comm.nodes[i].local_ranks < 1) return {};
    sizes[comm.nodes[i].local_ranks].push_back(i);
  }
  return sizes;
}

/// Returns the first rank of a node, whose host and first line represent the node in the finding; nullptr if there is
/// none.
const Rank* first_of(const Communicator& comm, std::size_t node) {
  for (const Rank& rank : comm.ranks)
    if (rank.node == static_cast<Index>(node)) return &rank;
  return nullptr;
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
      if (const Rank* rank = first_of(comm, nodes.front())) {
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
