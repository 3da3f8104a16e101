// Filters the arrays of the model and renumbers every index into them.

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <set>
#include <utility>
#include <vector>

#include "model/joined.h"
#include "model/resolve/first_communicators.h"
#include "nccl_analyze/analyzer.h"

namespace nccl_analyze {
namespace {

/// Maps old indices to new ones; dropped elements map to -1.
using Renumbering = std::vector<Index>;

Index renumbered(const Renumbering& numbers, Index index) {
  return index < 0 ? -1 : numbers[static_cast<std::size_t>(index)];
}

/// Keeps the elements whose flag is set and returns their new indices.
template <class T>
Renumbering keep_flagged(std::vector<T>& items, const std::vector<char>& flags) {
  Renumbering numbers(items.size(), -1);
  std::size_t next = 0;
  for (std::size_t i = 0; i < items.size(); ++i) {
    if (flags[i] == 0) continue;
    numbers[i] = static_cast<Index>(next);
    if (next != i) items[next] = std::move(items[i]);
    ++next;
  }
  items.resize(next);
  return numbers;
}

/// Renumbers the indices and erases those of dropped elements. False if that empties a list that was not empty.
bool keep_renumbered(const Renumbering& numbers, std::vector<Index>& indices) {
  const bool named = !indices.empty();
  for (Index& index : indices) index = renumbered(numbers, index);
  std::erase(indices, -1);
  return !named || !indices.empty();
}

/// Parses the whole text as a number; empty if it is not a number.
std::optional<std::uint64_t> number_of(std::string_view text, int base) {
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number, base);
  return error == std::errc() && end == text.data() + text.size() ? std::optional(number) : std::nullopt;
}

/// Returns for each communicator whether --comm selects it. The word is tried as a name, as an id and as a number; the
/// first interpretation that matches a communicator is used.
std::vector<char> find_communicators(std::string_view word, const Model& model) {
  std::vector<char> found(model.communicators.size(), 0);
  const auto mark = [&](const auto& fits) {
    for (std::size_t i = 0; i < found.size(); ++i) found[i] = fits(model.communicators[i], i) ? 1 : 0;
    return std::ranges::find(found, 1) != found.end();
  };
  if (mark([&](const Communicator& comm, std::size_t) { return comm.name == word; })) return found;
  const auto id = number_of(word.starts_with("0x") ? word.substr(2) : word, 16);
  if (id && *id != 0 && mark([&](const Communicator& comm, std::size_t) {
        return comm.comm_id == *id ||
               std::ranges::any_of(comm.ranks, [&](const Rank& rank) { return rank.comm == *id; });
      }))
    return found;
  const auto number = number_of(word.starts_with("#") ? word.substr(1) : word, 10);
  mark([&](const Communicator&, std::size_t i) { return number && i == *number; });
  return found;
}

struct Kept {
  Table<char> processes, communicators;
};

/// Selects the processes on the hosts of `--host` and, with `--comm`, only the members of a selected communicator.
/// Selects the communicators of `--comm` and, with `--host`, only those with a process on a selected host.
Kept choose(const Scope& scope, const Model& model) {
  Kept kept{Table<char>(model.processes.size(), 0), Table<char>(model.communicators.size(), 0)};
  Table<char> on_host(model.processes.size(), 1);
  if (scope.host)
    for (std::size_t i = 0; i < on_host.size(); ++i) on_host[i] = scope.host(model.processes[i].host) ? 1 : 0;
  if (!scope.comm) kept.processes = on_host;

  const std::vector<char> named = scope.comm ? find_communicators(*scope.comm, model) : std::vector<char>{};
  for (std::size_t i = 0; i < model.communicators.size(); ++i) {
    const Communicator& comm = model.communicators[i];
    if (scope.comm && named[i] == 0) continue;
    if (!scope.host) kept.communicators[i] = 1;
    for (const Rank& rank : comm.ranks) {
      if (rank.process < 0 || on_host[rank.process] == 0) continue;
      kept.communicators[i] = 1;
      kept.processes[rank.process] = 1;
    }
  }
  return kept;
}

void narrow(Communicator& comm, const Renumbering& processes, const Renumbering& communicators) {
  comm.parent = renumbered(communicators, comm.parent);
  std::set<int> in_scope, out_of_scope;
  for (Rank& rank : comm.ranks) {
    const bool had_process = rank.process >= 0;
    rank.process = renumbered(processes, rank.process);
    (had_process && rank.process < 0 ? out_of_scope : in_scope).insert(rank.rank);
  }
  if (out_of_scope.empty()) return;
  std::vector<ConnectionGroup> touching = comm.connections.groups();
  std::erase_if(touching, [&](const ConnectionGroup& group) {
    return !in_scope.contains(group.from) && !in_scope.contains(group.to);
  });
  comm.connections = ConnectionList(std::move(touching));
}

/// Drops findings out of scope. Keeps findings about the whole input, and causes that have a consequence in scope.
void narrow(std::vector<Finding>& findings, const Renumbering& processes, const Renumbering& communicators,
            const Renumbering& incidents) {
  std::erase_if(findings, [&](Finding& finding) {
    narrow(finding.consequences, processes, communicators, incidents);
    keep_renumbered(incidents, finding.incidents);
    for (Suspect& suspect : finding.suspects) suspect.process = renumbered(processes, suspect.process);
    const bool whole_input = finding.processes.empty() && finding.communicators.empty();
    const bool some_process = keep_renumbered(processes, finding.processes) && !finding.processes.empty();
    const bool some_comm = keep_renumbered(communicators, finding.communicators) && !finding.communicators.empty();
    return !whole_input && !some_process && !some_comm && finding.consequences.empty();
  });
}

/// Drops nodes that --host does not select and, with --comm, nodes that are not hosts of `model`, which is already
/// restricted to the scope.
void narrow(Acceptance& acceptance, const Scope& scope, const Model& model) {
  std::set<std::string_view> names;
  for (const Host& host : model.hosts) names.insert(host.name.empty() ? host.pod : host.name);
  std::erase_if(acceptance.nodes, [&](const AcceptanceNode& node) {
    return (scope.host && !scope.host(node.name)) || (scope.comm && !names.contains(node.name));
  });
  acceptance.unlogged_nodes = 0;
}

/// The new indices of the processes, communicators and hosts, to which other parts of the model refer.
struct NewIndices {
  Renumbering processes, communicators, hosts;
};

/// Renumbers the index. Returns whether it referred to an element that was dropped.
bool is_dropped(const Renumbering& numbers, Index& index) {
  const bool named = index >= 0;
  index = renumbered(numbers, index);
  return named && index < 0;
}

/// Renumbers the index of the process in each of these parts of a report.
void renumber(const NewIndices& to, auto& parts) {
  for (auto& part : parts) part.process = renumbered(to.processes, part.process);
}

// Each renumbers the indices of one thing that a tool reports. Returns whether the thing is out of scope. What could
// not be assigned to a process, communicator or host is never out of scope.

bool is_out(const NewIndices& to, WatchdogTimeout& one) { return is_dropped(to.processes, one.process); }

bool is_out(const NewIndices& to, RasOpCounts& one) {
  renumber(to, one.listed);
  return is_dropped(to.communicators, one.communicator);
}

bool is_out(const NewIndices& to, RasReport& one) {
  const auto is_comm_out = [&](RasCommunicator& comm) {
    for (RasOpCounts& counts : comm.counts) renumber(to, counts.listed);
    renumber(to, comm.lost);
    return is_dropped(to.communicators, comm.communicator);
  };
  return std::erase_if(one.communicators, is_comm_out) > 0 && one.communicators.empty();
}

bool is_out(const NewIndices& to, InspectedRank& one) {
  const bool drops_comm = is_dropped(to.communicators, one.communicator);
  return is_dropped(to.processes, one.process) || drops_comm;
}

bool is_out(const NewIndices& to, RecordedDuration& one) { return is_dropped(to.communicators, one.communicator); }

bool is_out(const NewIndices& to, Benchmark& one) {
  renumber(to, one.ranks);
  return is_dropped(to.communicators, one.communicator);
}

bool is_out(const NewIndices& to, Machine& one) { return is_dropped(to.hosts, one.host); }
bool is_out(const NewIndices& to, Pod& one) { return !keep_renumbered(to.hosts, one.hosts); }
// These have no index.
bool is_out(const NewIndices&, RasJob&) { return false; }
bool is_out(const NewIndices&, DesyncedRanks&) { return false; }
bool is_out(const NewIndices&, AnnouncedMember&) { return false; }

}  // namespace

void restrict_to(const Scope& scope, Model& model, Report& report) {
  if (!scope.host && !scope.comm) return;
  const Kept kept = choose(scope, model);
  for (std::size_t i = 0; i < model.communicators.size(); ++i)
    // Reports print the number that the communicator has in the whole model.
    model.communicators[i].number = static_cast<Index>(i);
  const Renumbering processes = keep_flagged(model.processes, kept.processes);
  const Renumbering communicators = keep_flagged(model.communicators, kept.communicators);

  std::vector<char> inhabited(model.hosts.size(), 0);
  for (const Process& process : model.processes)
    if (process.host_index >= 0) inhabited[static_cast<std::size_t>(process.host_index)] = 1;
  const Renumbering places = keep_flagged(model.hosts, inhabited);
  for (Process& process : model.processes) process.host_index = renumbered(places, process.host_index);

  for (Communicator& comm : model.communicators) narrow(comm, processes, communicators);
  find_first_communicators(model);
  std::erase_if(model.ambiguities, [&](Ambiguity& ambiguity) {
    ambiguity.process = renumbered(processes, ambiguity.process);
    return ambiguity.process < 0 || !keep_renumbered(communicators, ambiguity.candidates);
  });
  std::vector<char> in_scope(model.incidents.size(), 0);
  for (std::size_t i = 0; i < in_scope.size(); ++i) {
    Incident& incident = model.incidents[i];
    incident.process = renumbered(processes, incident.process);
    incident.communicator = renumbered(communicators, incident.communicator);
    in_scope[i] = incident.process < 0 ? 0 : 1;
  }
  const Renumbering incidents = keep_flagged(model.incidents, in_scope);
  for (Incident& incident : model.incidents) incident.error_trace = renumbered(incidents, incident.error_trace);
  std::erase_if(model.unnamed_calls, [&](UnnamedCalls& one) {
    one.process = renumbered(processes, one.process);
    return one.process < 0;
  });
  keep_renumbered(incidents, report.unexplained_warnings);
  const NewIndices to{processes, communicators, places};
  each_joined_list(model, [&](auto& list) { std::erase_if(list, [&](auto& one) { return is_out(to, one); }); });
  narrow(report.findings, processes, communicators, incidents);
  if (report.acceptance) narrow(*report.acceptance, scope, model);
}

}  // namespace nccl_analyze
