// Derives the paths between ranks from connections, NVLS lines and topology dumps.

#include "queries/paths.h"

#include <algorithm>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

#include "nccl_analyze/rule_parts.h"
#include "queries/hosts.h"
#include "queries/nvlink.h"
#include "queries/ranks.h"
#include "text/message_text.h"
#include "text/search.h"

namespace nccl_analyze {

namespace {

/// One of three groups of a communicator's connections: within nodes, between nodes, or possibly either.
struct Side {
  std::set<std::size_t> transports;
  bool read = false;                   ///< Whether any connection has the suffix `/read`.
  std::uint64_t ends = 0, direct = 0;  ///< Number of connection groups: all groups, and groups with GPUDirect RDMA.
};

bool on_one_node(const Model& model, const Rank& a, const Rank& b) {
  return a.node >= 0 && b.node >= 0 ? a.node == b.node : same_host(model, a, b);
}

/// Returns the name of the hardware link that the P2P transport uses. It is NVLink if NCCL set up NVLS channels, or
/// printed a `/read` that proves NVLink. Otherwise the topology dumps decide; empty if a host has no dump, or if the
/// hosts have different links.
std::string_view link_of(const Model& model, const Communicator& comm, bool read, Evidence& why) {
  if (comm.nvls_channels > 0 || (read && read_proves_nvlink(model, comm))) return "NVLink";
  Nvlink least = Nvlink::switched, most = Nvlink::unknown;
  for (const Rank& rank : comm.ranks) {
    const Host* const host = model.host_of(rank.process);
    const Nvlink own = host == nullptr ? Nvlink::unknown : host->nvlink;
    least = std::min(least, own);
    most = std::max(most, own);
    if (host != nullptr && own != Nvlink::unknown && why.lines.size() < 2) add_line(why, host->topology_at);
  }
  if (least >= Nvlink::present && most >= Nvlink::present) return "NVLink";
  return least == Nvlink::none && most == Nvlink::none ? "PCIe" : "";
}

void add_name(std::string& list, std::string_view name) {
  if (!name.empty() && !contains(list, name)) list += concat(list.empty() ? "" : " + ", name);
}

/// Adds the first line of each transport to the evidence.
void note(const Communicator& comm, const Side& side, Evidence& why) {
  for (const std::size_t transport : side.transports)
    if (transport < comm.transport_evidence.size() && !comm.transport_evidence[transport].lines.empty())
      add_line(why, comm.transport_evidence[transport].lines.front());
}

std::optional<bool> nvls_of(const Model& model, const Communicator& comm) {
  const bool connected =
      std::ranges::any_of(comm.ranks, [](const Rank& rank) { return rank.has(Algorithm::nvls_tree); });
  if (comm.nvls_channels > 0 || connected) return true;
  const bool unable = std::ranges::any_of(comm.ranks, [&](const Rank& rank) {
    const Process* const process = process_of(model, rank.process);
    return process != nullptr && process->nvls == 0;
  });
  return comm.nvls_channels == 0 || unable ? std::optional{false} : std::nullopt;
}

}  // namespace

CommPaths find_paths(const Model& model, const Communicator& comm) {
  CommPaths paths;
  Side inside, between, open;
  bool network_inside = false;
  for (const ConnectionGroup& group : comm.connections.groups()) {
    const Rank* const from = find_rank(comm, group.from);
    const Rank* const to = find_rank(comm, group.to);
    const bool network = comm.transports[group.transport].starts_with("NET/");
    // SHM and P2P never leave a node, but a network may connect ranks of one node. If one of the two ranks is not in
    // the log, the connection certainly leaves the node only if every node has a single rank.
    const bool are_alone = comm.nnodes > 0 && comm.nnodes == comm.nranks;
    const bool is_open = network && (from == nullptr || to == nullptr) && !are_alone;
    const bool same = !network || (from != nullptr && to != nullptr && on_one_node(model, *from, *to));
    Side& side = is_open ? open : same ? inside : between;
    network_inside |= same && network;
    side.transports.insert(group.transport);
    side.read = side.read || group.read;
    ++side.ends;
    side.direct += group.gdrdma ? 1 : 0;
  }
  // If there are several nodes, NCCL uses the network within a node only when all other transports fail there. No rank
  // with a log does so, so the network connections to ranks without a log lead to other nodes.
  if (between.ends == 0 && comm.nnodes > 1 && !network_inside) std::swap(between, open);
  note(comm, inside, paths.why);
  note(comm, between, paths.why);
  for (const std::size_t transport : inside.transports) {
    const std::string_view name = comm.transports[transport];
    if (name.starts_with("P2P/MNNVL"))
      add_name(paths.inside, "NVLink");
    else if (name.starts_with("P2P/"))
      add_name(paths.inside, link_of(model, comm, inside.read, paths.why));
    else
      add_name(paths.inside, name);
  }
  for (const std::size_t transport : between.transports) add_name(paths.between, comm.transports[transport]);
  for (const std::size_t transport : open.transports) add_name(paths.open, comm.transports[transport]);
  if (between.ends > 0 && (between.direct == 0 || between.direct == between.ends)) paths.gdr = between.direct > 0;
  paths.nvls = nvls_of(model, comm);
  return paths;
}

}  // namespace nccl_analyze
