// Writes communicators with their ranks, rings, trees and connections, each of these on one line.

#include "report/json/communicators.h"

#include <bit>
#include <map>
#include <set>
#include <string>

#include "text/escape.h"

namespace nccl_analyze {
namespace {

/// Limit on the ranks without a log that a report lists, so that a forged `nranks` does not turn one log line into
/// gigabytes.
constexpr std::int64_t max_listed_ranks = std::int64_t{1} << 22;

void write_seconds(JsonWriter& json, const Boxed<BootstrapSeconds>& seconds) {
  json.key("bootstrap_seconds");
  if (!seconds) return json.null();
  json.begin_object();
  json.member("total", seconds->total);
  json.member("create", seconds->create);
  json.member("send", seconds->send);
  json.member("recv", seconds->recv);
  json.member("ring", seconds->ring);
  json.member("delay", seconds->delay);
  json.end();
}

void write_seconds(JsonWriter& json, const Boxed<InitSeconds>& seconds) {
  json.key("init_seconds");
  if (!seconds) return json.null();
  json.begin_object();
  json.member("total", seconds->total);
  json.member("kernels", seconds->kernels);
  json.member("alloc", seconds->alloc);
  json.member("bootstrap", seconds->bootstrap);
  json.member("allgathers", seconds->allgathers);
  json.member("topo", seconds->topo);
  json.member("graphs", seconds->graphs);
  json.member("connections", seconds->connections);
  json.member("rest", seconds->rest);
  json.end();
}

void write_seconds(JsonWriter& json, const StampedSeconds& seconds) {
  json.begin_object("stamped_seconds");
  json.member("to_start", seconds.to_start < 0 ? std::nullopt : std::optional{seconds.to_start});
  json.member("to_complete", seconds.to_complete);
  json.end();
}

void write_calls(JsonWriter& json, const Calls& calls) {
  json.member("collectives", calls.from_start ? std::optional{calls.total} : std::nullopt);
  json.begin_object("last_call");
  json.member("operation", to_string(calls.last.operation));
  json.member("op_count", to_hex(calls.last.op_count));
  json.member("count", known(calls.last.count));
  json.member("datatype", known(datatype_name(calls.last.datatype)));
  json.member("op", known(redop_name(calls.last.op)));
  json.member("root", known(calls.last.root));
  json.end();
}

void write_rank(JsonWriter& json, const Rank& rank) {
  json.begin_object(Layout::line);
  json.member("rank", known(rank.rank));
  json.member("process", known(rank.process));
  json.member("comm", known(Hex{rank.comm}));
  json.member("cuda_dev", known(rank.cuda_dev));
  json.member("nvml_dev", known(rank.nvml_dev));
  json.member("bus_id", rank.has_bus_id ? std::optional{to_hex(rank.bus_id)} : std::nullopt);
  json.member("local_rank", known(rank.local_rank));
  json.member("node", known(rank.node));
  json.member("state", to_string(rank.state));
  json.member("phase", to_string(rank.phase));
  json.member("channels", known(rank.channels));
  json.member("nvls_head", known(static_cast<int>(rank.nvls_head)));
  json.begin_array("connected");
  for (std::size_t i = 0; i < algorithms; ++i)
    if (rank.has(static_cast<Algorithm>(i))) json.value(to_string(static_cast<Algorithm>(i)));
  json.end();
  write_seconds(json, rank.bootstrap_seconds);
  write_seconds(json, rank.init_seconds);
  // Unknown values of these two are omitted instead of null: few logs have them, and a job may have 100,000 ranks.
  if (rank.stamped_seconds) write_seconds(json, *rank.stamped_seconds);
  if (rank.calls) write_calls(json, *rank.calls);
  json.end();
}

void write_ranks_without_log(JsonWriter& json, const Communicator& communicator, std::int64_t& budget) {
  json.key("ranks_without_log");
  const std::int64_t missing = communicator.nranks - static_cast<std::int64_t>(communicator.ranks.size());
  if (communicator.nranks < 0 || missing > budget) return json.null();
  json.begin_array(Layout::line);
  auto logged = communicator.ranks.begin();
  for (int rank = 0; rank < communicator.nranks; ++rank) {
    while (logged != communicator.ranks.end() && logged->rank < rank) ++logged;
    if (logged != communicator.ranks.end() && logged->rank == rank) continue;
    json.value(rank);
    --budget;
  }
  json.end();
}

/// Writes the ranks and the hosts of each node.
void write_nodes(JsonWriter& json, const Model& model, const Communicator& communicator) {
  std::vector<std::vector<const Rank*>> members(communicator.nodes.size());
  for (const Rank& rank : communicator.ranks)
    if (rank.node >= 0) members[static_cast<std::size_t>(rank.node)].push_back(&rank);
  json.begin_array("nodes");
  for (std::size_t i = 0; i < members.size(); ++i) {
    const Node& node = communicator.nodes[i];
    json.begin_object(Layout::line);
    json.member("number", known(node.number));
    json.member("local_ranks", known(node.local_ranks));
    json.begin_array("ranks");
    std::set<Index> places;
    for (const Rank* rank : members[i]) {
      json.value(rank->rank);
      if (rank->process >= 0) places.insert(model.processes[rank->process].host_index);
    }
    json.end();
    places.erase(-1);
    json.begin_array("hosts");
    for (const Index place : places) json.value(place);
    json.end();
    json.member("inferred", node.inferred);
    json.end();
  }
  json.end();
}

void write_ring(JsonWriter& json, const Ring& ring) {
  json.begin_object(Layout::line);
  json.member("channel", ring.channel);
  json.begin_array("order");
  for (const int rank : ring.order) json.value(rank);
  json.end();
  json.member("complete", ring.complete);
  json.member("inferred", ring.inferred);
  json.end();
}

void write_tree(JsonWriter& json, const Tree& tree) {
  json.begin_object(Layout::line);
  json.member("channel", tree.channel);
  json.member("complete", tree.complete);
  json.begin_array("links");
  for (const auto& [parent, child] : tree.links) {
    json.begin_array();
    json.value(parent);
    json.value(child);
    json.end();
  }
  json.end();
  json.end();
}

void write_head(JsonWriter& json, const NvlsHead& head) {
  json.begin_object(Layout::line);
  json.member("head", head.head);
  json.begin_array("ranks");
  for (const int rank : head.ranks) json.value(rank);
  json.end();
  json.end();
}

void write_collnet(JsonWriter& json, const ConnectionGroup& group, const Communicator& communicator) {
  json.begin_object(Layout::line);
  json.member("rank", group.from);
  json.member("direction", group.receive ? "receive" : "send");
  json.member("transport", communicator.transports[group.transport]);
  json.member("device", known(static_cast<int>(group.device)));
  json.member("gdrdma", group.gdrdma);
  json.member("connection", static_cast<int>(group.connection));
  json.begin_array("channels");
  for (std::uint64_t rest = group.channels; rest != 0; rest &= rest - 1)
    json.value(group.block * 64 + std::countr_zero(rest));
  json.end();
  json.end();
}

void write_contradiction(JsonWriter& json, const Contradiction& contradiction) {
  json.begin_object(Layout::line);
  json.member("kind", to_string(contradiction.kind));
  json.member("channel", contradiction.channel);
  json.begin_array("ranks");
  for (const int rank : contradiction.ranks) json.value(rank);
  json.end();
  json.end();
}

void write_connection(JsonWriter& json, const Connection& connection, const Communicator& communicator) {
  json.begin_object(Layout::line);
  json.member("channel", connection.channel);
  json.member("connection", connection.connection);
  json.member("from", connection.from);
  json.member("to", connection.to);
  json.member("transport", communicator.transports[connection.transport]);
  json.member("device", known(connection.device));
  json.member("gdrdma", connection.gdrdma());
  json.member("proxy_rank", known(connection.proxy_rank));
  json.member("shared", connection.shared);
  json.member("read", connection.read);
  json.begin_array("seen");
  if (connection.seen_send) json.value("send");
  if (connection.seen_receive) json.value("receive");
  json.end();
  json.end();
}

void write_transports(JsonWriter& json, const Communicator& communicator) {
  std::vector<std::uint64_t> counts(communicator.transports.size());
  communicator.connections.each_bundle(
      [&](const ConnectionBundle& bundle) { counts[bundle.transport] += bundle.size(); });
  std::map<std::string_view, std::uint64_t> by_name;
  for (std::size_t i = 0; i < counts.size(); ++i) by_name[communicator.transports[i]] += counts[i];
  json.begin_object("transports");
  for (const auto& [transport, count] : by_name) {
    if (count == 0) continue;
    json.key_from_log(transport);
    json.value(count);
  }
  json.end();
}

/// Writes the rings, trees, NVLS and CollNet structures that NCCL built for the communicator, by channel.
void write_graph(JsonWriter& json, const Communicator& communicator) {
  json.begin_array("rings");
  for (const Ring& ring : communicator.rings) write_ring(json, ring);
  json.end();
  json.begin_array("trees");
  for (const Tree& tree : communicator.trees) write_tree(json, tree);
  json.end();
  json.member("nvls_head_count", known(communicator.nvls_head_count));
  json.begin_array("nvls_heads");
  for (const NvlsHead& head : communicator.nvls_heads) write_head(json, head);
  json.end();
  json.begin_array("nvls_trees");
  for (const Tree& tree : communicator.nvls_trees) write_tree(json, tree);
  json.end();
  json.begin_array("collnet_chains");
  for (const Tree& chains : communicator.collnet_chains) write_tree(json, chains);
  json.end();
  json.begin_array("collnet");
  for (const ConnectionGroup& group : communicator.collnet) write_collnet(json, group, communicator);
  json.end();
  json.begin_array("contradictions");
  for (const Contradiction& one : communicator.contradictions) write_contradiction(json, one);
  json.end();
}

void write_communicator(JsonWriter& json, const Model& model, std::size_t index, std::int64_t& budget) {
  const Communicator& communicator = model.communicators[index];
  json.begin_object();
  json.member("index", index);
  json.member("comm_id", known(Hex{communicator.comm_id}));
  json.member("name", known(communicator.name));
  json.member("parent", known(communicator.parent));
  json.member("split_count", known(communicator.split_count));
  json.member("color", known(communicator.color));
  json.member("created_by", known(communicator.created_by));
  json.member("inferred", communicator.inferred);
  json.member("nranks", known(communicator.nranks));
  json.member("nnodes", known(communicator.nnodes));
  json.member("channels", known(communicator.channels));
  json.member("nvls_channels", known(communicator.nvls_channels));
  json.member("p2p_channels", known(communicator.p2p_channels));
  json.member("p2p_channels_per_peer", known(communicator.p2p_channels_per_peer));
  json.member("mnnvl", communicator.mnnvl < 0 ? std::nullopt : std::optional{communicator.mnnvl == 1});
  write_nodes(json, model, communicator);
  json.begin_array("ranks");
  for (const Rank& rank : communicator.ranks) write_rank(json, rank);
  json.end();
  write_ranks_without_log(json, communicator, budget);
  write_graph(json, communicator);
  json.begin_array("connections");
  for (const Connection& connection : communicator.connections) write_connection(json, connection, communicator);
  json.end();
  write_transports(json, communicator);
  json.end();
}

}  // namespace

void write_communicators(JsonWriter& json, const Model& model) {
  std::int64_t budget = max_listed_ranks;
  json.begin_array("communicators");
  for (std::size_t i = 0; i < model.communicators.size(); ++i) write_communicator(json, model, i, budget);
  json.end();
}

}  // namespace nccl_analyze
