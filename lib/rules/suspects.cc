// Completes the ranks, processes and suspects of a finding from its communicator.

#include "rules/suspects.h"

#include <algorithm>

#include "nccl_analyze/rule_parts.h"

namespace nccl_analyze {

namespace {

constexpr std::size_t max_suspects = 64;

const Communicator* communicator_of(const Model& model, const Finding& finding) {
  return finding.communicators.size() == 1 ? &model.communicators[finding.communicators.front()] : nullptr;
}

/// Returns the rank of a process in the communicator; -1 if the process has no rank or several ranks there.
int rank_of(const Model& model, const Communicator* comm, Index process) {
  int found = -1;
  if (comm == nullptr || process < 0 || model.processes[process].has_other_ranks) return found;
  for (const Rank& rank : comm->ranks) {
    if (rank.process != process) continue;
    if (found >= 0) return -1;
    found = rank.rank;
  }
  return found;
}

void add_processes(const Communicator& comm, Finding& finding) {
  for (const int number : finding.ranks)
    if (const Rank* rank = find_rank(comm, number); rank != nullptr && rank->process >= 0)
      finding.processes.push_back(rank->process);
  std::ranges::sort(finding.processes);
  finding.processes.erase(std::unique(finding.processes.begin(), finding.processes.end()), finding.processes.end());
}

/// Makes the ranks of the finding suspects if it has ranks and exactly one communicator. Else makes its processes
/// suspects, or its ranks if it has no processes. Stops at max_suspects.
void suspect_everybody(const Communicator* comm, Finding& finding) {
  if (comm != nullptr && !finding.ranks.empty()) {
    for (const int number : finding.ranks) {
      if (finding.suspects.size() == max_suspects) return;
      const Rank* rank = find_rank(*comm, number);
      finding.suspects.push_back({.rank = number, .process = rank == nullptr ? -1 : rank->process, .why = {}});
    }
    return;
  }
  const bool is_named = finding.communicators.empty() && finding.processes.size() == 1 && finding.ranks.size() == 1;
  for (const Index process : finding.processes) {
    if (finding.suspects.size() == max_suspects) return;
    finding.suspects.push_back({.rank = is_named ? finding.ranks.front() : -1, .process = process, .why = {}});
  }
  if (finding.processes.empty())
    for (const int number : finding.ranks) {
      if (finding.suspects.size() == max_suspects) return;
      finding.suspects.push_back({.rank = number, .process = -1, .why = {}});
    }
}

/// Sets the ranks of the finding to the job's ranks that its incidents name, such as the rank in a launcher's tag or in
/// its report of a process that died. Does nothing if the finding has ranks or communicators, or if one of its
/// incidents has a communicator or no rank.
void add_named_ranks(const Model& model, Finding& finding) {
  if (!finding.ranks.empty() || !finding.communicators.empty()) return;
  std::vector<int> named;
  for (const Index index : finding.incidents) {
    const Incident& incident = model.incidents[index];
    if (incident.communicator >= 0 || incident.rank < 0) return;
    named.push_back(incident.rank);
  }
  std::ranges::sort(named);
  named.erase(std::unique(named.begin(), named.end()), named.end());
  finding.ranks = std::move(named);
}

}  // namespace

void add_membership(const Model& model, Finding& finding) {
  const Communicator* comm = communicator_of(model, finding);
  if (comm == nullptr) return;
  std::vector<LineRef>& lines = finding.evidence.lines;
  for (const Rank& rank : comm->ranks) {
    if (lines.size() >= Evidence::max_lines) return;
    if (!finding.ranks.empty() && !std::ranges::binary_search(finding.ranks, rank.rank)) continue;
    const LineRef at = rank.started_at.line > 0 ? rank.started_at : rank.ended_at;
    if (at.line == 0 || std::find(lines.begin(), lines.end(), at) != lines.end()) continue;
    lines.push_back(at);
    ++finding.evidence.count;
  }
}

void complete_suspects(const Model& model, Finding& finding) {
  add_named_ranks(model, finding);
  const Communicator* comm = communicator_of(model, finding);
  if (finding.processes.empty() && comm != nullptr) add_processes(*comm, finding);
  if (finding.suspects.empty()) suspect_everybody(comm, finding);
  for (Suspect& suspect : finding.suspects) {
    if (suspect.rank < 0) suspect.rank = rank_of(model, comm, suspect.process);
    if (suspect.process >= 0 || comm == nullptr || suspect.rank < 0) continue;
    if (const Rank* rank = find_rank(*comm, suspect.rank)) suspect.process = rank->process;
  }
}

}  // namespace nccl_analyze
