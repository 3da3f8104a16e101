// Hosts that are none: what is left of a damaged line's prefix looks like a host of its own. It is an alias of the host
// that it holds a part of, and its lines belong to that host's process.

#include <algorithm>
#include <map>
#include <numeric>
#include <optional>
#include <span>

#include "model/build/builder.h"
#include "model/wording.h"

namespace nccl_analyze::draft {

namespace {

constexpr std::size_t max_compared = 4096;  // processes of one pid
constexpr std::uint64_t few_lines = 2;      // of an alias in which nothing of another host is left

/// Whether a process has so many more lines than another that the other's host may be an alias of its own.
bool has_many_more(std::uint64_t lines, std::uint64_t others) {
  constexpr std::uint64_t times = 8, often = 4;
  return lines >= others * times || (others <= few_lines && lines >= often);
}

/// A host that lost its head, or that something stuck to.
bool is_alias(std::string_view host, std::string_view pod, const Process& whole) {
  if (host.empty() || host == whole.host.view() || pod != whole.pod.view()) return false;
  return whole.host.view().ends_with(host) || host.ends_with(whole.host.view());
}

/// No host's name begins with one of these: its head was lost.
bool lost_its_head(std::string_view host) {
  return !host.empty() && std::string_view{"-._"}.find(host.front()) != std::string_view::npos;
}

/// Processes of one pid by the ends of their hosts' names.
class ByHost {
 public:
  ByHost(const Draft& draft, std::span<const Index> group) : draft_(draft) {
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
  static constexpr int max_candidates = 64;  // a name that ends so many others tells nothing
  const Process& facts(Index process) const { return draft_.facts[static_cast<std::size_t>(process)]; }
  std::uint64_t lines(Index process) const {
    return draft_.processes[static_cast<std::size_t>(process)].lines.nccl_lines;
  }

  const Draft& draft_;
  std::vector<std::pair<std::string, Index>> reversed_;
};

bool has_torn_lines(const Source& source) {
  return source.damaged[static_cast<std::size_t>(Damage::torn)].count +
             source.damaged[static_cast<std::size_t>(Damage::joined)].count !=
         0;
}

/// Takes over what the process does not know itself. Plugins stay out: half a story of theirs misleads.
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

void absorb(ProcessDraft& into, ProcessDraft& from) {
  into.lines += from.lines;
  into.lives.take(from.lives);
}

}  // namespace

/// So many processes of one pid are looked at: in pods many have the same.
Index Folding::find_aliased() const {
  constexpr int max_candidates = 64;
  const Origin& origin = record_->origin;
  const Index* const newest = pid_index_.find(pid_hash(record_->at.source, origin.pid),
                                              [&](Index one) { return has_pid(one, record_->at.source, origin.pid); });
  Index best = -1, candidate = newest == nullptr ? -1 : *newest;
  for (int left = max_candidates; candidate >= 0 && left > 0; --left) {
    const auto index = static_cast<std::size_t>(candidate);
    const Process& whole = job_.facts[index];
    const bool fits =
        has_many_more(job_.processes[index].lines.nccl_lines, 1) && is_alias(origin.host, origin.pod, whole);
    if (fits && (best < 0 || whole.host < job_.facts[static_cast<std::size_t>(best)].host)) best = candidate;
    candidate = job_.processes[index].older;
  }
  return best;
}

void Folding::resolve_host_aliases() {
  std::map<SourceId, std::uint64_t> named_lines;
  for (std::size_t i = 0; i < job_.processes.size(); ++i)
    if (!job_.facts[i].host.empty()) named_lines[job_.facts[i].source] += job_.processes[i].lines.nccl_lines;
  std::vector<Index> owner(job_.processes.size());
  std::iota(owner.begin(), owner.end(), 0);
  const auto pid_of = [this](Index process) {
    const Process& facts = job_.facts[static_cast<std::size_t>(process)];
    return std::pair{facts.source, facts.pid};
  };
  const auto lines_of = [this](Index process) {
    return job_.processes[static_cast<std::size_t>(process)].lines.nccl_lines;
  };
  std::vector<Index> by_pid = owner;
  std::stable_sort(by_pid.begin(), by_pid.end(), [&](Index a, Index b) { return pid_of(a) < pid_of(b); });
  for (auto from = by_pid.begin(); from != by_pid.end();) {
    const auto to = std::find_if(from, by_pid.end(), [&](Index one) { return pid_of(one) != pid_of(*from); });
    const std::span<const Index> group(from, to);
    from = to;
    std::uint64_t most_lines = 0;
    for (const Index one : group) most_lines = std::max(most_lines, lines_of(one));
    std::optional<ByHost> wholes;  // seldom asked for
    for (const Index part : group) {
      ProcessDraft& one = job_.processes[static_cast<std::size_t>(part)];
      // Lines whose prefix is lost altogether are nobody's when they are few; a log without prefixes is another thing.
      const Process& facts = job_.facts[static_cast<std::size_t>(part)];
      const bool nameless = facts.host.empty() && facts.pid < 0 && one.lives.empty();
      if (nameless && has_many_more(named_lines[facts.source], one.lines.nccl_lines))
        owner[static_cast<std::size_t>(part)] = -1;
      if (!has_many_more(most_lines, one.lines.nccl_lines)) continue;
      if (!wholes) wholes.emplace(job_, group);
      const Index best = wholes->find(part);
      if (best < 0 && is_garbled(part, group)) owner[static_cast<std::size_t>(part)] = -1;
      if (best < 0) continue;
      owner[static_cast<std::size_t>(part)] = best;
      absorb(job_.facts[static_cast<std::size_t>(best)], facts);
      absorb(job_.processes[static_cast<std::size_t>(best)], one);
    }
  }
  renumber_processes(owner);
  rename_headless_hosts();
}

/// Where the pid was damaged with the host, or the process shows itself in that line alone: the host is one that ends
/// so.
void Folding::rename_headless_hosts() {
  const auto reversed = [](std::string_view host) { return std::string(host.rbegin(), host.rend()); };
  const auto is_headless = [](const Process& one) { return lost_its_head(one.host); };
  if (std::none_of(job_.facts.begin(), job_.facts.end(), is_headless)) return;
  std::map<std::pair<SourceId, std::string>, Text> wholes;
  for (const Process& one : job_.facts)
    if (!is_headless(one)) wholes.emplace(std::pair{one.source, reversed(one.host)}, one.host);
  for (Process& part : job_.facts) {
    if (!is_headless(part)) continue;
    const std::string end = reversed(part.host);
    const auto whole = wholes.lower_bound({part.source, end});
    if (whole != wholes.end() && whole->first.first == part.source && whole->first.second.starts_with(end))
      part.host = whole->second;
  }
}

/// Hosts of one job are named alike. One that is not, with the pid of a process that is well known and next to nothing
/// to say, in a source where lines were torn, is made of two names.
bool Folding::is_garbled(Index part, std::span<const Index> same_pid) {
  if (same_pid.size() > max_compared) return false;
  const ProcessDraft& one = job_.processes[static_cast<std::size_t>(part)];
  const Process& facts = job_.facts[static_cast<std::size_t>(part)];
  if (one.lines.nccl_lines > few_lines || !one.lives.empty() || !has_torn_lines(source_of(facts.source))) return false;
  bool other_known = false;
  for (const Index index : same_pid) {
    const ProcessDraft& other = job_.processes[static_cast<std::size_t>(index)];
    if (!has_many_more(other.lines.nccl_lines, one.lines.nccl_lines)) continue;
    if (fold_numbers(job_.facts[static_cast<std::size_t>(index)].host) == fold_numbers(facts.host)) return false;
    other_known = true;
  }
  return other_known;
}

void Folding::renumber_processes(const std::vector<Index>& owner) {
  const auto is_its_own = [&](std::size_t i) { return owner[i] == static_cast<Index>(i); };
  std::size_t same = 0;
  while (same < owner.size() && is_its_own(same)) ++same;
  if (same == owner.size()) return;
  std::vector<Index> number(owner.size(), -1);
  std::vector<ProcessDraft> kept;
  std::vector<Process> kept_facts;
  for (std::size_t i = 0; i < owner.size(); ++i) {
    if (!is_its_own(i)) {
      if (owner[i] < 0) stray_lines_ += job_.processes[i].lines;
      continue;
    }
    number[i] = static_cast<Index>(kept.size());
    kept.push_back(std::move(job_.processes[i]));
    kept_facts.push_back(std::move(job_.facts[i]));
  }
  const auto move_to_owner = [&](Index& process) {
    if (process < 0) return;
    const Index final_owner = owner[static_cast<std::size_t>(process)];
    process = final_owner < 0 ? -1 : number[static_cast<std::size_t>(final_owner)];
  };
  job_.processes = std::move(kept);
  job_.facts = std::move(kept_facts);
  for (CommDraft& comm : job_.comms)
    for (Rank& rank : comm.comm.ranks) move_to_owner(rank.process);
  job_.batches.renumber_processes(move_to_owner);
  keeper_.visit_incidents([&](Incident& incident) { move_to_owner(incident.process); });
  for (StuckRank& stuck : stuck_) move_to_owner(stuck.process);
  for (UnnamedCalls& unnamed : unnamed_calls_) move_to_owner(unnamed.process);
}

}  // namespace nccl_analyze::draft
