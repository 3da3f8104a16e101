// NCA321 reports peers to which NCCL's own measurement of work requests shows long delays.

#include <algorithm>
#include <map>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "model/stable_sort.h"
#include "nccl_analyze/events/ib.h"
#include "nccl_analyze/rule.h"
#include "queries/bootstrap_address.h"
#include "rules/findings.h"
#include "rules/support/rdma_findings.h"
#include "text/message_text.h"
#include "text/search.h"

namespace nccl_analyze::nca321 {

namespace {

constexpr std::size_t max_findings = 8;

/// The delays to one peer.
struct Peer {
  RdmaCase requests;
  std::string_view address;
  std::uint64_t delayed = 0;    ///< Number of lines about slow requests and stalls.
  std::int64_t in_summary = 0;  ///< Number of slow requests according to summaries.
  std::int64_t threshold = -1;  ///< In nanoseconds.
  const WqeDelayed* slowest = nullptr;
  bool stalled = false;  ///< Whether a request did not complete and its process made no progress afterwards.
};

/// Formats a number of nanoseconds: `52.7 ms`.
std::string duration_text(std::int64_t nanoseconds) {
  constexpr std::pair<std::int64_t, std::string_view> units[] = {
      {1'000'000'000, " s"}, {1'000'000, " ms"}, {1000, " us"}};
  for (const auto& [size, name] : units)
    if (nanoseconds >= size) return concat(nanoseconds / size, ".", nanoseconds % size * 10 / size, name);
  return concat(nanoseconds, " ns");
}

std::int64_t longest(const WqeDelayed& event) { return std::max(event.delay, event.longest); }

void add(const Model& model, const Incident& incident, Peer& peer) {
  const auto& event = incident.event.as<WqeDelayed>();
  const bool is_summary = event.count >= 0 && event.slow >= 0;
  peer.requests.add(model, incident);
  if (!event.device.empty()) add_once(peer.requests.devices, excerpt(port_name(event.device, event.port), 40));
  if (is_summary)
    peer.in_summary += std::max<std::int64_t>(event.slow, 0);
  else
    peer.delayed += incident.evidence.count;
  peer.threshold = std::max(peer.threshold, event.threshold);
  if (peer.slowest == nullptr || longest(event) > longest(*peer.slowest)) peer.slowest = &event;
  peer.stalled = peer.stalled || (event.what == "stall" && !incident.survived);
}

std::map<std::string, Peer> peers_of(const Model& model) {
  std::map<std::string, Peer> peers;
  for (const Incident& incident : model.incidents) {
    if (incident.kind != IncidentKind::wqe_delayed || incident.event.as<WqeDelayed>().slow == 0) continue;
    const std::string_view ip = ip_of(incident.peer);
    add(model, incident, peers[std::string(ip.empty() ? incident.peer : ip)]);
  }
  return peers;
}

std::string message_of(const Finding& finding, const Peer& peer) {
  const WqeDelayed& slowest = *peer.slowest;
  if (peer.stalled)
    return concat(who_text(finding), " has had no completion of a work request for ", duration_text(longest(slowest)),
                  where_text(peer.requests));
  const std::uint64_t times = std::max(peer.delayed, static_cast<std::uint64_t>(peer.in_summary));
  std::string text =
      concat(who_text(finding), " waited ", times_text(times), " for more than ", duration_text(peer.threshold),
             " for the completion of a work request; once ", duration_text(longest(slowest)));
  if (slowest.median >= 0) text += concat(" where the median is ", duration_text(slowest.median));
  return concat(text, where_text(peer.requests));
}

/// Makes the rank at the peer's address a suspect if no other rank has the address: the delay is at its NIC or on the
/// path to it.
void suspect_peer(const Model& model, const Peer& peer, Finding& finding) {
  if (finding.communicators.empty()) return;
  RanksByAddress ranks(model);
  const auto there = ranks.at(finding.communicators.front(), peer.address);
  if (there.size() != 1) return;
  finding.suspects.push_back({.rank = there[0]->rank,
                              .process = there[0]->process,
                              .why = concat("a work request to it took ", duration_text(longest(*peer.slowest)))});
}

}  // namespace

RuleResult check(const Model& model) {
  std::map<std::string, Peer> peers = peers_of(model);
  std::vector<Peer*> worst;
  for (auto& [address, peer] : peers) {
    peer.address = address;
    worst.push_back(&peer);
  }
  sort_stably(worst, [](const Peer* a, const Peer* b) {
    return std::tuple(a->stalled, longest(*a->slowest)) > std::tuple(b->stalled, longest(*b->slowest));
  });
  RuleResult result;
  for (std::size_t i = 0; i < std::min(worst.size(), max_findings); ++i) {
    Peer& peer = *worst[i];
    peer.requests.name_peer(model, peer.requests.processes.front(), peer.address);
    Finding& finding = result.findings.emplace_back(finding_of(model, {}, std::move(peer.requests)));
    finding.message = message_of(finding, peer);
    suspect_peer(model, peer, finding);
    if (i + 1 == max_findings && worst.size() > max_findings)
      finding.message += concat("; ", worst.size() - max_findings, " more peers are slow");
    finding.survived = !peer.stalled;
    if (!peer.stalled) continue;
    finding.values.push_back({"stalled", "yes"});
    finding.own_severity = Severity::warning;
    finding.own_stage = Stage::network;
    finding.provisional = true;
  }
  return result;
}

}  // namespace nccl_analyze::nca321
