#include "rules/support/paths.h"

#include <algorithm>
#include <set>
#include <string_view>
#include <vector>

#include "rules/support/rule_support.h"

namespace nccl_analyze {

namespace {

/// What the connections of one side, inside of a node or between two, are made of.
struct Side {
  std::set<std::size_t> transports;
  bool read = false;
  std::uint64_t ends = 0, direct = 0;
};

bool on_one_node(const Model& model, const Rank& a, const Rank& b) {
  return a.node >= 0 && b.node >= 0 ? a.node == b.node : same_host(model, a, b);
}

/// NCCL prints `/read` where NVLink joins GPUs of the A100's kind; else the topology of the host tells, when it was
/// dumped.
std::string_view link_of(const Model& model, const Communicator& comm, bool read, Evidence& why) {
  if (read || comm.nvls_channels > 0) return "NVLink";
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
  if (!name.empty() && !contains(list, name)) list += cat(list.empty() ? "" : " + ", name);
}

/// The first line of each transport.
void note(const Communicator& comm, const Side& side, Evidence& why) {
  for (const std::size_t transport : side.transports)
    if (transport < comm.transport_evidence.size() && !comm.transport_evidence[transport].lines.empty())
      add_line(why, comm.transport_evidence[transport].lines.front());
}

std::optional<bool> nvls_of(const Model& model, const Communicator& comm) {
  const bool connected = std::any_of(comm.ranks.begin(), comm.ranks.end(),
                                     [](const Rank& rank) { return rank.has(Algorithm::nvls_tree); });
  if (comm.nvls_channels > 0 || connected) return true;
  const bool unable = std::any_of(comm.ranks.begin(), comm.ranks.end(), [&](const Rank& rank) {
    const Process* const process = process_of(model, rank.process);
    return process != nullptr && process->nvls == 0;
  });
  return comm.nvls_channels == 0 || unable ? std::optional{false} : std::nullopt;
}

}  // namespace

CommPaths find_paths(const Model& model, const Communicator& comm) {
  CommPaths paths;
  Side inside, between;
  for (const ConnectionGroup& group : comm.connections.groups()) {
    const Rank* const from = find_rank(comm, group.from);
    const Rank* const to = find_rank(comm, group.to);
    const bool network = comm.transports[group.transport].starts_with("NET/");
    // shared memory and P2P stay on a node, whoever is at the other end; a network may do so too
    if (network && (from == nullptr || to == nullptr)) {
      const bool whole = comm.nnodes == comm.nranks;
      if (!whole) continue;
    }
    const bool same = !network || (from != nullptr && to != nullptr && on_one_node(model, *from, *to));
    Side& side = same ? inside : between;
    side.transports.insert(group.transport);
    side.read = side.read || group.read;
    ++side.ends;
    side.direct += group.gdrdma ? 1 : 0;
  }
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
  if (between.ends > 0 && (between.direct == 0 || between.direct == between.ends)) paths.gdr = between.direct > 0;
  paths.nvls = nvls_of(model, comm);
  return paths;
}

}  // namespace nccl_analyze
