#include "model/build/senders.h"

#include <algorithm>
#include <span>
#include <utility>

#include "model/build/garbled_host.h"
#include "text/launcher_tag.h"

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

/// Whether the process has the rank in PyTorch's tag, `[rank3`, in one of its first communicators, which usually span
/// the whole job.
bool has_rank(const Context& context, const Lifetimes& lifetimes, std::string_view tag) {
  constexpr std::size_t most = 256;
  const int rank = rank_of_tag(tag);
  const std::span first(lifetimes.all().data(), std::min(lifetimes.all().size(), most));
  return std::ranges::any_of(first, [&](const Lifetime& life) {
    return life.ref.comm >= 0 && context.state.comm(life.ref.comm).rank_at(life.ref.slot).rank == rank;
  });
}

/// Returns the rank of a process in the largest of its first communicators, which usually spans the whole job; -1 if it
/// has no rank.
int rank_in_job(const Context& context, const Lifetimes& lifetimes) {
  constexpr std::size_t most = 16;
  int rank = -1, size = -1;
  for (const Lifetime& life : std::span(lifetimes.all().data(), std::min(lifetimes.all().size(), most))) {
    if (life.ref.comm < 0 || context.state.comm(life.ref.comm).comm.nranks <= size) continue;
    size = context.state.comm(life.ref.comm).comm.nranks;
    rank = context.state.comm(life.ref.comm).rank_at(life.ref.slot).rank;
  }
  return rank;
}

/// Whether a communicator of the process has more ranks than nodes. If so, the output of a node may come from several
/// processes; programs often let only one of them print NCCL's lines.
bool may_share_node(const Context& context, const Lifetimes& lifetimes) {
  constexpr std::size_t most = 16;
  const std::span first(lifetimes.all().data(), std::min(lifetimes.all().size(), most));
  return std::ranges::any_of(first, [&](const Lifetime& life) {
    if (life.ref.comm < 0) return false;
    const Communicator& comm = context.state.comm(life.ref.comm).comm;
    return comm.nnodes > 0 && comm.nranks > comm.nnodes;
  });
}

bool is_origin(const Process& known, const Record& record) {
  const Origin& origin = record.origin;
  return known.pid == origin.pid && known.source == record.at.source && known.host == origin.host &&
         known.pod == origin.pod;
}

}  // namespace

void Senders::reserve(const Context& context, std::size_t processes) {
  const auto& all = context.state.model.processes;
  pid_index_.reserve(processes, [&](Index one) { return pid_hash(all[one].source, all[one].pid); });
  process_index_.reserve(processes, [&](Index one) { return process_hash(all[one].pid, all[one].host, all[one].pod); });
}

bool Senders::has_room(const Context& context) const {
  const std::size_t most_beyond = context.limits.max_processes / 3125;  // 64 of the usual limit
  const auto source = static_cast<std::size_t>(context.record->at.source);
  return context.state.processes.size() < context.limits.max_processes ||
         (source < inhabitants_.size() ? inhabitants_[source].count : 0) < most_beyond;
}

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

bool Senders::find_or_add_process(Context& context, KnownSender& known) {
  const Record& record = *context.record;
  const Index process = find_by_name(context);
  if (process < 0) return false;
  // A line with a garbled host may turn out to be of another process when more lines are known.
  const bool is_certain = is_origin(context.state.model.processes[process], record);
  known = {is_certain ? record.sender : 0, record.at.source, process, context.state.model.processes[process].pod};
  if (!record.origin.decoration.empty() || !record.origin.pod.empty()) note_tags(context, process);
  return true;
}

void Senders::follow_restart(Context& context, KnownSender& known) {
  const Index before = known.process;
  if (!has_lived(context, before)) return;
  known = {context.record->sender, context.record->at.source, restart(context, before), known.pod};
  note_tags(context, known.process, before);
}

bool Senders::has_lived(Context& context, Index known) {
  const Process& process = context.state.model.processes[known];
  if (process.pid < 0 || process.bootstrap_at.line == 0) return false;
  const auto& lifetimes = context.state.processes[known].lifetimes.all();
  return std::any_of(lifetimes.begin(), lifetimes.end(), [&](const Lifetime& life) {
    return life.ref.comm >= 0 && context.rank(life.ref).state != RankState::started;
  });
}

Index Senders::restart(Context& context, Index known) {
  constexpr int most = 1024;
  if (restarts_ >= most || !has_room(context)) return known;
  ++restarts_;
  const Index made = make_process(context, context.state.processes[known].twin);
  --inhabitants_[static_cast<std::size_t>(context.record->at.source)].count;
  for (Index* link = newest_process(context); link != nullptr && *link >= 0;
       link = &context.state.processes[*link].twin)
    if (*link == known) {
      *link = made;
      context.state.processes[known].replaced = true;
      break;
    }
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
  if (recent >= 0 && !context.state.processes[recent].replaced &&
      is_origin(context.state.model.processes[recent], *context.record))
    return recent;
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
  if (!has_room(context)) {
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
  constexpr int max_candidates = 64;  // Limit on processes with the same pid, which are common in pods.
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

Senders::Tag Senders::tag_of(const Record& record) {
  const Origin& origin = record.origin;
  std::string_view tag = launcher_tag(origin.decoration);
  // The log was printed with line numbers, which are no tag.
  if (tag == std::to_string(record.at.line) + ":") tag = {};
  return {record.at.source, std::string(origin.pod), std::string(origin.container), std::string(tag)};
}

void Senders::note_tags(const Context& context, Index process, Index before) {
  constexpr std::size_t max_tags = 1 << 18;
  const Tag tag = tag_of(*context.record);
  const auto note = [&](const Tag& one) {
    if (tags_.size() >= max_tags && !tags_.contains(one)) return;
    const auto [known, is_new] = tags_.try_emplace(one, process);
    if (!is_new && known->second != process) known->second = known->second == before ? process : several;
  };
  const auto& [source, pod, container, own] = tag;
  if (!pod.empty() || !own.empty()) note(tag);
  if (!pod.empty() && !own.empty()) note({source, pod, container, {}});
  const auto number = static_cast<std::size_t>(process);
  if (tagged_.size() <= number) tagged_.resize(number + 1, 0);
  if (!own.empty()) tagged_[number] = 1;
}

Index Senders::find_by_tag(const Tag& tag) const {
  const auto known = tags_.find(tag);
  return known == tags_.end() ? -1 : known->second;
}

Index Senders::only_process(const Context& context) const {
  const auto source = static_cast<std::size_t>(context.record->at.source);
  return source < inhabitants_.size() && inhabitants_[source].count == 1 ? inhabitants_[source].process : -1;
}

bool Senders::may_print(const Context& context, Index process, const Tag& tag, bool quotes_nccl) const {
  const auto& [source, pod, container, own] = tag;
  const Lifetimes& lifetimes = context.state.processes[process].lifetimes;
  // A launcher that tags the lines of this process would have tagged this line too.
  if (own.empty()) return pod.empty() && !is_tagged(process) && !may_share_node(context, lifetimes);
  if (!is_rank_tag(own) || is_tagged(process)) return false;
  if (pod != context.state.model.processes[process].pod) return false;
  // PyTorch prints `[rank3]:` if no launcher tags the lines. A quote of NCCL's output comes from a process that prints
  // NCCL's lines, as this process does.
  return lifetimes.all().empty() ? quotes_nccl : has_rank(context, lifetimes, own);
}

Index Senders::find_by_rank(const Context& context, const Tag& tag) const {
  constexpr std::size_t most = 1024;  // Limit on the processes that are searched for each unknown tag.
  const auto& [source, pod, container, own] = tag;
  const int rank = rank_of_tag(own);
  const auto& all = context.state.model.processes;
  if (rank < 0 || all.size() > most) return -1;
  Index found = -1;
  for (Index i = 0; i < static_cast<Index>(all.size()); ++i) {
    if (all[i].source != source || all[i].pod != pod || is_tagged(i)) continue;
    if (rank_in_job(context, context.state.processes[i].lifetimes) != rank) continue;
    if (found >= 0) return -1;
    found = i;
  }
  return found;
}

bool Senders::select_printer(Context& context, bool quotes_nccl) {
  if (context.record->origin.pid >= 0) {
    const Index printer = find_known(context, newest_process(context));
    if (printer >= 0 || !quotes_nccl) {
      context.select_process(printer);
      return true;
    }
  }
  const Tag tag = tag_of(*context.record);
  const Index tagged = find_by_tag(tag), only = only_process(context);
  Index process = tagged;
  if (tagged == -1 && only >= 0 && may_print(context, only, tag, quotes_nccl)) process = only;
  if (tagged == -1 && only < 0) process = find_by_rank(context, tag);
  const auto source = static_cast<std::size_t>(context.record->at.source);
  const bool is_alone = source >= inhabitants_.size() || inhabitants_[source].count == 0;
  const bool is_new = tagged == -1 && (is_alone || !std::get<3>(tag).empty());
  if (quotes_nccl && process < 0 && is_new && has_room(context)) {
    process = make_process(context, -1);
    note_tags(context, process);
  }
  context.select_process(std::max<Index>(process, -1));
  return process >= 0 || !quotes_nccl;
}

}  // namespace nccl_analyze::builder
