// Reads the communicators of a JSON report.

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "compare/report_json.h"
#include "model/stable_sort.h"
#include "queries/members/communicator.h"

namespace nccl_analyze {
namespace {

/// Sets what the table of members leaves out, and drops what a forged report may have.
void complete_rank(const Json& json, std::size_t processes, Rank& rank) {
  if (rank.rank > ModelLimits{}.max_ranks) rank.rank = -1;
  if (rank.channels > max_channel) rank.channels = -1;
  rank.process = index_of(json, "process", processes);
  rank.node = number_of(member(json, "node"));
  const std::optional<std::uint64_t> bus_id = members::hex_of(member(json, "bus_id"));
  rank.has_bus_id = bus_id.has_value();
  rank.bus_id = bus_id.value_or(0);
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
  group.from = number_of(member(json, "from"));
  group.to = number_of(member(json, "to"));
  group.proxy_rank = number_of(member(json, "proxy_rank"));
  group.transport = transport_index(comm, text_of(json, "transport"));
  group.receive = receive;
  group.gdrdma = member(json, "gdrdma") == true;
  group.read = member(json, "read") == true;
  into.push_back(group);
}

void add_connections(const Json& json, Communicator& comm) {
  std::vector<ConnectionGroup> groups;
  for (const Json& connection : elements(json, "connections"))
    for (const Json& end : elements(connection, "seen")) add_end(connection, comm, end == "receive", groups);
  comm.connections = ConnectionList(std::move(groups));
  for (const Json& end : elements(json, "collnet")) {
    ConnectionGroup group;
    group.from = number_of(member(end, "rank"));
    group.transport = transport_index(comm, text_of(end, "transport"));
    comm.collnet.push_back(group);
  }
}

}  // namespace

Communicator read_communicator(const Json& json, std::size_t processes) {
  Communicator comm = object_of<Communicator>(json);
  if (comm.nranks > ModelLimits{}.max_ranks) comm.nranks = -1;
  for (std::size_t i = 0; i < comm.ranks.size(); ++i) complete_rank(member(json, "ranks")[i], processes, comm.ranks[i]);
  // Only Init START and Init COMPLETE lines show which function created a communicator. If the report has `created_by`,
  // the log therefore has the start of the communicator.
  for (Rank& rank : comm.ranks) rank.start_seen = !comm.created_by.empty();
  sort_stably_by(comm.ranks, &Rank::rank);
  for (const Rank& rank : comm.ranks)
    if (rank.channels >= 0 &&
        std::ranges::find(comm.channel_counts, rank.channels, &ChannelCount::channels) == comm.channel_counts.end())
      comm.channel_counts.push_back({rank.channels, {}});
  add_connections(json, comm);
  return comm;
}

}  // namespace nccl_analyze
