#include "model/build/senders.h"

#include <algorithm>
#include <utility>

#include "model/build/garbled_host.h"

namespace nccl_analyze::builder {

namespace {

std::size_t process_hash(std::int64_t pid, std::string_view host, std::string_view pod) {
  return spread(hash_of(host) * 31 + hash_of(pod) * 17 + static_cast<std::size_t>(pid));
}

std::size_t pid_hash(SourceId source, std::int64_t pid) {
  return spread(static_cast<std::uint64_t>(pid) ^ static_cast<std::uint64_t>(source) << 32U);
}

/// Hashes the last letters of the host, in which hosts of a job differ, and the pid, in which processes of a host
/// differ.
std::size_t origin_hash(const Origin& origin) {
  return spread(ends_of(origin.host) ^ static_cast<std::uint64_t>(origin.pid) << 32U);
}

bool is_origin(const Process& known, const Record& record) {
  const Origin& origin = record.origin;
  return known.pid == origin.pid && known.source == record.at.source && known.host == origin.host &&
         known.pod == origin.pod;
}

}  // namespace

Index Senders::make_process(Context& context, Index twin) {
  const Origin& origin = context.record->origin;
  const auto number = static_cast<Index>(context.state.processes.size());
  context.state.processes.emplace_back().twin = twin;
  Process& made = context.state.model.processes.emplace_back();
  made.source = context.record->at.source;
  made.pid = origin.pid;
  made.host = context.shared(origin.host);
  made.pod = context.shared(origin.pod);
  made.container = context.shared(origin.container);
  made.first = context.record->at;
  const auto& all = context.state.model.processes;
  const std::size_t hash = pid_hash(made.source, made.pid);
  const auto is_same = [&](Index one) { return all[one].pid == made.pid && all[one].source == made.source; };
  if (Index* const newest = pid_index_.find(hash, is_same))
    context.state.processes.back().older = std::exchange(*newest, number);
  else
    pid_index_.add(number, hash, [&](Index one) { return pid_hash(all[one].source, all[one].pid); });
  const auto source = static_cast<std::size_t>(made.source);
  if (inhabitants_.size() <= source) inhabitants_.resize(source + 1);
  inhabitants_[source].process = number;
  ++inhabitants_[source].count;
  return number;
}

bool Senders::has_lived(Context& context, Index known) {
  const Process& process = context.state.model.processes[known];
  if (process.pid < 0 || process.bootstrap_at.line == 0) return false;
  const auto& lives = context.state.processes[known].lives.all();
  return std::any_of(lives.begin(), lives.end(), [&](const Life& life) {
    return life.ref.comm >= 0 && context.rank(life.ref).state != RankState::started;
  });
}

Index Senders::restart(Context& context, Index known) {
  constexpr int most = 1024;  // each one empties the caches
  if (restarts_ >= most || context.state.processes.size() >= context.limits.max_processes) return known;
  ++restarts_;
  const Index made = make_process(context, context.state.processes[known].twin);
  --inhabitants_[static_cast<std::size_t>(context.record->at.source)].count;
  for (Index* link = newest_process(context); link != nullptr && *link >= 0;
       link = &context.state.processes[*link].twin)
    if (*link == known) {
      *link = made;
      break;
    }
  senders_.fill({});
  recent_process_.fill(-1);
  return made;
}

Index* Senders::newest_process(const Context& context) {
  const Origin& origin = context.record->origin;
  return process_index_.find(process_hash(origin.pid, origin.host, origin.pod), [&](Index one) {
    const Process& known = context.state.model.processes[one];
    return known.pid == origin.pid && known.host == origin.host && known.pod == origin.pod;
  });
}

Index Senders::find_known(const Context& context, const Index* newest) {
  Index known = newest == nullptr ? -1 : *newest;
  while (known >= 0 && !is_origin(context.state.model.processes[known], *context.record))
    known = context.state.processes[known].twin;
  return known;
}

Index Senders::find_by_name(Context& context) {
  Index& recent = recent_process_[origin_hash(context.record->origin) % cached];
  if (recent >= 0 && is_origin(context.state.model.processes[recent], *context.record)) return recent;
  Index* const newest = newest_process(context);
  Index known = find_known(context, newest);
  if (known < 0) {
    if (const Index aliased = find_aliased(context); aliased >= 0) return aliased;
    known = add_by_name(context, newest);
    if (known < 0) return -1;
  }
  return recent = known;
}

Index Senders::add_by_name(Context& context, Index* newest) {
  if (context.state.processes.size() >= context.limits.max_processes) {
    context.drop();
    return -1;
  }
  const Index made = make_process(context, newest == nullptr ? -1 : *newest);
  if (newest != nullptr) return *newest = made;
  const auto hash_at = [&](Index one) {
    const Process& of = context.state.model.processes[one];
    return process_hash(of.pid, of.host, of.pod);
  };
  process_index_.add(made, hash_at(made), hash_at);
  return made;
}

Index Senders::find_aliased(const Context& context) const {
  constexpr int max_candidates = 64;  // processes with the same pid, which is common in pods
  const Origin& origin = context.record->origin;
  const SourceId source = context.record->at.source;
  const auto& all = context.state.model.processes;
  const Index* const newest = pid_index_.find(
      pid_hash(source, origin.pid), [&](Index one) { return all[one].pid == origin.pid && all[one].source == source; });
  Index best = -1, candidate = newest == nullptr ? -1 : *newest;
  for (int left = max_candidates; candidate >= 0 && left > 0; --left) {
    const ProcessState& state = context.state.processes[candidate];
    const Process& whole = all[candidate];
    const bool fits = has_many_more(state.lines.nccl_lines, 1) && is_alias(origin.host, origin.pod, whole);
    if (fits && (best < 0 || whole.host < all[best].host)) best = candidate;
    candidate = state.older;
  }
  return best;
}

bool Senders::turn_to_printer(Context& context, bool quotes_nccl) {
  if (context.record->origin.pid >= 0) {
    const Index printer = find_known(context, newest_process(context));
    if (printer >= 0 || !quotes_nccl) {
      context.turn_to(printer);
      return true;
    }
  }
  const auto source = static_cast<std::size_t>(context.record->at.source);
  const Inhabitants known = source < inhabitants_.size() ? inhabitants_[source] : Inhabitants{};
  Index process = known.count == 1 ? known.process : -1;
  if (quotes_nccl && known.count == 0 && context.state.processes.size() < context.limits.max_processes)
    process = make_process(context, -1);
  context.turn_to(process);
  return process >= 0 || !quotes_nccl;
}

}  // namespace nccl_analyze::builder
