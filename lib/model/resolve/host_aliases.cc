// Resolves garbled hosts. A damaged prefix can leave a part of a host name, which looks like another host. Such a name
// is an alias of the real host: the lines belong to the process there that has the same pid.

#include <algorithm>
#include <map>
#include <numeric>
#include <optional>
#include <span>
#include <string>
#include <tuple>

#include "model/build/garbled_host.h"
#include "model/resolve/passes.h"
#include "model/stable_sort.h"
#include "model/wording.h"

namespace nccl_analyze::builder {

namespace {

constexpr std::size_t max_compared = 4096;  // Limit on the processes with the same pid.

/// Whether the host has lost its first letters: no host name begins with these characters.
bool lost_its_head(std::string_view host) {
  return !host.empty() && std::string_view{"-._"}.find(host.front()) != std::string_view::npos;
}

/// Processes with the same pid, indexed by the reversed names of their hosts to search for common suffixes.
class ByHost {
 public:
  ByHost(const BuilderState& state, std::span<const Index> group) : state_(state) {
    for (const Index index : group) {
      const std::string_view host = facts(index).host;
      reversed_.emplace_back(std::string(host.rbegin(), host.rend()), index);
    }
    std::sort(reversed_.begin(), reversed_.end());
  }

  /// Returns the process that printed the lines of `part`, if the host name of `part` is a garbled form of that
  /// process's host name (is_alias()). Returns the process with the most lines if several fit, -1 if none fits.
  Index find(Index part) const {
    Index best = -1;
    const auto consider = [&](Index whole) {
      if (!is_alias(facts(part).host, facts(part).pod, facts(whole)) || !has_many_more(lines(whole), lines(part)))
        return;
      if (best < 0 || lines(whole) > lines(best)) best = whole;
    };
    const std::string_view host = facts(part).host;
    const std::string name(host.rbegin(), host.rend());
    int left = max_candidates;
    for (auto at = std::lower_bound(reversed_.begin(), reversed_.end(), std::pair{name, Index{-1}});
         at != reversed_.end() && at->first.starts_with(name) && left > 0; ++at, --left)
      consider(at->second);
    for (std::size_t length = 1; length < name.size(); ++length) {
      const std::string end = name.substr(0, length);
      for (auto at = std::lower_bound(reversed_.begin(), reversed_.end(), std::pair{end, Index{-1}});
           at != reversed_.end() && at->first == end; ++at)
        consider(at->second);
    }
    return best;
  }

 private:
  static constexpr int max_candidates = 64;  // a suffix that so many names share identifies no host
  const Process& facts(Index process) const { return state_.model.processes[process]; }
  std::uint64_t lines(Index process) const { return state_.processes[process].lines.nccl_lines; }

  const BuilderState& state_;
  std::vector<std::pair<std::string, Index>> reversed_;
};

bool has_torn_lines(const Model& model, SourceId id) {
  if (static_cast<std::size_t>(id) >= model.sources.size()) return false;
  const Source& source = model.sources[static_cast<std::size_t>(id)];
  return source.damaged[static_cast<std::size_t>(Damage::torn)].count +
             source.damaged[static_cast<std::size_t>(Damage::joined)].count !=
         0;
}

/// Copies facts that `whole` lacks from `part`. Plugins are not copied, because rules would misread a plugin with only
/// some of its lines.
void absorb(Process& whole, const Process& part) {
  if (whole.version.empty()) {
    whole.library = part.library;
    whole.version = part.version;
    whole.toolkit = part.toolkit;
    whole.version_at = part.version_at;
  }
  if (whole.driver < 0) whole.driver = part.driver, whole.driver_at = part.driver_at;
  if (whole.network.empty()) whole.network = part.network, whole.network_at = part.network_at;
  if (whole.bootstrap_interface.empty()) {
    whole.bootstrap_interface = part.bootstrap_interface;
    whole.bootstrap_address = part.bootstrap_address;
    whole.bootstrap_at = part.bootstrap_at;
  }
  if (whole.platform.empty()) whole.platform = part.platform, whole.platform_at = part.platform_at;
  for (const auto& [variable, value] : part.env)
    if (!whole.env.contains(variable)) whole.env.add(variable, value);
  whole.first = std::min(whole.first, part.first);
  whole.last = std::max(whole.last, part.last);
  whole.progress = std::max(whole.progress, part.progress);
  whole.info_seen = whole.info_seen || part.info_seen;
}

void absorb(ProcessState& into, ProcessState& from) {
  into.lines += from.lines;
  into.lifetimes.take(from.lifetimes);
}

/// Whether the host of `part` is a mixture of two names. Host names of one job differ only in their numbers. A name
/// that differs in more is garbled if its process has almost no lines, another process with the same pid has many, and
/// the source contains torn lines.
bool is_garbled(const BuilderState& state, Index part, std::span<const Index> same_pid) {
  if (same_pid.size() > max_compared) return false;
  const ProcessState& one = state.processes[part];
  const Process& facts = state.model.processes[part];
  if (one.lines.nccl_lines > few_lines || !one.lifetimes.empty() || !has_torn_lines(state.model, facts.source))
    return false;
  bool other_known = false;
  for (const Index index : same_pid) {
    const ProcessState& other = state.processes[index];
    if (!has_many_more(other.lines.nccl_lines, one.lines.nccl_lines)) continue;
    if (fold_numbers(state.model.processes[index].host) == fold_numbers(facts.host)) return false;
    other_known = true;
  }
  return other_known;
}

/// Merges processes. `owner[i]`: the process to which the lines of process i belong, which is i itself for most
/// processes; -1 if it is unknown. Removes each process with another owner, and redirects all references to that owner.
/// The lines of a process with owner -1 are counted as stray, and references to it become -1.
void renumber_processes(BuilderState& state, const Table<Index>& owner) {
  const auto is_its_own = [&](std::size_t i) { return owner[i] == static_cast<Index>(i); };
  std::size_t same = 0;
  while (same < owner.size() && is_its_own(same)) ++same;
  if (same == owner.size()) return;
  Table<Index> number(owner.size(), -1);
  Table<ProcessState> kept;
  Table<Process> kept_facts;
  for (std::size_t i = 0; i < owner.size(); ++i) {
    if (!is_its_own(i)) {
      if (owner[i] < 0) state.stray_lines += state.processes[i].lines;
      continue;
    }
    number[i] = static_cast<Index>(kept.size());
    kept.push_back(std::move(state.processes[i]));
    kept_facts.push_back(std::move(state.model.processes[i]));
  }
  const auto move_to_owner = [&](Index& process) {
    if (process < 0) return;
    const Index final_owner = owner[process];
    process = final_owner < 0 ? -1 : number[final_owner];
  };
  state.processes = std::move(kept);
  state.model.processes = std::move(kept_facts);
  for (CommState& comm : state.comms)
    for (Rank& rank : comm.comm.ranks) move_to_owner(rank.process);
  state.batches.renumber_processes(move_to_owner);
  state.quotes.visit_incidents([&](Incident& incident) { move_to_owner(incident.process); });
  for (WatchdogTimeout& stuck : state.model.stuck) move_to_owner(stuck.process);
  for (UnnamedCalls& unnamed : state.model.unnamed_calls) move_to_owner(unnamed.process);
}

/// Returns all processes, sorted by source and pid.
Table<Index> by_source_and_pid(const BuilderState& state) {
  Table<Index> sorted(state.processes.size());
  std::iota(sorted.begin(), sorted.end(), 0);
  sort_stably(sorted, [&](Index a, Index b) {
    const Process& x = state.model.processes[a];
    const Process& y = state.model.processes[b];
    return std::tie(x.source, x.pid) < std::tie(y.source, y.pid);
  });
  return sorted;
}

/// Finds the owner of each process: the process that its lines belong to.
class Owners {
 public:
  explicit Owners(BuilderState& state) : state_(state), owner_(state.processes.size()) {
    std::iota(owner_.begin(), owner_.end(), 0);
    for (Index i = 0; i < static_cast<Index>(owner_.size()); ++i)
      if (!facts(i).host.empty()) named_lines_[facts(i).source] += lines(i);
  }

  void find_in(std::span<const Index> same_pid) {
    std::uint64_t most_lines = 0;
    for (const Index one : same_pid) most_lines = std::max(most_lines, lines(one));
    std::optional<ByHost> wholes;  // built on first use
    for (const Index part : same_pid) {
      if (is_stray(part)) owner_[part] = -1;
      if (!has_many_more(most_lines, lines(part))) continue;
      if (!wholes) wholes.emplace(state_, same_pid);
      const Index best = wholes->find(part);
      if (best < 0 && is_garbled(state_, part, same_pid)) owner_[part] = -1;
      if (best < 0) continue;
      owner_[part] = best;
      absorb(facts(best), facts(part));
      absorb(state_.processes[best], state_.processes[part]);
    }
  }
  /// Returns for each process the process that its lines belong to; -1 if that is unknown.
  const Table<Index>& found() const { return owner_; }

 private:
  Process& facts(Index process) { return state_.model.processes[process]; }
  std::uint64_t lines(Index process) const { return state_.processes[process].lines.nccl_lines; }

  /// Whether the process consists of a few lines without a prefix, in a source where most lines have one. It is unknown
  /// which process printed such lines.
  bool is_stray(Index process) {
    const bool nameless =
        facts(process).host.empty() && facts(process).pid < 0 && state_.processes[process].lifetimes.empty();
    return nameless && has_many_more(named_lines_[facts(process).source], lines(process));
  }

  BuilderState& state_;
  Table<Index> owner_;
  std::map<SourceId, std::uint64_t> named_lines_;  ///< Number of lines with a host, by source.
};

}  // namespace

void resolve_host_aliases(BuilderState& state) {
  Owners owners(state);
  const Table<Index> sorted = by_source_and_pid(state);
  const auto differ = [&](Index a, Index b) {
    const Process& x = state.model.processes[a];
    const Process& y = state.model.processes[b];
    return x.pid != y.pid || x.source != y.source;
  };
  for (auto from = sorted.begin(); from != sorted.end();) {
    const auto to = std::find_if(from, sorted.end(), [&](Index one) { return differ(one, *from); });
    owners.find_in({from, to});
    from = to;
  }
  renumber_processes(state, owners.found());
}

// Renames hosts that lack their first letters and whose process could not be merged, because its pid is damaged too, or
// because the process on the real host has hardly more lines. The new name is that of a host with the same suffix.
void rename_headless_hosts(BuilderState& state) {
  const auto reversed = [](std::string_view host) { return std::string(host.rbegin(), host.rend()); };
  const auto is_headless = [](const Process& one) { return lost_its_head(one.host); };
  if (std::none_of(state.model.processes.begin(), state.model.processes.end(), is_headless)) return;
  std::map<std::pair<SourceId, std::string>, Text> wholes;
  for (const Process& one : state.model.processes)
    if (!is_headless(one)) wholes.emplace(std::pair{one.source, reversed(one.host)}, one.host);
  for (Process& part : state.model.processes) {
    if (!is_headless(part)) continue;
    const std::string end = reversed(part.host);
    const auto whole = wholes.lower_bound({part.source, end});
    if (whole != wholes.end() && whole->first.first == part.source && whole->first.second.starts_with(end))
      part.host = whole->second;
  }
}

}  // namespace nccl_analyze::builder
