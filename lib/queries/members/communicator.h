#pragma once
/// What the report shows of communicators and of what NCCL built for them.

#include <bit>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "queries/members/context.h"
#include "queries/members/rank.h"

namespace nccl_analyze::members {

template <>
inline constexpr auto members_of<Ring> = std::tuple{
    in_line("ring", "`order` starts at rank 0; incomplete: the part that is known."),
    member("channel", at_least(0), &Ring::channel),
    member("order", integers, &Ring::order),
    member("complete", plain, &Ring::complete),
    member("inferred", plain, "Put together from connections.", &Ring::inferred),
};

template <>
inline constexpr auto members_of<Tree> = std::tuple{
    in_line("tree"),
    member("channel", at_least(0), &Tree::channel),
    member("complete", plain, "The parent of everyone in it is known.", &Tree::complete),
    member("links", Pairs{}, "Parent and child of each link, sorted.", &Tree::links),
};

template <>
inline constexpr auto members_of<NvlsHead> = std::tuple{
    in_line("nvls_head"),
    member("head", at_least(0), &NvlsHead::head),
    member("ranks", integers, &NvlsHead::ranks),
};

template <>
inline constexpr auto members_of<Contradiction> = std::tuple{
    in_line("contradiction"),
    member("kind", word<GraphKind::tree>, &Contradiction::kind),
    member("channel", at_least(0), &Contradiction::channel),
    member("ranks", integers, "Those that disagree or are disputed, sorted; at most 16.", &Contradiction::ranks),
};

/// A node with its ranks and hosts.
struct NodeRow {
  const Node* node;
  std::vector<int> ranks;
  std::set<Index> hosts;
};
/// Calls write(NodeRow) for each node of the communicator.
constexpr auto each_node = [](const Communicator& communicator, const Context& context, const auto& write) {
  std::vector<NodeRow> rows;
  for (const Node& node : communicator.nodes) rows.push_back({&node, {}, {}});
  for (const Rank& rank : communicator.ranks) {
    if (rank.node < 0) continue;
    NodeRow& row = rows[static_cast<std::size_t>(rank.node)];
    row.ranks.push_back(rank.rank);
    if (const Process* const process = context.model.processes.find(rank.process))
      if (process->host_index >= 0) row.hosts.insert(process->host_index);
  }
  for (const NodeRow& row : rows) write(row);
};
template <>
inline constexpr auto members_of<NodeRow> = std::tuple{
    in_line("node"),
    member("number", known, "NCCL's own number; null unless every node is known.",
           [](const NodeRow& row) { return row.node->number; }),
    member("local_ranks", Known{1}, "Its ranks, with or without a log.",
           [](const NodeRow& row) { return row.node->local_ranks; }),
    member("ranks", integers, "Those whose log is in the input, sorted.", &NodeRow::ranks),
    member("hosts", references, "Indices into `hosts`, sorted.", &NodeRow::hosts),
    member("inferred", plain,
           "Put together from hosts and connections: ranks without a log, or a NCCL that does not print nodes, leave "
           "room for another answer.",
           [](const NodeRow& row) { return row.node->inferred; }),
};

/// A connection, whose transport the communicator names.
struct ConnectionRow {
  const Connection& connection;
  const Communicator& communicator;
};
template <auto Part>
inline constexpr auto of_connection = [](const ConnectionRow& row) { return row.connection.*Part; };
template <>
inline constexpr auto members_of<ConnectionRow> = std::tuple{
    in_line("connection", "One connection of a channel, both ends merged."),
    member("channel", at_least(0), of_connection<&Connection::channel>),
    member("connection", plain, of_connection<&Connection::connection>),
    member("from", at_least(0), of_connection<&Connection::from>),
    member("to", at_least(0), of_connection<&Connection::to>),
    member(
        "transport", like("^(P2P|SHM|NET|COLLNET)(/|$)"),
        "P2P/IPC, P2P/CUMEM, P2P/direct, P2P/MNNVL, P2P/indirect, SHM, NET/<network>, COLLNET/<network>",
        [](const ConnectionRow& row) -> auto& { return row.communicator.transports[row.connection.transport]; }),
    member("device", known, "NIC.", of_connection<&Connection::device>),
    member("gdrdma", plain, [](const ConnectionRow& row) { return row.connection.gdrdma(); }),
    member("proxy_rank", known, of_connection<&Connection::proxy_rank>),
    member("shared", plain, of_connection<&Connection::shared>),
    member("read", plain, of_connection<&Connection::read>),
    member("seen", Written<Array<OneOf>, std::vector<std::string_view>>{{{"send|receive"}, Layout::line, 0, true}},
           "The ends whose lines are in the input.",
           [](JsonWriter& json, const ConnectionRow& row, const Context&) {
             json.begin_array();
             if (row.connection.seen_send) json.value("send");
             if (row.connection.seen_receive) json.value("receive");
             json.end();
           }),
};

/// A connection to the network that reduces.
struct CollnetRow {
  const ConnectionGroup& group;
  const Communicator& communicator;
};
template <>
inline constexpr auto members_of<CollnetRow> = std::tuple{
    in_line("collnet"),
    member("rank", at_least(0), [](const CollnetRow& row) { return row.group.from; }),
    member("direction", OneOf{"send|receive"},
           [](const CollnetRow& row) -> std::string_view { return row.group.receive ? "receive" : "send"; }),
    member(
        "transport", like("^COLLNET/"),
        [](const CollnetRow& row) -> auto& { return row.communicator.transports[row.group.transport]; }),
    member("device", known, "NIC.", [](const CollnetRow& row) { return row.group.device; }),
    member("gdrdma", plain, [](const CollnetRow& row) { return row.group.gdrdma; }),
    member("connection", plain, [](const CollnetRow& row) { return row.group.connection; }),
    member("channels", integers,
           [](const CollnetRow& row) {
             std::vector<int> channels;
             for (std::uint64_t rest = row.group.channels; rest != 0; rest &= rest - 1)
               channels.push_back(row.group.block * 64 + std::countr_zero(rest));
             return channels;
           }),
};

/// Writes the ranks of which no line is in the input.
inline void write_unlogged(JsonWriter& json, const Communicator& communicator, const Context& context) {
  const std::int64_t missing = communicator.nranks - static_cast<std::int64_t>(communicator.ranks.size());
  if (communicator.nranks < 0 || missing > context.unlogged_budget) return json.null();
  json.begin_array(Layout::line);
  auto logged = communicator.ranks.begin();
  for (int rank = 0; rank < communicator.nranks; ++rank) {
    while (logged != communicator.ranks.end() && logged->rank < rank) ++logged;
    if (logged != communicator.ranks.end() && logged->rank == rank) continue;
    json.value(rank);
    --context.unlogged_budget;
  }
  json.end();
}

/// Returns the number of connections of each transport that has any.
inline std::map<std::string_view, std::uint64_t> transports_of(const Communicator& communicator) {
  std::map<std::string_view, std::uint64_t> counts;
  communicator.connections.each_bundle([&](const ConnectionBundle& bundle) {
    if (bundle.size() > 0) counts[communicator.transports[bundle.transport]] += bundle.size();
  });
  return counts;
}

template <>
inline constexpr auto members_of<Communicator> = std::tuple{
    in_block("communicator"),
    member("index", plain,
           [](const Communicator& one, const Context& context) { return index_in(context.model.communicators, one); }),
    member("comm_id", known, [](const Communicator& one) { return Hex{one.comm_id}; }),
    member("name", known, "As the program calls it (2.27.3+).", &Communicator::name),
    member("parent", reference, "Index of the communicator that was split.", &Communicator::parent),
    member("split_count", known, &Communicator::split_count),
    member("color", known, &Communicator::color),
    member("created_by", known, &Communicator::created_by),
    member("inferred", plain, "No line of the input starts it: put together from its connections, or known by its end.",
           &Communicator::inferred),
    member("nranks", known, &Communicator::nranks),
    member("nnodes", known, &Communicator::nnodes),
    member("channels", known, &Communicator::channels),
    member("nvls_channels", known, &Communicator::nvls_channels),
    member("p2p_channels", known, &Communicator::p2p_channels),
    member("p2p_channels_per_peer", known, &Communicator::p2p_channels_per_peer),
    member("mnnvl", tri_state, "Its nodes are NVLink domains that span hosts.", &Communicator::mnnvl),
    member("nodes", each<NodeRow>,
           "What NCCL calls nodes: ranks that reach each other without the network. Only those that the lines show; "
           "sorted by lowest rank.",
           each_node),
    member("ranks", objects, "Sorted by rank.", &Communicator::ranks),
    member("ranks_without_log", Written<Array<Plain>, std::optional<std::vector<int>>>{integers},
           "In the job, but none of their lines is in this input. Null when nranks is unknown or too large to list.",
           write_unlogged),
    member("rings", objects, "Sorted by channel.", &Communicator::rings),
    member("trees", objects, "Sorted by channel.", &Communicator::trees),
    member("nvls_head_count", known, "How many heads NVLS has in each node.", &Communicator::nvls_head_count),
    member("nvls_heads", objects, "The ranks that are a head of NVLS, one of each node. Sorted by head.",
           &Communicator::nvls_heads),
    member("nvls_trees", objects,
           "The two trees, channels 0 and 1, that join the NVLS heads of nodes over the network.",
           &Communicator::nvls_trees),
    member("collnet_chains", objects,
           "CollNet chains by channel, one in each node. A rank that is no child reaches the network itself.",
           &Communicator::collnet_chains),
    member("collnet", each<CollnetRow>, "Connections to the reduction that the network does itself (SHARP).",
           [](const Communicator& communicator, const Context&, const auto& write) {
             for (const ConnectionGroup& group : communicator.collnet) write(CollnetRow{group, communicator});
           }),
    member("contradictions", objects,
           "What was printed of a ring or tree and cannot all be true. Sorted by kind, channel.",
           &Communicator::contradictions),
    member("connections", each<ConnectionRow>, "Sorted by channel, connection, from, to.",
           [](const Communicator& communicator, const Context&, const auto& write) {
             for (const Connection& connection : communicator.connections)
               write(ConnectionRow{connection, communicator});
           }),
    member("transports", Map<Plain>{at_least(1)}, "Connections by transport.", transports_of),
};

}  // namespace nccl_analyze::members
