// NCA204 reports phases of the initialisation in which a rank's own work, not waiting for other ranks, takes seconds.

#include <algorithm>
#include <array>
#include <set>
#include <utility>

#include "nccl_analyze/rule.h"
#include "queries/ranks.h"
#include "rules/findings.h"
#include "text/message_text.h"

namespace nccl_analyze::nca204 {

namespace {

struct Phase {
  std::string_view name;
  std::string_view work;
  double (*seconds)(const Rank&);
};

double init_part(const Rank& rank, double InitSeconds::*part) {
  return rank.init_seconds ? (*rank.init_seconds).*part : 0.0;
}

double bootstrap_part(const Rank& rank, double BootstrapSeconds::*part) {
  return rank.bootstrap_seconds ? (*rank.bootstrap_seconds).*part : 0.0;
}

constexpr std::array<Phase, 8> phases = {{
    {"kernels", "Loading NCCL's kernels onto the GPU",
     [](const Rank& rank) { return init_part(rank, &InitSeconds::kernels); }},
    {"alloc", "Opening the network and allocating memory",
     [](const Rank& rank) { return init_part(rank, &InitSeconds::alloc); }},
    {"create", "Opening the sockets of the bootstrap",
     [](const Rank& rank) { return bootstrap_part(rank, &BootstrapSeconds::create); }},
    {"send", "Reaching the root of the bootstrap over TCP",
     [](const Rank& rank) { return bootstrap_part(rank, &BootstrapSeconds::send); }},
    {"topo", "Reading the machine's topology", [](const Rank& rank) { return init_part(rank, &InitSeconds::topo); }},
    {"graphs", "Searching for rings and trees", [](const Rank& rank) { return init_part(rank, &InitSeconds::graphs); }},
    {"connections", "Making the connections",
     [](const Rank& rank) { return init_part(rank, &InitSeconds::connections); }},
    {"rest", "Work that NCCL does not itemise", [](const Rank& rank) { return init_part(rank, &InitSeconds::rest); }},
}};

double total_of(const Rank& rank) {
  return rank.init_seconds ? rank.init_seconds->total : bootstrap_part(rank, &BootstrapSeconds::total);
}

/// Returns the seconds that the rank waited for other ranks. The wait at the barrier that ends the phase `rest` is not
/// included, because NCCL does not print its length.
double waiting(const Rank& rank) {
  const double bootstrap =
      bootstrap_part(rank, &BootstrapSeconds::recv) + bootstrap_part(rank, &BootstrapSeconds::ring);
  if (!rank.init_seconds) return bootstrap;
  // Ranks of a split communicator print no `Bootstrap timings`.
  return (rank.bootstrap_seconds ? bootstrap : rank.init_seconds->bootstrap) + rank.init_seconds->allgathers;
}

bool is_slow(const Rank& rank, double seconds) {
  return seconds >= slow_phase && total_of(rank) - waiting(rank) >= total_of(rank) / 2;
}

/// A slow phase. `communicator`, `longest`, `total` and `ranks` describe the communicator in which the phase takes
/// longest, because the message names only this one. The other members cover all communicators.
struct Slow {
  Index communicator = -1;
  double longest = 0, total = 0;
  std::vector<int> ranks;
  std::set<Index> communicators, processes;
  Evidence evidence;
};

/// Whether a long phase may be a wait at a barrier. `rest` ends with a barrier between the ranks of a host, so a long
/// `rest` is the ranks' own work only if it is long on all ranks.
bool is_barrier(const Communicator& comm, const Phase& phase) {
  if (phase.name != "rest") return false;
  return std::ranges::any_of(comm.ranks, [&](const Rank& rank) { return phase.seconds(rank) < slow_phase; });
}

Slow find_slow(const Model& model, const Phase& phase) {
  Slow slow;
  for (const Communicator& comm : model.communicators) {
    if (is_barrier(comm, phase)) continue;
    const Index index = index_of(model, comm);
    std::vector<int> ranks;
    double longest = 0, total = 0;
    for (const Rank& rank : comm.ranks) {
      const double seconds = phase.seconds(rank);
      if (!is_slow(rank, seconds)) continue;
      ranks.push_back(rank.rank);
      slow.communicators.insert(index);
      slow.processes.insert(rank.process);
      slow.evidence.add(rank.init_seconds ? rank.init_seconds->at : rank.bootstrap_seconds->at);
      if (seconds > longest) total = total_of(rank);
      longest = std::max(longest, seconds);
    }
    if (longest <= slow.longest) continue;
    slow.communicator = index;
    slow.longest = longest;
    slow.total = total;
    slow.ranks = std::move(ranks);
  }
  return slow;
}

}  // namespace

RuleResult check(const Model& model) {
  RuleResult result;
  for (const Phase& phase : phases) {
    Slow slow = find_slow(model, phase);
    if (slow.communicator < 0) continue;
    const Communicator& comm = model.communicators[slow.communicator];
    Finding& finding = result.findings.emplace_back();
    finding.message = concat(phase.work, " (", phase.name, ") took ", slow.ranks.size() > 1 ? "up to " : "",
                             seconds_text(slow.longest), " of ", seconds_text(slow.total), " on ",
                             ranks_text(slow.ranks), when(comm.nranks > 0, " of ", comm.nranks),
                             when(slow.communicators.size() > 1, ", and is slow in ", slow.communicators.size() - 1,
                                  " more of the ", model.communicators.size(), " communicators"));
    finding.values = {{"phase", std::string(phase.name)}};
    finding.evidence = std::move(slow.evidence);
    finding.communicators.assign(slow.communicators.begin(), slow.communicators.end());
    finding.processes.assign(slow.processes.begin(), slow.processes.end());
    if (finding.communicators.size() == 1) finding.ranks = std::move(slow.ranks);
  }
  return result;
}

}  // namespace nccl_analyze::nca204
