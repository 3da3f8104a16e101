// NCA410 reports ranks of one host that exchange data over TCP sockets instead of P2P or shared memory.

#include <set>
#include <utility>

#include "nccl_analyze/rule.h"
#include "nccl_analyze/rule_parts.h"
#include "queries/hosts.h"
#include "queries/machines.h"
#include "queries/ranks.h"
#include "queries/settings.h"
#include "rules/findings.h"
#include "text/message_text.h"

namespace nccl_analyze::nca410 {

namespace {

/// Whether the sender and the receiver both printed this connection. In an inferred communicator, nothing else proves
/// that the two ranks belong to one communicator.
bool both_ends_seen(const Communicator& comm, int from, int to) {
  bool send = false, receive = false;
  for (const ConnectionGroup& group : comm.connections.groups())
    if (group.from == from && group.to == to) (group.receive ? receive : send) = true;
  return send && receive;
}

/// Pairs of ranks of one host that are connected over TCP.
struct SocketPairs {
  std::set<int> ranks;
  std::set<std::pair<int, int>> pairs;
  bool disabled = false;  ///< Whether settings switch off both P2P and shared memory.
};

SocketPairs socket_pairs(const Model& model, const Communicator& comm) {
  SocketPairs found;
  comm.connections.each_bundle([&](const ConnectionBundle& link) {
    if (link.transport >= comm.transports.size() || comm.transports[link.transport] != "NET/Socket") return;
    const Rank* from = find_rank(comm, link.from);
    const Rank* to = find_rank(comm, link.to);
    if (from == nullptr || to == nullptr || !same_host(model, *from, *to)) return;
    if (comm.inferred && !both_ends_seen(comm, link.from, link.to)) return;
    found.ranks.insert({link.from, link.to});
    found.pairs.insert({link.from, link.to});
    if (const Process* process = process_of(model, from->process))
      found.disabled |= !p2p_off_by(*process).empty() && switched_on(*process, "NCCL_SHM_DISABLE");
  });
  return found;
}

}  // namespace

RuleResult check(const Model& model) {
  const MachinesByHost machines(model);
  return {each_communicator(model, [&](const Communicator& comm, Finding& finding) -> std::string {
    // A NIC can be faster than the PCIe path between two GPUs, so NET/IB may be the best transport inside a host. TCP
    // never is.
    if (comm.parent >= 0 || !has_transport(comm, "NET/Socket")) return {};
    const SocketPairs found = socket_pairs(model, comm);
    if (found.ranks.empty()) return {};
    finding.ranks.assign(found.ranks.begin(), found.ranks.end());
    add_transport(comm, "NET/Socket", finding.evidence);
    const NvlinkShown shown = nvlink_between(model, machines, comm, {found.pairs.begin(), found.pairs.end()});
    if (shown) add_line(finding.evidence, shown.at);
    finding.values.emplace_back("why", found.disabled ? "settings" : comm.inferred ? "excerpt" : "apart");
    return concat(
        capitalized(ranks_text(finding.ranks)), " share a host and talk over TCP sockets",
        found.disabled
            ? ": P2P and shared memory are both switched off by settings"
            : ": NCCL sees neither P2P nor a common /dev/shm between them (separate containers, or a fault of both)",
        shown ? "; " : "", shown.text);
  })};
}

}  // namespace nccl_analyze::nca410
