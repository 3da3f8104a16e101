// NCA211 reports connections that a peer closed, and the peer if known, because the cause is in the peer's log.

#include <algorithm>
#include <set>
#include <utility>

#include "nccl_analyze/rule.h"
#include "queries/bootstrap_address.h"
#include "queries/places.h"
#include "rules/findings.h"
#include "rules/topics.h"
#include "text/message_text.h"
#include "text/search.h"

namespace nccl_analyze::nca211 {

namespace {

bool is_closed(const Incident& incident) { return is_about(incident, "peer-closed"); }

/// Returns the peer of a message, without its port. It may be a host name or an anonymised address.
std::string_view name_of(std::string_view peer) {
  const std::string_view ip = ip_of(peer);
  const bool is_address = ip.find('.') != std::string_view::npos || ip.find(':') != std::string_view::npos;
  return is_address ? ip : peer.substr(0, peer.rfind('<'));  // `<cluster>.ibnet<53735>`
}

/// Whether the text may be a name or an address. NCCL prints bytes of its stack for an address that is not set.
bool is_readable(std::string_view name) {
  return std::ranges::none_of(name, [](unsigned char c) { return c < ' ' || c == 0x7f; });
}

/// Returns the name as messages show it. If someone shortened the name, up to four of the dots at its end are kept.
std::string shown_name(std::string_view name) {
  name.remove_prefix(std::min(name.find_first_not_of(' '), name.size()));
  const std::string_view dots = name.substr(name.find_last_not_of('.') + 1);
  return concat(excerpt(name, 60), dots.size() > 1 ? dots.substr(0, 4) : std::string_view());
}

/// Whether the name, with or without a domain, is that of the host of the process that prints it. Such peers occur
/// because NCCL resolves addresses to names, and processes of one host connect to each other.
bool is_own_host(const Model& model, Index process, std::string_view name) {
  const Process* const own = process_of(model, process);
  if (own == nullptr || own->host.empty() || !name.starts_with(own->host.view())) return false;
  return name.size() == own->host.size() || name[own->host.size()] == '.';
}

/// Whether the ranks in `[Proxy Service 2] Failed to execute operation Setup from rank 2` are the same.
bool serves_itself(std::string_view message) {
  constexpr std::string_view service = "[Proxy Service ", rank = " from rank ";
  if (!message.starts_with(service)) return false;
  message.remove_prefix(service.size());
  const std::string_view own = message.substr(0, message.find(']'));
  const std::size_t at = message.find(rank);
  if (at == std::string_view::npos) return false;
  message.remove_prefix(at + rank.size());
  return message.substr(0, message.find(',')) == own;
}

/// Whether the service thread of the process says that it failed to serve the process itself, in front of the line
/// `at`. The thread then closes the connection to it.
bool is_own_service(const Model& model, Index process, LineRef at) {
  return std::ranges::any_of(model.incidents, [&](const Incident& one) {
    if (one.process != process || one.kind != IncidentKind::proxy_failed || one.evidence.lines.empty()) return false;
    return one.evidence.lines.front() < at && serves_itself(one.message);
  });
}

/// The name of a peer on the host of the process.
std::string own_peer_text(const Model& model, const Incident& incident, std::string_view name) {
  const bool is_service =
      !incident.evidence.lines.empty() && is_own_service(model, incident.process, incident.evidence.lines.front());
  return is_service ? std::string("the process's own service thread")
                    : concat("a process of its own host ", shown_name(name));
}

/// Returns the peers that the messages name, by rank or address. Empty if NCCL prints no address, as is often the case.
std::vector<std::string> peers_of(const Model& model) {
  constexpr std::size_t named = 4;  // list_text() shows at most 4, and rank_and_process_text() scans all ranks.
  std::vector<std::string> peers;
  std::set<Index> processes;
  std::set<std::string_view> addresses;
  RanksByAddress ranks(model);
  for (const Incident& incident : model.incidents) {
    if (!is_closed(incident)) continue;
    const std::string_view ip = name_of(incident.peer);
    if (ip.empty() || !is_readable(ip)) continue;
    const auto there = ranks.at(first_communicator_of(model, incident.process), ip);
    const Index process = there.size() == 1 && there[0]->process != incident.process ? there[0]->process : -1;
    if (!(process >= 0 ? processes.insert(process).second : addresses.insert(ip).second)) continue;
    peers.push_back(process >= 0 && peers.size() < named       ? rank_and_process_text(model, process)
                    : is_own_host(model, incident.process, ip) ? own_peer_text(model, incident, ip)
                                                               : shown_name(ip));
  }
  return peers;
}

/// Whether the input has a single process, and all peers that the messages name are on its host. The input then has no
/// log of the peer, which may be a service thread of the process.
bool is_own(const Model& model) {
  if (model.processes.size() != 1) return false;
  const Process& only = model.processes.front();
  bool any = false;
  for (const Incident& incident : model.incidents) {
    if (!is_closed(incident) || incident.peer.empty()) continue;
    const std::string_view name = name_of(incident.peer);
    const bool is_local = name.starts_with("localhost") || name.starts_with("127.") || name == "::1" ||
                          is_own_host(model, 0, name) || name == ip_of(only.bootstrap_address);
    if (!is_local) return false;
    any = true;
  }
  return any;
}

}  // namespace

RuleResult check(const Model& model) {
  Finding finding = claimed(model, is_closed);
  if (finding.evidence.count == 0) return {};
  // Up to 2.11, a later line may show that a foreign program had connected instead of a rank.
  finding.provisional = any_incident(
      model, finding, [](const Incident& incident) { return contains(incident.place, "include/socket.h"); });
  const std::vector<std::string> peers = peers_of(model);
  finding.message = concat(
      finding.ranks.empty() ? count_text(std::max<std::size_t>(finding.processes.size(), 1), "process")
                            : capitalized(ranks_text(finding.ranks)),
      finding.ranks.size() == 1 || (finding.ranks.empty() && finding.processes.size() < 2) ? " reports" : " report",
      " that a peer closed the connection", peers.empty() ? "; NCCL does not say which peer" : ": ", list_text(peers));
  if (is_own(model))
    finding.values.emplace_back("peer_is", "own");
  else if (!peers.empty())
    finding.values.emplace_back("peer_is", "named");
  return {{std::move(finding)}};
}

}  // namespace nccl_analyze::nca211
