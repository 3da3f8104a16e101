// NCA214 reports connections to NCCL sockets that fail the handshake: from foreign programs, other jobs or other
// versions.

#include <algorithm>
#include <map>
#include <utility>

#include "nccl_analyze/events/bootstrap.h"
#include "nccl_analyze/rule.h"
#include "rules/findings.h"
#include "rules/support/failure.h"
#include "rules/support/rdma_findings.h"
#include "text/message_text.h"
#include "text/search.h"

namespace nccl_analyze::nca214 {

namespace {

/// What NCCL did after a failed handshake, in order of severity.
enum class Refusal : std::uint8_t { ignored, warned, fatal };

/// Whether a rank of the process completed its initialisation, before or after the incident.
bool has_initialised(const Model& model, const Incident& incident) {
  for (const Communicator& comm : model.communicators)
    for (const Rank& rank : comm.ranks)
      if (rank.process == incident.process && (rank.state == RankState::complete || rank.state == RankState::destroyed))
        return true;
  return false;
}

Refusal refusal_of(const Model& model, const Incident& incident) {
  if (incident.aspect == "wrong-type") return Refusal::fatal;
  return warns(incident.level) && !has_initialised(model, incident) ? Refusal::warned : Refusal::ignored;
}

/// Returns the address at the start of the message, such as `10.0.1.9`; empty for NCCL 2.16 to 2.26, which print none.
std::string peer_of(const Incident& incident) {
  const std::string_view said = incident.event.as<HandshakeRefused>().detail;
  const auto open = said.find('<');
  return open == std::string_view::npos || open > 60 ? std::string() : std::string(said.substr(0, open));
}

struct Case {
  std::vector<Index> processes, incidents;
  std::vector<std::string> peers;
  Evidence evidence;
};

std::string what(Refusal refusal) {
  switch (refusal) {
    case Refusal::fatal:
      return " got a connection for another purpose than the socket has (wrong type), and NCCL stops";
    case Refusal::warned:
      return " got a connection that is not of this communicator (wrong magic), and the initialisation is not seen to "
             "go on";
    case Refusal::ignored:
      return " got a connection that is not of this communicator, and refused it";
  }
  return {};
}

/// Whether a rank that uses InfiniBand met one that uses TCP: the types of `wrong type 4 != 3` are those of NET/IB and
/// NET/Socket (ncclSocketType, 2.16 to 2.31).
bool are_networks(std::string_view message) {
  return contains(message, "wrong type 4 != 3") || contains(message, "wrong type 3 != 4");
}

RuleResult check(const Model& model) {
  std::map<Refusal, Case> cases;
  for (const Incident& incident : model.incidents) {
    if (incident.kind != IncidentKind::handshake_refused) continue;
    Case& one = cases[refusal_of(model, incident)];
    one.processes.push_back(incident.process);
    one.evidence.add(incident.evidence);
    one.incidents.push_back(static_cast<Index>(&incident - model.incidents.data()));
    if (std::string peer = peer_of(incident); !peer.empty()) add_once(one.peers, std::move(peer));
  }
  if (cases.contains(Refusal::fatal) && cases.contains(Refusal::warned)) {  // one finding for both
    Case& fatal = cases[Refusal::fatal];
    Case& warned = cases[Refusal::warned];
    fatal.processes.insert(fatal.processes.end(), warned.processes.begin(), warned.processes.end());
    fatal.evidence.add(warned.evidence);
    fatal.incidents.insert(fatal.incidents.end(), warned.incidents.begin(), warned.incidents.end());
    cases.erase(Refusal::warned);
  }
  RuleResult result;
  constexpr Severity severities[] = {Severity::info, Severity::warning, Severity::error};
  for (auto& [refusal, one] : cases) {
    Finding& finding = result.findings.emplace_back();
    set_scope(model, std::move(one.processes), finding);
    finding.message = concat(who_text(finding), what(refusal), ", ",
                             one.evidence.count == 1 ? std::string("once") : concat(one.evidence.count, " times"),
                             one.peers.empty() ? std::string() : concat("; from ", list_text(one.peers)));
    finding.evidence = std::move(one.evidence);
    const bool by_networks =
        std::ranges::any_of(one.incidents, [&](Index index) { return are_networks(model.incidents[index].message); });
    if (by_networks) finding.message += ". The types 3 and 4 are those of NET/Socket and NET/IB";
    finding.incidents = std::move(one.incidents);
    constexpr std::string_view names[] = {"ignored", "warned", "fatal"};
    finding.values = {{"refusal", std::string(names[static_cast<std::size_t>(refusal)])}};
    if (by_networks) finding.values.push_back({"types", "networks"});
    if (!one.peers.empty()) finding.values.push_back({"peer", one.peers.front()});
    finding.own_severity = severities[static_cast<std::size_t>(refusal)];
  }
  return result;
}

}  // namespace

extern constinit const RuleWords words;

extern constinit const Rule rule{{.id = "NCA214",
                                  .name = "socket-handshake-mismatch",
                                  .severity = Severity::warning,
                                  .stage = Stage::network,
                                  .check = "network",
                                  .words = &words},
                                 check};

}  // namespace nccl_analyze::nca214
