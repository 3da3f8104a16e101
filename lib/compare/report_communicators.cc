// Reads the communicators of a JSON report.

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "compare/report_json.h"
#include "model/stable_sort.h"

namespace nccl_analyze {
namespace {

InitSeconds init_seconds_of(const Json& json) {
  InitSeconds seconds;
  seconds.total = measure_of(json, "total");
  seconds.kernels = measure_of(json, "kernels");
  seconds.alloc = measure_of(json, "alloc");
  seconds.bootstrap = measure_of(json, "bootstrap");
  seconds.allgathers = measure_of(json, "allgathers");
  seconds.topo = measure_of(json, "topo");
  seconds.graphs = measure_of(json, "graphs");
  seconds.connections = measure_of(json, "connections");
  seconds.rest = measure_of(json, "rest");
  return seconds;
}

Rank rank_of(const Json& json, std::size_t processes) {
  Rank rank;
  rank.rank = number_of(member(json, "rank"), ModelLimits{}.max_ranks);
  rank.process = index_of(json, "process", processes);
  rank.cuda_dev = number_of(json, "cuda_dev");
  rank.nvml_dev = number_of(json, "nvml_dev");
  rank.node = number_of(json, "node");
  rank.channels = number_of(member(json, "channels"), max_channel);
  if (const auto bus_id = hex_of(json, "bus_id")) {
    rank.bus_id = *bus_id;
    rank.has_bus_id = true;
  }
  rank.state =
      word_of(json, "state",
              {RankState::started, RankState::complete, RankState::failed, RankState::aborted, RankState::destroyed});
  rank.phase = word_of(
      json, "phase",
      {InitPhase::bootstrap, InitPhase::allgather, InitPhase::topology, InitPhase::connect, InitPhase::complete});
  for (const Json& word : elements(json, "connected"))
    for (std::size_t i = 0; i < algorithms; ++i)
      if (word == to_string(static_cast<Algorithm>(i)))
        rank.connected = static_cast<std::uint8_t>(rank.connected | bit_of(static_cast<Algorithm>(i)));
  if (const Json& seconds = member(json, "init_seconds"); seconds.is_object())
    rank.init_seconds = init_seconds_of(seconds);
  if (const Json& stamped = member(json, "stamped_seconds"); stamped.is_object()) {
    const Json& complete = member(stamped, "to_complete");
    rank.stamped_seconds.made().to_complete = complete.is_number() ? complete.get<double>() : -1;
  }
  return rank;
}

std::vector<int> numbers_of(const Json& list) {
  std::vector<int> numbers;
  for (const Json& one : list) numbers.push_back(number_of(one));
  return numbers;
}

std::vector<Tree> trees_of(const Json& list) {
  std::vector<Tree> trees;
  for (const Json& json : list) {
    Tree tree{number_of(json, "channel"), {}, flag_of(json, "complete") == 1};
    std::vector<std::pair<int, int>> links;
    for (const Json& link : elements(json, "links"))
      if (link.is_array() && link.size() == 2) links.emplace_back(number_of(link[0]), number_of(link[1]));
    tree.links = std::move(links);
    trees.push_back(std::move(tree));
  }
  return trees;
}

/// Returns the index of a transport in Communicator::transports, and adds the transport if it is new. Only a forged
/// report has more than 1024 transports; the further ones get the last index.
std::uint16_t transport_index(Communicator& comm, const std::string& name) {
  const auto found = std::ranges::find(comm.transports, name);
  const auto index = found - comm.transports.begin();
  if (found == comm.transports.end() && comm.transports.size() < 1024) comm.transports.push_back(name);
  return static_cast<std::uint16_t>(std::min<std::ptrdiff_t>(index, 1023));
}

/// Converts one end of a connection to a group; adds nothing if the channel is invalid. Both ends get the same
/// `gdrdma`, because the report does not show it for each end.
void add_end(const Json& json, Communicator& comm, bool receive, std::vector<ConnectionGroup>& into) {
  ConnectionGroup group;
  const int channel = number_of(member(json, "channel"), max_channel);
  if (channel < 0) return;
  group.channels = std::uint64_t{1} << static_cast<unsigned>(channel % 64);
  group.block = static_cast<std::uint8_t>(channel / 64);
  group.connection = static_cast<std::uint8_t>(std::max(0, number_of(member(json, "connection"), 255)));
  group.from = number_of(json, "from");
  group.to = number_of(json, "to");
  group.proxy_rank = number_of(json, "proxy_rank");
  group.transport = transport_index(comm, text_of(json, "transport"));
  group.receive = receive;
  group.gdrdma = flag_of(json, "gdrdma") == 1;
  group.read = flag_of(json, "read") == 1;
  into.push_back(group);
}

void add_connections(const Json& json, Communicator& comm) {
  std::vector<ConnectionGroup> groups;
  for (const Json& connection : elements(json, "connections"))
    for (const Json& end : elements(connection, "seen")) add_end(connection, comm, end == "receive", groups);
  comm.connections = ConnectionList(std::move(groups));
  for (const Json& end : elements(json, "collnet")) {
    ConnectionGroup group;
    group.from = number_of(end, "rank");
    group.transport = transport_index(comm, text_of(end, "transport"));
    comm.collnet.push_back(group);
  }
}

void add_graphs(const Json& json, Communicator& comm) {
  for (const Json& ring : elements(json, "rings"))
    comm.rings.push_back({number_of(ring, "channel"), numbers_of(elements(ring, "order")),
                          flag_of(ring, "complete") == 1, flag_of(ring, "inferred") == 1});
  comm.trees = trees_of(elements(json, "trees"));
  comm.nvls_trees = trees_of(elements(json, "nvls_trees"));
  comm.collnet_chains = trees_of(elements(json, "collnet_chains"));
  for (const Json& head : elements(json, "nvls_heads"))
    comm.nvls_heads.push_back({number_of(head, "head"), numbers_of(elements(head, "ranks"))});
}

}  // namespace

Communicator read_communicator(const Json& json, std::size_t processes) {
  Communicator comm;
  comm.nranks = number_of(member(json, "nranks"), ModelLimits{}.max_ranks);
  comm.nnodes = number_of(json, "nnodes");
  comm.channels = number_of(json, "channels");
  comm.nvls_channels = number_of(json, "nvls_channels");
  comm.p2p_channels = number_of(json, "p2p_channels");
  comm.p2p_channels_per_peer = number_of(json, "p2p_channels_per_peer");
  comm.mnnvl = flag_of(json, "mnnvl");
  for (const Json& rank : elements(json, "ranks")) comm.ranks.push_back(rank_of(rank, processes));
  // Only Init START and Init COMPLETE lines show which function created a communicator. If the report has `created_by`,
  // the log therefore has the start of the communicator.
  for (Rank& rank : comm.ranks) rank.start_seen = !text_of(json, "created_by").empty();
  sort_stably_by(comm.ranks, &Rank::rank);
  for (const Rank& rank : comm.ranks)
    if (rank.channels >= 0 &&
        std::ranges::find(comm.channel_counts, rank.channels, &ChannelCount::channels) == comm.channel_counts.end())
      comm.channel_counts.push_back({rank.channels, {}});
  add_graphs(json, comm);
  add_connections(json, comm);
  return comm;
}

}  // namespace nccl_analyze
