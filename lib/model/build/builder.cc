// Who speaks in a record, and what becomes of the draft in the end.

#include "model/build/builder.h"

#include <algorithm>
#include <set>
#include <utility>

#include "model/build/releases.h"
#include "model/resolve/first_communicators.h"

namespace nccl_analyze::draft {

namespace {

std::size_t process_hash(std::int64_t pid, std::string_view host, std::string_view pod) {
  return spread(hash_of(host) * 31 + hash_of(pod) * 17 + static_cast<std::size_t>(pid));
}

}  // namespace

bool Folding::is_origin(const Process& known, const Origin& origin) const {
  return known.pid == origin.pid && known.source == record_->at.source && known.host == origin.host &&
         known.pod == origin.pod;
}

std::size_t Folding::recent_slot(const Origin& origin) {
  return spread(ends_of(origin.host) ^ static_cast<std::uint64_t>(origin.pid) << 32U) % recent_processes;
}

Index Folding::make_process(Index twin) {
  const Origin& origin = record_->origin;
  const auto number = static_cast<Index>(job_.processes.size());
  job_.processes.emplace_back().twin = twin;
  Process& made = job_.facts.emplace_back();
  made.source = record_->at.source;
  made.pid = origin.pid;
  made.host = shared(origin.host);
  made.pod = shared(origin.pod);
  made.container = shared(origin.container);
  made.first = record_->at;
  const std::size_t hash = pid_hash(made.source, made.pid);
  if (Index* const newest = pid_index_.find(hash, [&](Index one) { return has_pid(one, made.source, made.pid); }))
    job_.processes.back().older = std::exchange(*newest, number);
  else
    pid_index_.add(number, hash, [this](Index one) {
      const Process& of = job_.facts[static_cast<std::size_t>(one)];
      return pid_hash(of.source, of.pid);
    });
  const auto source = static_cast<std::size_t>(record_->at.source);
  if (inhabitants_.size() <= source) inhabitants_.resize(source + 1);
  inhabitants_[source].process = number;
  ++inhabitants_[source].count;
  return number;
}

Index* Folding::newest_process(const Origin& origin) {
  return process_index_.find(process_hash(origin.pid, origin.host, origin.pod), [&](Index one) {
    const Process& known = job_.facts[static_cast<std::size_t>(one)];
    return known.pid == origin.pid && known.host == origin.host && known.pod == origin.pod;
  });
}

inline bool Folding::find_process() {
  const Record& record = *record_;
  KnownSender& known = senders_[record.sender % recent_processes];
  // The pod is the wrapper's, of which the sender's number says nothing.
  if (!known.is_of(record) || job_.facts[static_cast<std::size_t>(known.process)].pod != record.origin.pod) {
    const Index process = find_process_by_name();
    if (process < 0) return false;
    known = {record.sender, record.at.source, process};
  }
  turn_to(known.process);
  facts().last = record.at;
  if (record.level == Level::info) facts().info_seen = true;
  return true;
}

Index Folding::find_process_by_name() {
  const Origin& origin = record_->origin;
  Index& recent = recent_process_[recent_slot(origin)];
  if (recent < 0 || !is_origin(job_.facts[static_cast<std::size_t>(recent)], origin)) {
    Index* const newest = newest_process(origin);
    Index known = newest == nullptr ? -1 : *newest;
    while (known >= 0 && !is_origin(job_.facts[static_cast<std::size_t>(known)], origin))
      known = job_.processes[static_cast<std::size_t>(known)].twin;
    if (known < 0) {
      if (const Index aliased = find_aliased(); aliased >= 0) return aliased;
      if (job_.processes.size() >= limits_.max_processes) {
        dropped_ += record_->times;
        return -1;
      }
      known = make_process(newest == nullptr ? -1 : *newest);
      if (newest != nullptr)
        *newest = known;
      else
        process_index_.add(known, process_hash(origin.pid, origin.host, origin.pod), [this](Index one) {
          const Process& of = job_.facts[static_cast<std::size_t>(one)];
          return process_hash(of.pid, of.host, of.pod);
        });
    }
    recent = known;
  }
  return recent;
}

ThreadDraft& Folding::thread() {
  auto& threads = process_->threads;
  if (const std::uint32_t* const known = threads.find(record_->origin.tid)) return threads_[*known];
  const std::int64_t tid = threads.size() < limits_.max_threads ? record_->origin.tid : -2;
  if (const std::uint32_t* const known = threads.find(tid)) return threads_[*known];
  const auto number = static_cast<std::uint32_t>(threads_.size());
  threads[tid] = number;
  threads_.emplace_back().number = number;
  return threads_.back();
}

Rank* Folding::rank_in_init() {
  const ThreadDraft& now = thread();
  return now.current.comm >= 0 && now.in_init && !now.mixed ? &rank_of(now.current) : nullptr;
}

RankRef Folding::begin_nameless(ThreadDraft& now, int rank) {
  if (job_.comms.size() >= limits_.max_communicators) {
    dropped_ += record_->times;
    return {};
  }
  now.current = {static_cast<Index>(job_.comms.size()), 0};
  now.in_init = true;
  CommDraft& made = job_.comms.emplace_back();
  made.named = false;
  made.alone = true;
  made.comm.inferred = true;
  made.comm.first = record_->at;
  made.opened = now.idle_since != 0 ? now.idle_since : record_->at.line;
  Rank& own = made.comm.ranks.emplace_back();
  own.rank = rank;
  own.process = process_number_;
  own.phase = InitPhase::topology;
  own.started_at = record_->at;
  if (rank >= 0) made.note_slot(0);
  now.life = process_->lives.begin(now.current, made.opened);
  return now.current;
}

void Folding::learn_rank(RankRef ref, int rank) {
  rank_of(ref).rank = rank;
  comm_of(ref).note_slot(ref.slot);
}

RankRef Folding::rank_being_built(int rank) {
  ThreadDraft& now = thread();
  if (now.mixed) return {};
  if (!now.in_init) return begin_nameless(now, rank);
  Rank& own = rank_of(now.current);
  if (rank < 0 || own.rank == rank) return now.current;
  if (own.rank < 0) {
    learn_rank(now.current, rank);
    return now.current;
  }
  if (comm_of(now.current).named) return {};
  close_batch(now, BatchKind::unknown);
  if (record_->origin.tid < 0) {
    now.mixed = true;
    return {};
  }
  return begin_nameless(now, rank);
}

RankRef Folding::find_live(std::uint64_t pointer, int rank) {
  if (const LiveRank* const own = process_->by_pointer.find(pointer)) return own->ref;
  for (Index twin = process_->twin; twin >= 0;) {
    const ProcessDraft& other = job_.processes[static_cast<std::size_t>(twin)];
    const LiveRank* const found = other.by_pointer.find(pointer);
    if (found != nullptr && rank >= 0 && rank_of(found->ref).rank == rank) {
      const RankRef ref = found->ref;
      begin_life(pointer, ref);
      return ref;
    }
    twin = other.twin;
  }
  return {};
}

RankRef Folding::speaker(Hex comm, int rank, int nranks) {
  if (comm.value == 0) return rank_being_built(rank);
  const RankRef live = find_live(comm.value, rank);
  if (live.comm >= 0 || rank < 0 || nranks <= 0) return live;
  return join(
      {.function = {}, .comm = comm, .rank = rank, .nranks = nranks, .bus_id = {}, .comm_id = {}, .parent = {}});
}

void Folding::reach(Rank& rank, InitPhase phase) {
  if (rank.state == RankState::started) rank.phase = std::max(rank.phase, phase);
}

void Folding::add_bare_version(const VersionPrinted& event) {
  BareVersion& kept = bare_versions_[record_->at.source];
  // PyTorch to 1.10 prints 21003, which is 2.10.3, as 21.0.3
  const bool misprinted = event.version.size() > 2 && event.version.starts_with('2') && event.version.find('.') == 2;
  if (misprinted && !kept.version.empty()) return;
  if (kept.version.empty()) kept.at = quoted();
  kept.differ = kept.differ || (!kept.version.empty() && kept.version != event.version);
  kept.version = event.version;
  kept.library = event.library;
  if (const std::string_view toolkit = known_toolkit(event.toolkit); !toolkit.empty()) kept.toolkit = toolkit;
  kept.lines.nccl_lines += record_->times;
}

void Folding::add(const Record& given) {
  record_ = &given;
  if (given.level == Level::outside) return add_outside();
  if (given.level == Level::version)
    if (const auto* version = std::get_if<VersionPrinted>(&given.event)) return add_bare_version(*version);
  if (given.damage != Damage::none)
    source_of(given.at.source).damaged[static_cast<std::size_t>(given.damage)].add(quoted(), given.times);
  const bool found = find_process();
  LineCounts& lines = found ? process_->lines : stray_lines_;
  lines.nccl_lines += given.times;
  if (std::holds_alternative<Unrecognized>(given.event)) lines.unrecognized += given.times;
  if (!found) return;
  date_process();
  made_incident_ = false;
  std::visit([this](const auto& event) { apply(event); }, given.event);
  // what NCCL warns of is never just a fact
  if (is_warning(given) && !made_incident_ && !given.message.empty()) add_unread_record();
}

void Folding::date_process() {
  const int kind = dating_kind(record_->event);
  if (kind < 0 || record_->damage != Damage::none || (process_->dated & 1U << kind) != 0) return;
  process_->dated = static_cast<std::uint16_t>(process_->dated | 1U << kind);
  if (narrow(facts().releases, record_->message, record_->at)) quoted();
}

void Folding::add_source(SourceId source, std::string_view name, const ParseStats& stats) {
  Source& known = source_of(source);
  known.name = name;
  known.stats = stats;
}

Source& Folding::source_of(SourceId source) {
  const auto index = static_cast<std::size_t>(source);
  if (sources_.size() <= index) sources_.resize(index + 1);
  return sources_[index];
}

/// Versions without a prefix: a source that shows no process has one, and processes that print none have this one.
void Folding::add_unnamed_processes() {
  for (const auto& entry : bare_versions_) {
    const SourceId source = entry.first;
    const BareVersion& bare = entry.second;
    const bool spoken =
        std::any_of(job_.facts.begin(), job_.facts.end(), [&](const Process& one) { return one.source == source; });
    if (spoken || bare.differ) continue;
    job_.processes.emplace_back();
    Process& made = job_.facts.emplace_back();
    made.source = source;
    made.first = made.last = bare.at;
    made.version_at = bare.at;
  }
  for (Process& done : job_.facts) {
    const auto bare = bare_versions_.find(done.source);
    if (!done.version.empty() || bare == bare_versions_.end() || bare->second.differ) continue;
    done.library = bare->second.library;
    done.version = bare->second.version;
    done.toolkit = bare->second.toolkit;
    done.version_at = bare->second.at;
  }
}

DeviceNaming Folding::common_naming() const {
  std::set<DeviceNaming> all;
  const Process* last = nullptr;  // processes of one job mostly tell the same
  for (const Process& one : job_.facts) {
    if (one.version.empty() || (last != nullptr && last->version == one.version && last->library == one.library))
      continue;
    last = &one;
    all.insert(naming_of(one.library, one.version));
  }
  for (const auto& bare : bare_versions_) all.insert(naming_of(bare.second.library, bare.second.version));
  return all.size() == 1 ? *all.begin() : DeviceNaming::unknown;
}

Model Folding::build() {
  for (std::size_t i = 0; i < job_.processes.size(); ++i) {
    turn_to(static_cast<Index>(i));
    ProcessDraft& one = *process_;
    one.threads.each([this](std::uint32_t thread) { close_batch(threads_[thread], BatchKind::unknown); });
    one.threads = {};
  }
  distrust_parted_logs();
  drop_known_calls();
  std::vector<ThreadDraft>().swap(threads_);
  closed_batches_ = {};
  comm_index_ = {};
  process_index_ = {};
  pid_index_ = {};
  text_index_ = {};
  texts_ = {};
  recent_texts_ = {};
  host_table_ = {};
  resolve_host_aliases();
  job_.naming = common_naming();
  join_communicators(job_);
  job_.batches.sort();
  attribute_batches(job_);
  drop_joined_communicators();

  add_unnamed_processes();
  Model model;
  model.communicators.reserve(job_.comms.size());
  model.sources = std::move(sources_);
  model.versions = sum_versions();
  model.processes = std::move(job_.facts);
  job_.processes = {};
  for (; !job_.comms.empty(); job_.comms.pop_front())
    model.communicators.push_back(finish(job_.comms.front(), job_.transports));
  model.ambiguities = std::move(job_.ambiguities);
  keeper_.finish(model);
  model.stuck = std::move(stuck_);
  model.launch_counts = std::move(launch_counts_);
  model.unnamed_calls = std::move(unnamed_calls_);
  model.dropped += dropped_;
  for (HostDraft& one : job_.hosts) model.hosts.push_back(std::move(one.host));
  put_in_order(model);
  find_first_communicators(model);
  resolve_incidents(model);
  place_hosts(model);
  place_nodes(model);
  return model;
}

}  // namespace nccl_analyze::draft
