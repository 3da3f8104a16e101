// NCA208 reports network interfaces (loopback, bridges, tunnels) that cannot reach the other hosts of the job.

#include <algorithm>
#include <map>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

#include "nccl_analyze/events/bootstrap.h"
#include "nccl_analyze/events/fault.h"
#include "nccl_analyze/events/lists.h"
#include "nccl_analyze/rule.h"
#include "nccl_analyze/rule_parts.h"
#include "queries/bootstrap_address.h"
#include "queries/hosts.h"
#include "queries/interfaces.h"
#include "queries/network.h"
#include "queries/ranks.h"
#include "rules/findings.h"
#include "rules/start/bad_devices.h"
#include "rules/topics.h"
#include "text/message_text.h"
#include "text/search.h"

namespace nccl_analyze::nca208 {

namespace {

/// Whether a rank completed the bootstrap, which proves that the interface of the bootstrap works.
bool has_worked(const Communicator& comm) {
  return std::ranges::any_of(comm.ranks, [](const Rank& rank) {
    return rank.phase > InitPhase::bootstrap || rank.state == RankState::complete || rank.state == RankState::destroyed;
  });
}

struct Use : ProcessGroup {
  /// The input does not show whether the job spans hosts. On a single host, the address is no fault.
  bool is_open = false;
  bool is_possible = false;  ///< No line shows data on the interface, and it is not the first one in NCCL's list.
  bool lets_lo_in = false;   ///< NCCL uses loopback with other interfaces, which only an exclusion by a setting causes.
  bool is_witnessed = false;  ///< The processes tried to connect; which rank listens, the input does not show.
  bool is_vpn = false;        ///< The interface belongs to a VPN, which may reach the other hosts.
  std::string interface;      ///< Its name; empty if only its address is known.
  std::string_view what;      ///< The kind of the interface, such as `a tunnel`.
  /// The interface is loopback, and its source shows no second host, so the job probably has a single host.
  bool is_mild = false;

  void take(std::string_view name, const UnsuitableInterface& kind) {
    interface = name;
    what = kind.what;
    is_vpn = kind.is_vpn;
  }
};

std::string_view what_is_wrong(std::string_view interface, std::string_view ip) {
  const UnsuitableInterface* const kind = find_unsuitable_interface(interface, ip);
  return kind == nullptr ? std::string_view{} : kind->what;
}

/// Whether the interface is loopback and `hosts`, the number of hosts in the source, is at most 1.
bool is_lone_loopback(const UnsuitableInterface& kind, std::size_t hosts) {
  return kind.what == "loopback" && hosts < 2;
}

void add_communicator(const Model& model, const Communicator& comm, std::map<std::string, Use>& uses) {
  if (comm.inferred || !spans_nodes(model, comm) || has_worked(comm)) return;
  for (const auto& [rank, process] : known_ranks(model, comm)) {
    const UnsuitableInterface* const kind =
        find_unsuitable_interface(process.bootstrap_interface, ip_of(process.bootstrap_address));
    if (kind == nullptr) continue;
    Use& use = uses[concat("The bootstrap between several hosts uses ", process.bootstrap_interface, ": ", kind->what)];
    use.take(process.bootstrap_interface, *kind);
    use.processes.push_back(rank.process);
    add_line(use.evidence, process.bootstrap_at);
  }
}

/// Whether the first communicator of the process has connections over NET/Socket, whose two ends are on different hosts
/// or in different containers.
bool sends_over_sockets(const Model& model, Index process) {
  const Index comm = first_communicator_of(model, process);
  return comm >= 0 && has_transport(model.communicators[comm], "NET/Socket");
}

/// Returns the processes with an error trace through NCCL's network code, which shows that the choice of the interface
/// affected them. Leaves out traces that the process survived, and traces with result 6 (ncclRemoteError), which means
/// that a peer failed.
std::set<Index> failed_on_network(const Model& model) {
  constexpr int remote_error = 6;
  std::set<Index> processes;
  for (const Incident& incident : model.incidents) {
    if (incident.kind != IncidentKind::error_propagated || incident.survived) continue;
    const auto& event = incident.event.as<ErrorPropagated>();
    const bool is_of_network = contains(event.file, "net.h") || contains(event.file, "transport/net");
    if (event.result != remote_error && is_of_network) processes.insert(incident.process);
  }
  return processes;
}

/// Returns the number of hosts with processes in the source. Processes without a host name do not count.
std::size_t count_hosts(const Model& model, SourceId source) {
  std::set<std::string_view> hosts;
  for (const Process& process : model.processes)
    if (process.source == source && !process.host.empty()) hosts.insert(process.host);
  return hosts.size();
}

/// Whether the host is named like a pod of a training operator, so that there are probably more pods: `train-worker-1`,
/// `train-master-0`.
bool is_of_replicas(std::string_view host) {
  const std::size_t number = host.find_last_not_of("0123456789") + 1;
  const std::string_view name = host.substr(0, number);
  return number < host.size() && (name.ends_with("-worker-") || name.ends_with("-master-"));
}

/// Whether the first communicator of the process has exactly two ranks and known transports, none of which is a
/// network.
bool needs_no_network(const Model& model, Index process) {
  const Index index = first_communicator_of(model, process);
  if (index < 0) return false;
  const Communicator& comm = model.communicators[index];
  return comm.nranks == 2 && !comm.transports.empty() &&
         std::ranges::none_of(comm.transports, [](const auto& transport) { return transport.starts_with("NET/"); });
}

constexpr std::string_view by_network_failure =
    ". A network call of this process failed, so the job probably spans hosts";

/// Returns the beginning of the sentence about the devices. `is_open`: the input does not show whether the job spans
/// hosts. `sends`: the input shows data over TCP.
std::string_view use_text(const UnsuitableDevices& bad, bool is_open, bool sends) {
  if (!is_open) return bad.are_used ? "Data between several hosts goes over " : "Data between hosts may go over ";
  if (sends) return bad.are_used ? "Data goes over " : "Data may go over ";
  return bad.is_first ? "The first interface of NCCL's TCP network is " : "NCCL has chosen for its TCP network ";
}

/// Reports data interfaces that other hosts cannot reach. `wanted` selects processes whose job is known to span hosts
/// (Proof::proven), or processes whose job may or may not span hosts (Proof::open). For the latter, only the first
/// device counts unless data goes over sockets, and loopback is only a note if its source shows one host.
void add_data_interfaces(const Model& model, const JobHostSpans& spans, Proof wanted,
                         std::map<std::string, Use>& uses) {
  const std::vector<std::uint64_t> used = used_socket_devices(model);
  const std::set<Index> failed = failed_on_network(model);
  for (std::size_t i = 0; i < model.processes.size(); ++i) {
    const Process& process = model.processes[i];
    const auto index = static_cast<Index>(i);
    if (process.socket_devices.empty() || (!process.network.empty() && process.network != "Socket")) continue;
    const Proof proof = spans.of(index);
    if (proof != wanted || needs_no_network(model, index)) continue;
    const bool is_open = proof == Proof::open, sends = sends_over_sockets(model, index);
    const bool has_failed = failed.contains(index);
    const UnsuitableDevices bad = unsuitable_devices(process, !is_open || sends, used[i]);
    if (bad.names.empty()) continue;
    Use& use = uses[concat(use_text(bad, is_open, sends), list_text(bad.names), bad.is_first ? "" : " as well", ": ",
                           list_text(bad.kinds),
                           !is_open     ? std::string_view{}
                           : has_failed ? by_network_failure
                                        : if_it_spans_hosts)];
    use.is_open = is_open && !has_failed;
    use.is_possible = !bad.are_used && !bad.is_first;
    use.lets_lo_in = bad.lets_lo_in;
    use.is_mild = use.is_open && !(bad.lets_lo_in && is_of_replicas(process.host)) &&
                  is_lone_loopback(bad.first, count_hosts(model, process.source));
    use.take(bad.names.front(), bad.first);
    use.processes.push_back(index);
    add_line(use.evidence, process.socket_at);
  }
}

/// Whether the bootstrap of the process worked: connections and calls prove it, because they come after the bootstrap.
bool is_past_bootstrap(const Model& model, const Process& process) {
  if (process.progress.line > 0) return true;
  return process.communicator >= 0 && has_worked(model.communicators[process.communicator]);
}

/// Reports bootstrap interfaces that other hosts cannot reach, for processes that are not past the bootstrap, if the
/// input does not show whether their job spans hosts.
void add_bootstrap_interfaces(const Model& model, const JobHostSpans& spans, std::map<std::string, Use>& uses) {
  for (const Process& process : model.processes) {
    const UnsuitableInterface* const kind =
        find_unsuitable_interface(process.bootstrap_interface, ip_of(process.bootstrap_address));
    if (kind == nullptr || spans.of(index_of(model, process)) != Proof::open || is_past_bootstrap(model, process))
      continue;
    Use& use = uses[concat("The bootstrap uses ", excerpt(process.bootstrap_interface, 40), ": ", kind->what,
                           if_it_spans_hosts)];
    use.is_open = true;
    use.is_mild = is_lone_loopback(*kind, count_hosts(model, process.source));
    use.take(process.bootstrap_interface, *kind);
    use.processes.push_back(index_of(model, process));
    add_line(use.evidence, process.bootstrap_at);
  }
}

struct PrivateAddress {
  std::string_view what;
  LineRef at;
};

/// Returns the bootstrap addresses of interfaces that other hosts cannot reach, such as bridges.
std::map<std::string_view, PrivateAddress> private_addresses(const Model& model) {
  std::map<std::string_view, PrivateAddress> found;
  for (const Process& process : model.processes) {
    const std::string_view ip = ip_of(process.bootstrap_address);
    const std::string_view what = what_is_wrong(process.bootstrap_interface, ip);
    if (!ip.empty() && !what.empty()) found.emplace(ip, PrivateAddress{what, process.bootstrap_at});
  }
  return found;
}

/// Whether processes of the input have different host names.
bool names_several_hosts(const Model& model) {
  std::string_view first;
  return std::ranges::any_of(model.processes, [&first](const Process& process) {
    if (first.empty()) first = process.host;
    return !process.host.empty() && process.host.view() != first;
  });
}

bool is_link_local(std::string_view what) { return contains(what, "link-local"); }

/// Whether a connection to a link-local address is refused again and again. NCCL warns only after 34 attempts, and
/// other failures may end the job before.
bool is_vain_retry(const Incident& incident, std::string_view what) {
  constexpr int many = 5;  // A process that starts later than others is there after a few attempts.
  return incident.kind == IncidentKind::connect_retried && is_link_local(what) && !incident.survived &&
         incident.event.as<ConnectRetried>().attempt >= many;
}

std::string_view reach_text(std::string_view what) {
  return is_link_local(what) ? "which other hosts reach on the same link at most"
                             : "where ranks of other hosts cannot reach it";
}

/// Reports failed connections to addresses that are valid only on their own machine. If the job may have a single host,
/// the finding is only a warning, because the connection may have failed for another reason, which NCA210 reports.
void add_failed_connects(const Model& model, const JobHostSpans& spans, std::map<std::string, Use>& uses) {
  const std::map<std::string_view, PrivateAddress> known = private_addresses(model);
  const bool has_hosts = names_several_hosts(model);
  for (const Incident& incident : model.incidents) {
    std::string_view what = what_is_wrong("", ip_of(incident.peer));
    if (incident.kind != IncidentKind::connect_failed && !is_vain_retry(incident, what)) continue;
    const auto listening = known.find(ip_of(incident.peer));
    if (what.empty() && listening != known.end()) what = listening->second.what;
    if (what.empty()) continue;
    const Proof proof = incident.process < 0 ? Proof::open : spans.of(incident.process);
    if (proof == Proof::disproven) continue;
    // A host reaches its own link-local addresses: a failure means that the peer is another host or has ended.
    const bool is_open = proof == Proof::open && !has_hosts && !is_link_local(what);
    Use& use = uses[concat("A rank listens on ", excerpt(ip_of(incident.peer), 60), " (", what, "), ", reach_text(what),
                           is_open ? if_it_spans_hosts : std::string_view{})];
    use.is_open = is_open;
    use.what = what;
    use.is_witnessed = true;
    use.add(model, incident);
    if (listening != known.end()) add_line(use.evidence, listening->second.at);
  }
}

/// Returns the failed connections of these processes, which must be sorted. Leaves out survived failures, and failures
/// for lack of file descriptors (ENFILE, EMFILE), which are no fault of the network.
std::vector<Index> failed_connects(const Model& model, const std::vector<Index>& processes) {
  std::vector<Index> found;
  for (const Incident& incident : model.incidents) {
    const bool lacks_descriptors = incident.error_number == 23 || incident.error_number == 24;
    if (is_about(incident, "connect-failed") && is_warning(incident) && !incident.survived && !lacks_descriptors &&
        std::ranges::binary_search(processes, incident.process))
      found.push_back(index_of(model, incident));
  }
  return found;
}

constexpr std::string_view by_failure = ". One of them could not connect, so the job probably spans both";

/// Reports hosts that listen on the same private address and thus cannot reach each other. This is a fault only if the
/// hosts belong to one job, which a failed connection makes likely.
void add_shared_addresses(const Model& model, const JobHostSpans& spans, std::map<std::string, Use>& uses) {
  std::map<std::string_view, std::vector<Index>> by_address;
  for (const Process& process : model.processes) {
    const std::string_view ip = ip_of(process.bootstrap_address);
    if (!ip.empty() && !process.host.empty() && !what_is_wrong(process.bootstrap_interface, ip).empty() &&
        spans.of(index_of(model, process)) == Proof::open)
      by_address[ip].push_back(index_of(model, process));
  }
  for (auto& [ip, processes] : by_address) {
    const auto host = [&](Index index) { return model.processes[index].host; };
    const Process& first = model.processes[processes.front()];
    const auto other =
        std::find_if(processes.begin(), processes.end(), [&](Index index) { return host(index) != first.host; });
    if (other == processes.end()) continue;
    std::vector<Index> failures = failed_connects(model, processes);
    Use& use =
        uses[concat("Hosts ", excerpt(first.host, 60), " and ", excerpt(host(*other), 60), " both listen on ", ip,
                    " of ", excerpt(first.bootstrap_interface, 40), " (", what_is_wrong(first.bootstrap_interface, ip),
                    "): neither can reach the other there", failures.empty() ? if_it_spans_hosts : by_failure)];
    for (const Index index : processes) add_line(use.evidence, model.processes[index].bootstrap_at);
    for (const Index index : failures) use.evidence.add(model.incidents[index].evidence);
    use.take(first.bootstrap_interface, *find_unsuitable_interface(first.bootstrap_interface, ip));
    use.is_open = failures.empty();
    use.incidents = std::move(failures);
    use.processes = std::move(processes);
  }
}

}  // namespace

RuleResult check(const Model& model) {
  const JobHostSpans spans(model);
  std::map<std::string, Use> uses;
  for (const Communicator& comm : model.communicators) add_communicator(model, comm, uses);
  if (uses.empty()) add_data_interfaces(model, spans, Proof::proven, uses);
  if (uses.empty()) add_failed_connects(model, spans, uses);
  if (uses.empty()) add_shared_addresses(model, spans, uses);
  if (uses.empty()) add_data_interfaces(model, spans, Proof::open, uses);
  if (uses.empty()) add_bootstrap_interfaces(model, spans, uses);
  RuleResult result;
  for (auto& [message, use] : uses) {
    if (use.evidence.count == 0) continue;
    Finding& finding = result.findings.emplace_back(finding_of(model, message, ProcessGroup(use)));
    finding.provisional = use.is_mild || (use.is_open && use.lets_lo_in);
    if (use.is_mild)
      finding.own_severity = Severity::info;
    else if (use.is_open || use.is_vpn)
      finding.own_severity = Severity::warning;
    finding.values = {{"bad_iface", use.interface}, {"kind", use.is_vpn ? "vpn" : std::string(use.what)}};
    if (use.is_open) finding.values.emplace_back("span", "open");
    if (use.is_possible) finding.values.emplace_back("use", "possible");
    if (use.is_witnessed) finding.values.emplace_back("place", "witness");
    if (use.lets_lo_in) finding.values.emplace_back("filter", "exclusion");
  }
  return result;
}

}  // namespace nccl_analyze::nca208
