// NCA214 reports connections to NCCL sockets that fail the handshake: from foreign programs, other jobs or other
// versions.

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <map>
#include <utility>

#include "nccl_analyze/events/bootstrap.h"
#include "nccl_analyze/rule.h"
#include "rules/findings.h"
#include "rules/support/failure.h"
#include "rules/support/rdma_findings.h"
#include "text/http_request.h"
#include "text/message_text.h"
#include "text/search.h"

namespace nccl_analyze::nca214 {

namespace {

/// What NCCL did after a failed handshake, in order of severity.
/// `stalled`: it refused a stranger after the initialisation, when only service threads still accept connections.
enum class Refusal : std::uint8_t { ignored, stalled, warned, fatal };

/// Whether a rank of the process completed its initialisation, before or after the incident.
bool has_initialised(const Model& model, const Incident& incident) {
  for (const Communicator& comm : model.communicators)
    for (const Rank& rank : comm.ranks)
      if (rank.process == incident.process && (rank.state == RankState::complete || rank.state == RankState::destroyed))
        return true;
  return false;
}

bool has_ended_in_order(const Model& model, const Incident& incident) {
  const Process* const process = process_of(model, incident.process);
  return process != nullptr && process->ended_in_order;
}

Refusal refusal_of(const Model& model, const Incident& incident) {
  if (incident.aspect == "wrong-type") return Refusal::fatal;
  if (!warns(incident.level) || has_ended_in_order(model, incident)) return Refusal::ignored;
  return has_initialised(model, incident) ? Refusal::stalled : Refusal::warned;
}

/// The first bytes that the stranger sent, where they are text: 74656d2f20544547, a little-endian number, is `GET
/// /met`.
std::string first_bytes(const Incident& incident) {
  constexpr std::string_view words = "wrong magic ";
  const std::size_t at = incident.message.find(words);
  if (at == std::string::npos) return {};
  std::uint64_t magic = 0;
  const char* const begin = incident.message.data() + at + words.size();
  const auto [end, error] = std::from_chars(begin, incident.message.data() + incident.message.size(), magic, 16);
  constexpr std::ptrdiff_t digits = 16;
  if (error != std::errc{} || end - begin != digits) return {};
  return bytes_of_number(magic);
}

/// Returns the address at the start of the message, such as `10.0.1.9`; empty for NCCL 2.16 to 2.26, which print none.
std::string peer_of(const Incident& incident) {
  const std::string_view said = incident.event.as<HandshakeRefused>().detail;
  const auto open = said.find('<');
  return open == std::string_view::npos || open > 60 ? std::string() : std::string(said.substr(0, open));
}

struct Case : ProcessGroup {
  std::vector<std::string> peers;
  std::string bytes;  ///< What the stranger sent first, if it is text.
};

std::string what(Refusal refusal) {
  switch (refusal) {
    case Refusal::fatal:
      return " got a connection for another purpose than the socket has (wrong type), and NCCL stops";
    case Refusal::warned:
      return " got a connection that is not of this communicator (wrong magic), and the initialisation is not seen to "
             "go on";
    case Refusal::stalled:
      return " got a connection that is not of this communicator (wrong magic) after the initialisation";
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

/// Groups the refused connections by what NCCL did. Warnings belong to the error that follows them.
std::map<Refusal, Case> cases_of(const Model& model) {
  std::map<Refusal, Case> cases;
  for (const Incident& incident : model.incidents) {
    if (incident.kind != IncidentKind::handshake_refused) continue;
    Case& one = cases[refusal_of(model, incident)];
    one.add(model, incident);
    if (std::string peer = peer_of(incident); !peer.empty()) add_once(one.peers, std::move(peer));
    if (one.bytes.empty()) one.bytes = first_bytes(incident);
  }
  if (cases.contains(Refusal::fatal) && cases.contains(Refusal::warned)) {  // one finding for both
    Case& fatal = cases[Refusal::fatal];
    Case& warned = cases[Refusal::warned];
    fatal.processes.insert(fatal.processes.end(), warned.processes.begin(), warned.processes.end());
    fatal.evidence.add(warned.evidence);
    fatal.incidents.insert(fatal.incidents.end(), warned.incidents.begin(), warned.incidents.end());
    cases.erase(Refusal::warned);
  }
  return cases;
}

}  // namespace

RuleResult check(const Model& model) {
  RuleResult result;
  constexpr Severity severities[] = {Severity::info, Severity::warning, Severity::warning, Severity::error};
  for (auto& [refusal, one] : cases_of(model)) {
    Finding& finding = result.findings.emplace_back(finding_of(model, {}, ProcessGroup(one)));
    finding.message = concat(who_text(finding), what(refusal), ", ", times_text(finding.evidence.count),
                             when(!one.peers.empty(), "; from ", list_text(one.peers)));
    if (!one.bytes.empty())
      finding.message += concat("; the stranger's first bytes are \"", excerpt(one.bytes, 8), "\"",
                                is_http_request(one.bytes) ? ", a request of HTTP" : "");
    if (refusal == Refusal::stalled)
      finding.message +=
          ". The service thread of NCCL's proxy may now wait for another connection and serve no rank, so that the job "
          "hangs";
    const bool by_networks =
        any_incident(model, finding, [](const Incident& incident) { return are_networks(incident.message); });
    if (by_networks) finding.message += ". The types 3 and 4 are those of NET/Socket and NET/IB";
    constexpr std::string_view names[] = {"ignored", "stalled", "warned", "fatal"};
    finding.values = {{"refusal", std::string(names[static_cast<std::size_t>(refusal)])}};
    if (by_networks) finding.values.push_back({"types", "networks"});
    if (is_http_request(one.bytes)) finding.values.push_back({"http", "request"});
    if (!one.peers.empty()) finding.values.push_back({"peer", one.peers.front()});
    finding.own_severity = severities[static_cast<std::size_t>(refusal)];
  }
  return result;
}

}  // namespace nccl_analyze::nca214
