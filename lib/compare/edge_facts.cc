// Facts of the connections of each rank, separately for connections inside a host and between hosts.

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "compare/collector.h"
#include "queries/hosts.h"
#include "queries/ranks.h"
#include "text/phrases.h"

namespace nccl_analyze {
namespace {

enum class Edge : std::uint8_t { unknown, inside, between };

/// The transports of one rank of the main communicator, from its connections in all communicators.
struct Ends {
  std::set<std::string, std::less<>> inside, between;
  /// Number of merged connections over the network to other hosts, and how many of them use GPUDirect RDMA.
  std::uint64_t over_network = 0, direct = 0;
  LineRef at;
};

/// Maps a rank of any communicator to the rank of the main communicator with the same process and GPU; -1 if there is
/// none.
class MainRanks {
 public:
  explicit MainRanks(const Communicator& main) {
    for (const Rank& rank : main.ranks) by_gpu_.try_emplace({rank.process, rank.cuda_dev}, rank.rank);
  }
  int of(const Rank& rank) const {
    const auto found = by_gpu_.find({rank.process, rank.cuda_dev});
    return found == by_gpu_.end() ? -1 : found->second;
  }

 private:
  std::map<std::pair<Index, int>, int> by_gpu_;
};

Edge edge_of(const Model& model, const Communicator& comm, const Rank* a, const Rank* b, bool is_network) {
  // Hosts are compared, not NCCL's nodes: if a setting splits a host into several nodes, the network transport between
  // these nodes is then reported as a transport inside a host.
  if (a != nullptr && b != nullptr) return same_host(model, *a, *b) ? Edge::inside : Edge::between;
  if (!is_network) return Edge::inside;
  return comm.nnodes == comm.nranks ? Edge::between : Edge::unknown;
}

void add_group(const ConnectionGroup& group, const std::string& transport, Edge edge, Ends& ends) {
  const bool is_network = transport.starts_with("NET/");
  std::string text = transport;
  if (group.read) text += "/read";
  if (is_network && group.proxy_rank >= 0) text += " over another GPU (PXN)";
  (edge == Edge::inside ? ends.inside : ends.between).insert(std::move(text));
  if (edge != Edge::between || !is_network) return;
  ++ends.over_network;
  ends.direct += group.gdrdma ? 1 : 0;
}

/// Merges the group at index `at` and the next groups with the same ranks and transport. A property of the result is
/// set if it is set in any of the groups. Sets `at` to the index after these groups.
ConnectionGroup both_ends(const std::vector<ConnectionGroup>& groups, std::size_t& at) {
  const auto same = [](const ConnectionGroup& a, const ConnectionGroup& b) {
    return std::tuple{a.from, a.to, a.transport} == std::tuple{b.from, b.to, b.transport};
  };
  ConnectionGroup all = groups[at];
  for (++at; at < groups.size() && same(groups[at], all); ++at) {
    all.proxy_rank = std::max(all.proxy_rank, groups[at].proxy_rank);
    all.gdrdma = all.gdrdma || groups[at].gdrdma;
    all.read = all.read || groups[at].read;
  }
  return all;
}

LineRef first_line(const Communicator& comm, std::size_t transport) {
  if (transport >= comm.transport_evidence.size()) return {};
  const Evidence& evidence = comm.transport_evidence[transport];
  return evidence.lines.empty() ? LineRef{} : evidence.lines.front();
}

/// Adds the connections of a communicator to the entries in `by_rank` of the main ranks at both ends. Connections that
/// may be inside a host or between hosts are left out.
void add_connections(const Model& model, const Communicator& comm, const MainRanks& main,
                     std::map<int, Ends>& by_rank) {
  for (std::size_t at = 0; at < comm.connections.groups().size();) {
    const ConnectionGroup group = both_ends(comm.connections.groups(), at);
    const std::string& transport = comm.transports[group.transport];
    const Rank* const from = find_rank(comm, group.from);
    const Rank* const to = find_rank(comm, group.to);
    const Edge edge = edge_of(model, comm, from, to, transport.starts_with("NET/"));
    if (edge == Edge::unknown) continue;
    for (const Rank* const end : {from, to}) {
      const int rank = end == nullptr ? -1 : main.of(*end);
      if (rank < 0) continue;
      Ends& ends = by_rank[rank];
      add_group(group, transport, edge, ends);
      if (ends.at.line == 0) ends.at = first_line(comm, group.transport);
    }
  }
}

}  // namespace

void add_edge_facts(const RunView& run, FactCollector& into) {
  const Communicator* const comm = run.main_communicator();
  if (comm == nullptr) return;
  const MainRanks main(*comm);
  std::map<int, Ends> by_rank;
  for (const Communicator& one : run.model.communicators) add_connections(run.model, one, main, by_rank);
  for (const auto& [rank, ends] : by_rank) {
    into.add(Topic::transports, "inside a host", {rank}, list_text(ends.inside, 8), ends.at);
    into.add(Topic::transports, "between hosts", {rank}, list_text(ends.between, 8), ends.at);
    if (ends.over_network > 0)
      into.add(Topic::gpudirect, "GPUDirect RDMA", {rank},
               ends.direct == 0                   ? "not used"
               : ends.direct == ends.over_network ? "used"
                                                  : "used by some connections",
               ends.at);
  }
  if (comm->nnodes > 0) into.add(Topic::transports, "nodes of NCCL", std::to_string(comm->nnodes), comm->first);
  if (comm->mnnvl >= 0)
    into.add(Topic::transports, "NVLink between hosts (MNNVL)", comm->mnnvl == 1 ? "yes" : "no", comm->first);
  for (const ConnectionGroup& group : comm->collnet)
    if (find_rank(*comm, group.from) != nullptr)
      into.add(Topic::transports, "to the switches (CollNet)", {group.from}, comm->transports[group.transport]);
}

}  // namespace nccl_analyze
