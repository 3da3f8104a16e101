// Infers vanished processes from the logs of the other ranks.

#include "rules/support/vanished.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "model/stable_sort.h"
#include "nccl_analyze/events/fault.h"
#include "nccl_analyze/rule_parts.h"
#include "queries/bootstrap_address.h"
#include "queries/completeness.h"
#include "queries/hosts.h"
#include "queries/ranks.h"
#include "rules/findings.h"
#include "rules/support/failure.h"
#include "rules/support/unstarted.h"
#include "rules/topics.h"
#include "text/message_text.h"

namespace nccl_analyze {

namespace {

/// Whether the incident reports that a peer is gone.
bool is_complaint(const Incident& incident) {
  switch (incident.kind) {
    case IncidentKind::connection_closed:
    case IncidentKind::service_closed:
      return true;
    case IncidentKind::socket_failed:
    case IncidentKind::connect_retried:
    case IncidentKind::connect_failed:
      return says_peer_gone(incident);
    default:
      return false;
  }
}

bool is_closing(const Incident& incident) {
  return incident.kind == IncidentKind::connection_closed || incident.kind == IncidentKind::socket_failed;
}

bool has_ended(const Rank& rank) { return rank.state == RankState::destroyed || rank.state == RankState::aborted; }

/// Errors, closed connections and ends of all processes, collected once for all communicators.
struct Signs {
  std::set<Index> troubled;  ///< Processes with a propagated error or a warning, except retried connects and closed
                             ///< service connections.
  /// Complaints (is_complaint()) and closed connections (is_closing()) as sorted pairs (process, incident).
  std::vector<std::pair<Index, Index>> closings;
  std::set<Index> ended;  ///< Processes that destroyed or aborted a communicator.
};

Signs find_signs(const Model& model) {
  Signs signs;
  for (const Incident& incident : model.incidents) {
    if (is_complaint(incident) || is_closing(incident))
      signs.closings.emplace_back(incident.process, index_of(model, incident));
    if (incident.kind != IncidentKind::connect_retried && incident.kind != IncidentKind::service_closed &&
        (is_warning(incident) || incident.kind == IncidentKind::error_propagated))
      signs.troubled.insert(incident.process);
  }
  std::ranges::sort(signs.closings);
  for (const Communicator& comm : model.communicators)
    for (const Rank& rank : comm.ranks)
      if (has_ended(rank)) signs.ended.insert(rank.process);
  return signs;
}

/// Finds the vanished ranks of one communicator. Four kinds of evidence are tried, the most reliable kind first.
class Suspects {
 public:
  Suspects(const Model& model, Index communicator, const Signs& signs)
      : model_(model), index_(communicator), comm_(model.communicators[communicator]), signs_(signs), ranks_(model) {
    if (signs.closings.empty()) return;
    std::set<Index> processes, incidents;
    for (const Rank& rank : comm_.ranks) processes.insert(rank.process);
    for (const Index process : processes)
      for (auto one = std::lower_bound(signs.closings.begin(), signs.closings.end(), std::pair{process, Index{-1}});
           one != signs.closings.end() && one->first == process; ++one)
        incidents.insert(one->second);
    for (const Index incident : incidents) incidents_.push_back(&model.incidents[incident]);
  }

  std::vector<VanishedRank> find() {
    accused_by_name();
    if (vanished_.empty()) last_silent_one();
    if (vanished_.empty()) without_end_of_life();
    if (vanished_.empty()) lost_output();
    std::vector<VanishedRank> found;
    for (auto& [rank, vanished] : vanished_) found.push_back(std::move(vanished));
    sort_stably(found, [](const VanishedRank& a, const VanishedRank& b) {
      return !a.evidence.lines.empty() && !b.evidence.lines.empty() && a.evidence.lines[0] < b.evidence.lines[0];
    });
    return found;
  }

 private:
  /// Whether the log, which must not be cut off, shows neither an error of the rank's process nor the end (destroy or
  /// abort) of the rank.
  bool is_silent(const Rank& rank) const {
    return (rank.state == RankState::started || rank.state == RankState::complete) &&
           !signs_.troubled.contains(rank.process) && !is_cut(rank);
  }

  bool is_cut(const Rank& rank) const {
    const Process* process = process_of(model_, rank.process);
    return process != nullptr && ends_early(model_, process->source);
  }

  void accuse(int rank, std::string sign, const Evidence& evidence, bool circumstantial = false) {
    VanishedRank& vanished = vanished_[rank];
    vanished.circumstantial = circumstantial;
    vanished.communicator = index_;
    vanished.rank = rank;
    if (vanished.sign.empty()) vanished.sign = std::move(sign);
    vanished.evidence.add(evidence);
  }

  /// Finds the ranks that other ranks name in messages about lost connections, by local rank or by address.
  void accused_by_name() {
    for (const Incident* const one : incidents_) {
      const Incident& incident = *one;
      if (!is_complaint(incident)) continue;
      if (incident.kind == IncidentKind::service_closed) {
        accuse_local_rank(incident);
        continue;
      }
      if (incident.kind == IncidentKind::connect_retried && !retries_prove(incident)) continue;
      const auto there = ranks_.at(index_, incident.peer);
      // An address identifies a rank only if no other rank has the same address.
      if (there.size() == 1 && is_silent(*there[0]) && there[0]->process != incident.process)
        accuse(there[0]->rank, "others find that its address refuses or closes connections", incident.evidence);
    }
    for (const auto& [rank, witnesses] : witnesses_) {
      // At the end of a job, a single witness may merely have outlived this rank, so two witnesses are required. On a
      // node with two ranks there is only one.
      const Rank* lost = find_rank(comm_, rank);
      if (lost == nullptr || (witnesses.processes.size() < 2 && lost->local_ranks != 2)) continue;
      accuse(rank, concat("other ranks of its node lost their connection to it (local rank ", lost->local_rank, ")"),
             witnesses.evidence);
    }
  }

  /// Whether retried connections prove that the peer vanished. A peer that is still starting refuses connections too.
  /// Therefore at least three retries are required, some connection must be closed, and no rank may have completed the
  /// initialisation.
  bool retries_prove(const Incident& incident) const {
    const bool complete =
        std::ranges::any_of(comm_.ranks, [](const Rank& rank) { return rank.phase == InitPhase::complete; });
    return !complete && incident.evidence.count >= 3 &&
           std::ranges::any_of(incidents_, [](const Incident* other) { return is_closing(*other); });
  }

  void accuse_local_rank(const Incident& incident) {
    const Rank* witness = nullptr;
    for (const Rank& rank : comm_.ranks)
      if (rank.process == incident.process) witness = &rank;
    // A rank that is destroyed or aborted closes these connections too, so they prove nothing in that case.
    if (witness == nullptr || std::ranges::any_of(comm_.ranks, has_ended)) return;
    for (const Rank& rank : comm_.ranks)
      if (rank.local_rank >= 0 && rank.local_rank == incident.event.as<ServiceClosed>().local_rank && is_silent(rank) &&
          same_host(model_, rank, *witness))
        witnesses_[rank.rank].add(incident);
  }

  /// Finds the only rank without an error if other ranks report closed connections. All ranks must be in the log.
  void last_silent_one() {
    Evidence complaints;
    for (const Incident* const incident : incidents_)
      if (is_closing(*incident) && is_complaint(*incident)) complaints.add(incident->evidence);
    if (complaints.count == 0) return;
    std::vector<const Rank*> silent;
    for (const Rank& rank : comm_.ranks)
      if (is_silent(rank)) silent.push_back(&rank);
    if (silent.size() != 1 || static_cast<int>(comm_.ranks.size()) != comm_.nranks) return;
    accuse(silent[0]->rank, "all other ranks report a closed connection, and its own log just ends", complaints);
  }

  /// Whether Init START is in the log for some ranks only. Every rank prints it, so such a log lacks lines.
  bool misses_starts() const {
    const auto seen = [](const Rank& rank) { return rank.start_seen; };
    return std::ranges::any_of(comm_.ranks, seen) && !std::ranges::all_of(comm_.ranks, seen);
  }

  /// Finds ranks that completed the initialisation and did not destroy the communicator, although at least three
  /// quarters of its logged ranks, and at least two of them, destroyed or aborted it.
  void without_end_of_life() {
    if (misses_starts() || !shows_start_of_every_rank(model_, comm_)) return;
    std::vector<const Rank*> left;
    std::size_t ended = 0;
    LineRef other_end;
    for (const Rank& rank : comm_.ranks) {
      if (has_ended(rank) && ended++ == 0) other_end = rank.ended_at;
      if (rank.state == RankState::complete && is_silent(rank)) left.push_back(&rank);
    }
    if (ended < 2 || left.empty() || left.size() * 3 > ended || ended + left.size() != comm_.ranks.size()) return;
    // A process that ended another communicator did not vanish; it only left this communicator open. A source with lost
    // lines may have lost the line about the end of the communicator.
    for (const Rank* rank : left) {
      const Process* process = process_of(model_, rank->process);
      if (process == nullptr || signs_.ended.contains(rank->process) ||
          count_damaged_lines(model_, process->source) != 0)
        continue;
      accuse(rank->rank, "the other ranks destroyed the communicator at the end of the job, it did not",
             evidence_at(other_end), true);
    }
  }

  /// Finds the only rank without output, if the other ranks of its host share a stream and completed the
  /// initialisation. The rank took part in the initialisation, so its output was lost, because a killed process loses
  /// what is in its buffer. Only for communicators of at least four ranks on a single host that were not split from
  /// another one.
  void lost_output() {
    if (comm_.nnodes != 1 || comm_.nranks < 4 || comm_.parent >= 0 || !shows_start_of_every_rank(model_, comm_)) return;
    const std::vector<int> missing = unlogged_ranks(comm_);
    if (missing.size() != 1) return;
    std::set<SourceId> sources;
    for (const Rank& rank : comm_.ranks) {
      if (rank.state != RankState::complete || rank.has(Algorithm::rings)) return;
      if (const Process* process = process_of(model_, rank.process)) sources.insert(process->source);
    }
    if (sources.size() != 1 || has_connections() || count_damaged_lines(model_, *sources.begin()) != 0) return;
    accuse(missing[0],
           "it took part in the initialisation, but its output is missing from the stream that all ranks of its host "
           "share, and the output of the others ends right after the initialisation",
           evidence_at(comm_.ranks.front().ended_at), true);
  }

  bool has_connections() const { return !comm_.connections.empty(); }

  struct Witnesses {
    std::set<Index> processes;
    Evidence evidence;
    void add(const Incident& incident) {
      processes.insert(incident.process);
      evidence.add(incident.evidence);
    }
  };

  const Model& model_;
  Index index_;
  const Communicator& comm_;
  const Signs& signs_;
  RanksByAddress ranks_;
  std::vector<const Incident*> incidents_;  ///< Elements of Signs::closings in this communicator, in model order.
  std::map<int, Witnesses> witnesses_;      ///< For each rank, the processes that lost a local connection to it.
  std::map<int, VanishedRank> vanished_;
};

}  // namespace

std::vector<VanishedRank> find_vanished_ranks(const Model& model) {
  if (!find_unstarted(model).empty()) return {};
  const Signs signs = find_signs(model);
  std::vector<VanishedRank> found;
  std::set<Index> dead;
  for (const Communicator& comm : model.communicators) {
    if (comm.inferred || comm.nranks < 2) continue;
    for (VanishedRank& vanished : Suspects(model, index_of(model, comm), signs).find()) {
      // A process with ranks in several communicators is reported only once.
      const Rank* rank = find_rank(comm, vanished.rank);
      if (rank != nullptr && !dead.insert(rank->process).second) continue;
      found.push_back(std::move(vanished));
    }
  }
  return found;
}

}  // namespace nccl_analyze
