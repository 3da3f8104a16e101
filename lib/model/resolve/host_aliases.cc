// Garbled hosts: what is left of a damaged line's prefix looks like a host of its own. It is an alias of the host that
// it holds a part of, and its lines belong to that host's process.

#include <algorithm>
#include <map>
#include <numeric>
#include <optional>
#include <span>
#include <string>
#include <tuple>

#include "model/build/garbled_host.h"
#include "model/resolve/passes.h"
#include "model/wording.h"

namespace nccl_analyze::builder {

namespace {

constexpr std::size_t max_compared = 4096;  // processes of one pid

/// No host's name begins with one of these: its head was lost.
bool lost_its_head(std::string_view host) {
  return !host.empty() && std::string_view{"-._"}.find(host.front()) != std::string_view::npos;
}

/// Processes of one pid by the ends of their hosts' names.
class ByHost {
 public:
  ByHost(const BuilderState& state, std::span<const Index> group) : state_(state) {
    for (const Index index : group) {
      const std::string_view host = facts(index).host;
      reversed_.emplace_back(std::string(host.rbegin(), host.rend()), index);
    }
    std::sort(reversed_.begin(), reversed_.end());
  }

  /// The process with most lines of those whose host this one's may be an alias of; -1 = none.
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
  static constexpr int max_candidates = 64;  // the end of so many names decides nothing
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

/// Takes over facts that the process lacks. Plugins stay out: a part of their lines would be misread.
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
  into.lives.take(from.lives);
}

/// Hosts of one job are named alike. One that is not, with the pid of another process that has many lines and next to
/// none of its own, in a source where lines were torn, is made of two names.
bool is_garbled(const BuilderState& state, Index part, std::span<const Index> same_pid) {
  if (same_pid.size() > max_compared) return false;
  const ProcessState& one = state.processes[part];
  const Process& facts = state.model.processes[part];
  if (one.lines.nccl_lines > few_lines || !one.lives.empty() || !has_torn_lines(state.model, facts.source))
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

/// Moves what refers to processes to their owners; -1 = the process has none, and its lines are dropped.
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

/// Processes of one source and pid, one group behind the other.
Table<Index> by_source_and_pid(const BuilderState& state) {
  Table<Index> sorted(state.processes.size());
  std::iota(sorted.begin(), sorted.end(), 0);
  std::stable_sort(sorted.begin(), sorted.end(), [&](Index a, Index b) {
    const Process& x = state.model.processes[a];
    const Process& y = state.model.processes[b];
    return std::tie(x.source, x.pid) < std::tie(y.source, y.pid);
  });
  return sorted;
}

/// Finds the process that each process belongs to.
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
    std::optional<ByHost> wholes;  // seldom needed
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
  /// By process; -1 = none.
  const Table<Index>& found() const { return owner_; }

 private:
  Process& facts(Index process) { return state_.model.processes[process]; }
  std::uint64_t lines(Index process) const { return state_.processes[process].lines.nccl_lines; }

  /// Lines whose prefix is lost altogether are of no process when they are few; a log without prefixes has many.
  bool is_stray(Index process) {
    const bool nameless =
        facts(process).host.empty() && facts(process).pid < 0 && state_.processes[process].lives.empty();
    return nameless && has_many_more(named_lines_[facts(process).source], lines(process));
  }

  BuilderState& state_;
  Table<Index> owner_;
  std::map<SourceId, std::uint64_t> named_lines_;  ///< Lines with a host, by source.
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

// A process whose pid was damaged too, or that has one line, has no owner: its host is renamed to one that ends alike.
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
