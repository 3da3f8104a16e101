#pragma once
/// A healthy job, and helpers that add faults to it and find the results.

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "nccl_analyze/rule.h"

namespace nccl_analyze::test {

inline LineRef at_line(std::uint64_t number) { return {SourceId{0}, number}; }

inline Evidence seen_at(std::uint64_t number) {
  Evidence evidence;
  evidence.add(at_line(number));
  return evidence;
}

/// Returns a healthy job: `ranks` hosts with one GPU each, connected by TCP sockets.
inline Model healthy_job(int ranks) {
  Model model;
  Communicator comm;
  comm.comm_id = 0xabc;
  comm.nranks = comm.nnodes = ranks;
  comm.created_by = "ncclCommInitRankConfig";
  comm.first = at_line(10);
  for (int i = 0; i < ranks; ++i) {
    Process process;
    process.host = "worker-" + std::to_string(i);
    process.communicator = 0;
    process.pid = 101;
    process.library = "NCCL";
    process.version = "2.27.3";
    process.network = "Socket";
    process.bootstrap_interface = "eth0";
    process.bootstrap_address = "10.0.0." + std::to_string(i + 1) + "<0>";
    process.ib_absent = process.info_seen = true;
    const auto first = static_cast<std::uint64_t>(i) * 100 + 1;
    process.first = process.version_at = process.network_at = process.bootstrap_at = process.ib_at = at_line(first);
    process.last = at_line(first + 99);
    model.processes.push_back(process);
    Rank rank;
    rank.rank = rank.process = i;
    rank.local_rank = 0;
    rank.local_ranks = 1;
    rank.state = RankState::complete;
    rank.phase = InitPhase::complete;
    rank.started_at = at_line(first + 10);
    rank.ended_at = at_line(first + 50);
    comm.ranks.push_back(rank);
  }
  model.communicators.push_back(comm);
  return model;
}

inline void add_incident(Model& model, IncidentKind kind, Index process, std::uint64_t at, std::string peer = {},
                         std::string error = {}) {
  Incident incident;
  incident.kind = kind;
  incident.process = process;
  incident.peer = std::move(peer);
  incident.error = std::move(error);
  incident.evidence = seen_at(at);
  model.incidents.push_back(std::move(incident));
}

/// Returns the finding of a rule, which may be a consequence of another finding; nullptr if there is none.
inline const Finding* find(const std::vector<Finding>& findings, std::string_view name) {
  for (const Finding& finding : findings) {
    if (finding.rule->name == name) return &finding;
    if (const Finding* below = find(finding.consequences, name)) return below;
  }
  return nullptr;
}
inline const Finding* find(const Report& report, std::string_view name) { return find(report.findings, name); }

inline bool is_quiet(const Report& report) {
  return std::all_of(report.findings.begin(), report.findings.end(),
                     [](const Finding& finding) { return finding.severity() == Severity::info; });
}

}  // namespace nccl_analyze::test
