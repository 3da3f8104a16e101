// An interface that cannot reach the other hosts.

#include <algorithm>
#include <array>
#include <map>
#include <utility>

#include "rules/rule_support.h"

namespace nccl_analyze {

namespace {

struct Kind {
  std::string_view prefix;  ///< Of the interface's name or of its address.
  std::string_view what;
};

constexpr std::array<Kind, 9> bad_names = {{
    {"docker", "Docker's bridge, private to each machine"},
    {"virbr", "libvirt's bridge, private to each machine"},
    {"pod-id-link", "the link of the EKS Pod Identity agent, private to each node"},
    {"cni", "the node's own pod bridge"},
    {"cbr", "the node's own pod bridge"},
    {"veth", "the node's end of one pod's link"},
    {"nodelocaldns", "the node-local DNS cache"},
    {"kube-ipvs", "the service addresses of kube-proxy"},
    {"dummy", "a dummy interface"},
}};

constexpr std::array<Kind, 4> bad_addresses = {{
    {"127.", "loopback"},
    {"::1", "loopback"},
    {"169.254.", "a link-local address"},
    {"fe80:", "an IPv6 link-local address"},
}};

std::string_view what_is_wrong(std::string_view interface, std::string_view ip) {
  if (interface == "lo") return "loopback";
  for (const Kind& kind : bad_names)
    if (interface.starts_with(kind.prefix)) return kind.what;
  for (const Kind& kind : bad_addresses)
    if (ip.starts_with(kind.prefix)) return kind.what;
  return {};
}

/// A bootstrap between hosts that went through proves its interface.
bool has_worked(const Communicator& comm) {
  return std::any_of(comm.ranks.begin(), comm.ranks.end(), [](const Rank& rank) {
    return rank.phase > InitPhase::bootstrap || rank.state == RankState::complete || rank.state == RankState::destroyed;
  });
}

struct Use {
  std::vector<Index> processes;
  Evidence evidence;
};

void add_communicator(const Model& model, const Communicator& comm, std::map<std::string, Use>& uses) {
  if (comm.inferred || !spans_nodes(model, comm) || has_worked(comm)) return;
  for (const Rank& rank : comm.ranks) {
    const Process* process = process_of(model, rank.process);
    if (process == nullptr) continue;
    const std::string_view what = what_is_wrong(process->bootstrap_interface, ip_of(process->bootstrap_address));
    if (what.empty()) continue;
    Use& use = uses[cat("The bootstrap between several hosts uses ", process->bootstrap_interface, ": ", what)];
    use.processes.push_back(rank.process);
    add_line(use.evidence, process->bootstrap_at);
  }
}

/// A failed connection to an address that only its own machine knows needs no second host in the input.
void add_failed_connects(const Model& model, std::map<std::string, Use>& uses) {
  for (const Incident& incident : model.incidents) {
    if (incident.kind != IncidentKind::connect_failed) continue;
    const std::string_view what = what_is_wrong("", ip_of(incident.subject));
    if (what.empty()) continue;
    Use& use = uses[cat("A rank listens on ", shortened(ip_of(incident.subject), 60), " (", what,
                        "), where others cannot reach it")];
    use.processes.push_back(incident.process);
    use.evidence.add(incident.evidence);
  }
}

Verdict check(const Model& model) {
  std::map<std::string, Use> uses;
  for (const Communicator& comm : model.communicators) add_communicator(model, comm, uses);
  if (uses.empty()) add_failed_connects(model, uses);
  Verdict verdict;
  for (auto& [message, use] : uses) {
    if (use.evidence.count == 0) continue;
    Occurrence& occurrence = verdict.occurrences.emplace_back();
    occurrence.message = message;
    occurrence.evidence = std::move(use.evidence);
    concern(model, std::move(use.processes), occurrence);
  }
  return verdict;
}

}  // namespace

extern constinit const Rule bad_interface{
    {.id = "NCA208",
     .name = "bad-interface",
     .severity = Severity::error,
     .title = "NCCL uses an interface that does not reach the other hosts",
     .explanation = R"(NCCL takes the first interface that suits it: InfiniBand IP interfaces first, then any
interface but docker* and lo (since 2.28.3 also virbr*), and those only when nothing else is there. Bridges,
tunnels and link-local interfaces under other names count as ordinary ones, and their order is the kernel's; with
older versions libvirt's `virbr0` is a frequent one. An address on
such an interface exists on every machine and leads to the machine itself, so the ranks wait for each other or
are refused.

On one host alone `lo` is fine; this rule speaks of jobs that span hosts.)",
     .fix =
         R"(1. Name the interface: `NCCL_SOCKET_IFNAME=eth0` (a prefix; `=eth0` for exactly that one), or
   exclude the wrong ones: `NCCL_SOCKET_IFNAME=^lo,docker,virbr,pod-id-link,veth,cni`. A value that begins with
   `^` excludes prefixes.
2. `ip -br addr` in the pod shows what is there. With `hostNetwork: true` the pod sees the node's bridges too.
3. If only `lo` is there, the container has no network of its own (`--network none`), or the host name resolves
   to 127.0.0.1 in /etc/hosts and the framework passes that on.)"},
    check};

}  // namespace nccl_analyze
