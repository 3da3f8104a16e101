// NCA501 reports rings and trees whose neighbours, as the ranks printed them, contradict each other.

#include <set>
#include <utility>

#include "nccl_analyze/events/graph.h"
#include "nccl_analyze/rule.h"
#include "queries/completeness.h"
#include "rules/findings.h"
#include "text/message_text.h"

namespace nccl_analyze::nca501 {

namespace {

/// Returns the kind with its channels, such as `ring 3` or `rings 0-3`.
std::string named(GraphKind kind, const std::vector<int>& channels) {
  return concat(to_string(kind), channels.size() == 1 ? " " : "s ", rank_set(channels));
}

void add_finding(const Communicator& comm, Index index, GraphKind kind, std::vector<Finding>& found) {
  std::vector<int> channels;
  std::set<int> ranks;
  for (const Contradiction& one : comm.contradictions) {
    if (one.kind != kind) continue;
    channels.push_back(one.channel);
    ranks.insert(one.ranks.begin(), one.ranks.end());
  }
  if (channels.empty()) return;
  Finding finding;
  for (const Rank& rank : comm.ranks)
    if (const LineRef at = kind == GraphKind::ring ? rank.rings_at : rank.trees_at;
        at.line > 0 && (ranks.contains(rank.rank) || rank.rank == 0))
      finding.evidence.add(at);
  if (finding.evidence.count == 0) return;
  finding.ranks.assign(ranks.begin(), ranks.end());
  finding.communicators = {index};
  finding.message =
      concat("What ", ranks_text(finding.ranks), " printed of ", named(kind, channels), " does not fit together: ",
             kind == GraphKind::ring ? "no ring through all ranks has these neighbours"
                                     : "parents and children do not name each other");
  found.push_back(std::move(finding));
}

}  // namespace

RuleResult check(const Model& model) {
  RuleResult result{incident_findings(model, {IncidentKind::graph_broken}, [](const Incident& incident) {
    const int ring = incident.event.as<GraphBroken>().ring;
    return concat("NCCL found its own ", ring < 0 ? std::string("tree") : concat("ring ", ring), " broken and gave up");
  })};
  for (const Communicator& comm : model.communicators)
    if (!comm.contradictions.empty() && has_unambiguous_lines(model, comm))
      for (const GraphKind kind : {GraphKind::ring, GraphKind::tree})
        add_finding(comm, index_of(model, comm), kind, result.findings);
  return result;
}

}  // namespace nccl_analyze::nca501
