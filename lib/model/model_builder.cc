// Folds records into the draft of the model: one `apply` for each event that the model uses.

#include <charconv>
#include <tuple>
#include <utility>

#include "model/draft.h"
#include "model/keeper.h"

namespace nccl_analyze {

using draft::BatchKind;
using draft::CommDraft;
using draft::ProcessDraft;
using draft::RankRef;
using draft::ThreadDraft;

namespace {

constexpr int max_channel = 1023;  // MAXCHANNELS is 64; anything far above is damage

/// Events that carry nothing the model keeps. An event that is neither here nor has an `apply` does not compile.
template <class E>
constexpr bool unused = false;
template <>
constexpr bool unused<AlgorithmChosen> = true;
template <>
constexpr bool unused<CollectiveCalled> = true;
template <>
constexpr bool unused<P2pChecked> = true;
template <>
constexpr bool unused<CommConfigSet> = true;
template <>
constexpr bool unused<PluginSymbolMissing> = true;
template <>
constexpr bool unused<PluginAssigned> = true;
template <>
constexpr bool unused<NicGdrReported> = true;
template <>
constexpr bool unused<SystemPrinted> = true;
template <>
constexpr bool unused<PathsPrinted> = true;
template <>
constexpr bool unused<GraphChannelPrinted> = true;
template <>
constexpr bool unused<Noted> = true;

int decimal(std::string_view text) {
  int value = -1;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc{} && end == text.data() + text.size() ? value : -1;
}

/// NCCL ends numeric settings with a period: `NCCL_IB_TIMEOUT set by environment to 22.`
std::string_view without_period(std::string_view value) {
  if (!value.ends_with('.')) return value;
  const std::string_view number = value.substr(0, value.size() - 1);
  const bool numeric = !number.empty() && number.find_first_not_of("-0123456789") == std::string_view::npos;
  return numeric ? number : value;
}

std::string_view trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(' ');
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(' ') - first + 1);
}

std::string lower(std::string_view text) {
  std::string result(text);
  for (char& c : result)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return result;
}

/// `major.minor.patch` at or after another; unknown versions count as new.
bool at_least(std::string_view version, std::array<int, 3> wanted) {
  std::array<int, 3> parts{};
  const char* at = version.data();
  const char* const end = version.data() + version.size();
  for (int& part : parts) {
    const auto [after, error] = std::from_chars(at, end, part);
    if (error != std::errc{}) return version.empty();
    at = after == end ? after : after + 1;
  }
  return parts >= wanted;
}

}  // namespace

struct ModelBuilder::Impl {
  ModelLimits limits;
  draft::Draft job;
  draft::Keeper keeper;
  std::vector<Source> sources;
  std::uint64_t dropped = 0;

  struct ProcessKey {
    SourceId source;
    std::int64_t pid;
    std::string host, pod;
    friend bool operator==(const ProcessKey&, const ProcessKey&) = default;
  };
  struct HashProcess {
    std::size_t operator()(const ProcessKey& key) const {
      return std::hash<std::string>{}(key.host) * 31 + std::hash<std::string>{}(key.pod) * 17 +
             std::hash<std::int64_t>{}(key.pid) + static_cast<std::size_t>(key.source);
    }
  };
  std::unordered_map<ProcessKey, Index, HashProcess> process_index;
  /// The last process seen for a pid's low bits: most lines come from one of a few hundred.
  static constexpr std::size_t recent_processes = 4096;
  std::array<Index, recent_processes> recent_process;

  struct CommKey {
    std::uint64_t comm_id;
    Index parent;
    int split_count, color, nranks, generation;
    friend auto operator<=>(const CommKey&, const CommKey&) = default;
  };
  std::map<CommKey, Index> comm_index;
  std::unordered_map<std::uint32_t, std::array<std::string, 3>>
      bare_versions;  ///< By source: library, version, toolkit
  std::map<std::string, std::uint16_t, std::less<>> transport_index;
  std::string key_scratch;

  // The record at hand.
  const Record* record = nullptr;
  ProcessDraft* process = nullptr;
  Index process_number = -1;

  explicit Impl(ModelLimits given) : limits(given), keeper(given) { recent_process.fill(-1); }

  // ---- who speaks ----

  bool is_origin(const Process& known, const Origin& origin) const {
    return known.pid == origin.pid && known.source == record->at.source && known.host == origin.host &&
           known.pod == origin.pod;
  }

  /// Hosts of one job differ in their last bytes, processes of one host in their pids.
  static std::size_t recent_slot(const Origin& origin) {
    std::size_t hash = static_cast<std::size_t>(origin.pid) * 2654435761U;
    for (const char c : origin.host.substr(origin.host.size() - std::min<std::size_t>(origin.host.size(), 4)))
      hash = hash * 31 + static_cast<unsigned char>(c);
    return hash % recent_processes;
  }

  bool find_process() {
    const Origin& origin = record->origin;
    Index& recent = recent_process[recent_slot(origin)];
    if (recent < 0 || !is_origin(job.processes[static_cast<std::size_t>(recent)].process, origin)) {
      ProcessKey key{record->at.source, origin.pid, std::string(origin.host), std::string(origin.pod)};
      const auto found = process_index.find(key);
      if (found != process_index.end()) {
        recent = found->second;
      } else {
        if (job.processes.size() >= limits.max_processes) {
          ++dropped;
          return false;
        }
        recent = static_cast<Index>(job.processes.size());
        Process& made = job.processes.emplace_back().process;
        made.source = key.source;
        made.pid = key.pid;
        made.host = key.host;
        made.pod = key.pod;
        made.container = std::string(origin.container);
        made.first = record->at;
        process_index.emplace(std::move(key), recent);
      }
    }
    process_number = recent;
    process = &job.processes[static_cast<std::size_t>(recent)];
    process->process.last = record->at;
    if (record->level == Level::info) process->process.info_seen = true;
    return true;
  }

  /// Beyond the limit all further threads share one: their lines cannot be told apart any more.
  ThreadDraft& thread() {
    auto& threads = process->threads;
    const auto found = threads.find(record->origin.tid);
    if (found != threads.end()) return found->second;
    return threads[threads.size() < limits.max_threads ? record->origin.tid : -2];
  }
  Process& facts() { return process->process; }
  LineRef quoted() { return keeper.quote(*record); }

  CommDraft& comm_of(RankRef ref) { return job.comms[static_cast<std::size_t>(ref.comm)]; }
  Rank& rank_of(RankRef ref) { return comm_of(ref).comm.ranks[static_cast<std::size_t>(ref.slot)]; }

  /// The rank whose initialisation runs in this thread.
  Rank* rank_in_init() {
    const ThreadDraft& now = thread();
    return now.current.comm >= 0 && now.in_init ? &rank_of(now.current) : nullptr;
  }

  void reach(Rank& rank, InitPhase phase) {
    if (rank.state == RankState::started) rank.phase = std::max(rank.phase, phase);
  }

  // ---- incidents ----

  void incident(IncidentKind kind, std::string_view subject, std::string_view error = {}, std::int64_t code = -1) {
    Incident one;
    one.kind = kind;
    one.process = process_number;
    one.level = record->level;
    one.message = std::string(record->message);
    one.subject = std::string(trimmed(subject));
    one.error = std::string(error);
    one.code = code;
    const RankRef ref = thread().in_init ? thread().current : only_live_rank();
    if (ref.comm >= 0) {
      one.communicator = ref.comm;
      one.rank = rank_of(ref).rank;
    }
    keeper.add_incident(std::move(one), *record);
  }

  RankRef only_live_rank() const {
    RankRef only;
    for (const draft::Life& life : process->lives) {
      if (life.ended != ~std::uint64_t{0}) continue;
      if (only.comm >= 0) return {};
      only = life.ref;
    }
    return only;
  }

  // ---- communicators ----

  template <class E>
  RankRef join(const E& event) {
    if (event.rank < 0 || event.rank >= event.nranks || event.nranks > limits.max_ranks) {
      ++dropped;
      return {};
    }
    Index parent = -1;
    if (event.parent.value != 0) {
      const auto found = process->by_pointer.find(event.parent.value);
      if (found != process->by_pointer.end()) parent = found->second.comm;
    }
    // Children print no id since 2.23.4: ranks of one parent, count and colour are one communicator. Without the
    // parent's start nothing joins two processes, and the pointer keeps them apart.
    const bool known = event.comm_id.value != 0 || parent >= 0;
    CommKey key{event.comm_id.value, parent, event.split_count, event.color, event.nranks, 0};
    if (!known) key = {event.comm.value, -2 - process_number, event.split_count, event.color, event.nranks, 0};
    for (;; ++key.generation) {
      const auto found = comm_index.find(key);
      if (found == comm_index.end()) break;
      CommDraft& comm = job.comms[static_cast<std::size_t>(found->second)];
      const auto slot = comm.slot_of_rank.find(event.rank);
      if (slot == comm.slot_of_rank.end()) return add_rank(found->second, event);
      const Rank& rank = comm.comm.ranks[static_cast<std::size_t>(slot->second)];
      if (rank.process == process_number && rank.comm == event.comm.value) return {found->second, slot->second};
    }
    if (job.comms.size() >= limits.max_communicators) {
      ++dropped;
      return {};
    }
    const auto number = static_cast<Index>(job.comms.size());
    CommDraft& made = job.comms.emplace_back();
    made.comm.comm_id = event.comm_id.value;
    made.comm.parent = parent;
    made.comm.split_count = event.split_count;
    made.comm.color = event.color;
    made.comm.created_by = std::string(event.function);
    made.comm.nranks = event.nranks;
    made.comm.first = record->at;
    comm_index.emplace(key, number);
    return add_rank(number, event);
  }

  template <class E>
  RankRef add_rank(Index number, const E& event) {
    CommDraft& comm = job.comms[static_cast<std::size_t>(number)];
    const auto slot = static_cast<Index>(comm.comm.ranks.size());
    Rank& rank = comm.comm.ranks.emplace_back();
    rank.rank = event.rank;
    rank.process = process_number;
    rank.comm = event.comm.value;
    rank.started_at = quoted();
    comm.slot_of_rank.emplace(event.rank, slot);
    const RankRef ref{number, slot};
    end_life(event.comm.value);  // the pointer is used again: what had it before is gone
    process->by_pointer[event.comm.value] = ref;
    process->lives.push_back({ref, record->at.line, ~std::uint64_t{0}});
    return ref;
  }

  void end_life(std::uint64_t pointer) {
    const auto found = process->by_pointer.find(pointer);
    if (found == process->by_pointer.end()) return;
    for (draft::Life& life : process->lives)
      if (life.ref == found->second && life.ended == ~std::uint64_t{0}) life.ended = record->at.line;
    process->by_pointer.erase(found);
  }

  void apply(const CommInitStarted& event) {
    close_batch(thread(), BatchKind::unknown);
    const RankRef ref = join(event);
    if (ref.comm < 0) return;
    Rank& rank = rank_of(ref);
    rank.cuda_dev = event.cuda_dev;
    rank.nvml_dev = event.nvml_dev;
    rank.bus_id = event.bus_id.value;
    rank.has_bus_id = true;
    thread().current = ref;
    thread().in_init = true;
  }

  void apply(const CommInitCompleted& event) {
    const auto live = process->by_pointer.find(event.comm.value);
    RankRef ref = live != process->by_pointer.end() ? live->second : RankRef{};
    if (ref.comm < 0 || rank_of(ref).rank != event.rank) ref = join(event);
    if (ref.comm < 0) return;
    Rank& rank = rank_of(ref);
    rank.cuda_dev = event.cuda_dev;
    if (event.nvml_dev >= 0) rank.nvml_dev = event.nvml_dev;
    if (event.bus_id.value != 0 || !rank.has_bus_id) rank.bus_id = event.bus_id.value;
    rank.has_bus_id = true;
    rank.state = RankState::complete;
    rank.phase = InitPhase::complete;
    rank.ended_at = quoted();
    if (comm_of(ref).comm.comm_id == 0) comm_of(ref).comm.comm_id = event.comm_id.value;
    if (thread().in_init && thread().current == ref) close_batch(thread(), BatchKind::unknown);
    thread().current = ref;
    thread().in_init = false;
  }

  void apply(const CommPlaced& event) {
    const auto live = process->by_pointer.find(event.comm.value);
    RankRef ref = live != process->by_pointer.end() ? live->second : RankRef{};
    if (ref.comm < 0 || rank_of(ref).rank != event.rank) {
      ref = join(CommInitStarted{.function = {},
                                 .comm = event.comm,
                                 .rank = event.rank,
                                 .nranks = event.nranks,
                                 .bus_id = {},
                                 .comm_id = {},
                                 .parent = {}});
      if (ref.comm < 0) return;
      thread().current = ref;
      thread().in_init = true;
    }
    Rank& rank = rank_of(ref);
    rank.local_rank = event.local_rank;
    rank.local_ranks = event.local_ranks;
    reach(rank, InitPhase::topology);
    Communicator& comm = comm_of(ref).comm;
    comm.nnodes = std::max(comm.nnodes, event.nnodes);
    if (comm.nranks < 0) comm.nranks = event.nranks;
  }

  void end_rank(std::uint64_t pointer, RankState state) {
    const auto live = process->by_pointer.find(pointer);
    if (live == process->by_pointer.end()) return;
    Rank& rank = rank_of(live->second);
    rank.state = state;
    rank.ended_at = quoted();
    end_life(pointer);
  }
  void apply(const CommDestroyed& event) { end_rank(event.comm.value, RankState::destroyed); }
  void apply(const CommAborted& event) { end_rank(event.comm.value, RankState::aborted); }

  void apply(const InitTimed& event) {
    const RankRef ref = thread().current;
    if (ref.comm < 0 || rank_of(ref).rank != event.rank) return;
    rank_of(ref).init_seconds =
        InitSeconds{event.total, event.kernels, event.alloc,       event.bootstrap, event.allgathers,
                    event.topo,  event.graphs,  event.connections, event.rest,      quoted()};
  }

  void apply(const BootstrapTimed& event) {
    Rank* const rank = rank_in_init();
    if (rank == nullptr) return;
    reach(*rank, InitPhase::allgather);
    rank->bootstrap_seconds =
        BootstrapSeconds{event.total, event.create, event.send, event.recv, event.ring, event.delay, quoted()};
  }

  // ---- the graph ----

  bool is_channel(int channel) {
    if (channel >= 0 && channel <= max_channel) return true;
    ++dropped;
    return false;
  }

  void apply(const RingListed& event) {
    Rank* const rank = rank_in_init();
    if (rank == nullptr || !is_channel(event.channel)) return;
    reach(*rank, InitPhase::connect);
    CommDraft& comm = comm_of(thread().current);
    comm.highest_channel = std::max(comm.highest_channel, event.channel);
    RankList ranks = event.ranks;
    int first = -1, before = -1, next = -1, count = 0;
    while (ranks.next(next)) {
      if (count++ == 0)
        first = next;
      else
        comm.ring_edges.add({event.channel, before, next});
      before = next;
    }
    if (count == comm.comm.nranks && !event.ranks.truncated()) comm.ring_edges.add({event.channel, before, first});
  }

  void apply(const RingLinked& event) {
    Rank* const rank = rank_in_init();
    if (rank == nullptr || !is_channel(event.channel)) return;
    if (std::min({event.prev, event.rank, event.next}) < 0) return;
    CommDraft& comm = comm_of(thread().current);
    comm.highest_channel = std::max(comm.highest_channel, event.channel);
    comm.ring_edges.add({event.channel, event.prev, event.rank});
    comm.ring_edges.add({event.channel, event.rank, event.next});
  }

  void add_tree(CommDraft& comm, const TreeLink& link) {
    if (!is_channel(link.channel) || link.rank < 0) return;
    comm.highest_channel = std::max(comm.highest_channel, link.channel);
    comm.tree_edges.add({link.channel, link.up, link.rank});  // -1 at the root: says that the tree is known
    for (const int down : link.down)
      if (down >= 0) comm.tree_edges.add({link.channel, link.rank, down});
  }

  void apply(const TreesBuilt& event) {
    Rank* const rank = rank_in_init();
    if (rank == nullptr) return;
    reach(*rank, InitPhase::connect);
    TreeList trees = event.trees;
    TreeLink link;
    // NCCL cuts the line in a buffer of 1024 bytes: a last item that ends there may itself be cut.
    const bool may_be_cut = record->text.size() >= 1000;
    while (trees.next(link))
      if (!may_be_cut || !trees.text().empty()) add_tree(comm_of(thread().current), link);
  }

  void apply(const TreeLinked& event) {
    if (rank_in_init() == nullptr) return;
    add_tree(comm_of(thread().current), {event.channel, event.rank, event.up, {event.down0, event.down1, event.down2}});
  }

  void apply(const ChannelsCounted& event) {
    Rank* const rank = rank_in_init();
    if (rank == nullptr) return;
    rank->channels = event.coll;
    int& channels = comm_of(thread().current).comm.channels;
    channels = std::max(channels, event.coll);
    quoted();
  }

  std::uint16_t intern_transport(const ChannelConnected& event) {
    key_scratch.assign(event.transport);
    if (key_scratch == "P2P/direct pointer" || key_scratch == "P2P/common device") key_scratch = "P2P/direct";
    if (key_scratch == "direct shared memory") key_scratch = "SHM";
    if (!event.network.empty()) key_scratch.append("/").append(event.network);
    const auto found = transport_index.find(key_scratch);
    if (found != transport_index.end()) return found->second;
    if (job.transports.size() >= 1024) {
      ++dropped;
      return 0;
    }
    const auto number = static_cast<std::uint16_t>(job.transports.size());
    job.transports.push_back(key_scratch);
    transport_index.emplace(key_scratch, number);
    return number;
  }

  draft::Batch& batch_of(ThreadDraft& now, int self) {
    if (now.batch >= 0 && job.batches[static_cast<std::size_t>(now.batch)].self != self)
      close_batch(now, BatchKind::unknown);
    if (now.batch < 0) {
      now.batch = static_cast<Index>(job.batches.size());
      draft::Batch& made = job.batches.emplace_back();
      made.process = process_number;
      made.self = self;
      made.first = record->at;
    }
    return job.batches[static_cast<std::size_t>(now.batch)];
  }

  void apply(const ChannelConnected& event) {
    if (!is_channel(event.channel)) return;
    if (event.from < 0 || event.to < 0) return;  // CollNet names no peer
    const bool receive = event.direction == "receive";
    draft::Batch& batch = batch_of(thread(), receive ? event.to : event.from);
    const std::uint16_t transport = intern_transport(event);
    ++batch.lines;
    batch.last = record->at;
    Connection connection;
    connection.from = event.from;
    connection.to = event.to;
    connection.channel = static_cast<std::int16_t>(event.channel);
    connection.connection = static_cast<std::uint8_t>(event.connection != 0);
    connection.transport = transport;
    connection.device = static_cast<std::int16_t>(std::clamp(event.device, -1, 32767));
    connection.proxy_rank = event.proxy_rank;
    connection.shared = event.shared;
    connection.read = event.read;
    (receive ? connection.seen_receive : connection.seen_send) = true;
    (receive ? connection.gdrdma_receive : connection.gdrdma_send) = event.gdrdma;
    batch.connections.add(connection);
    note_transport(batch, transport);
    note_device(batch, event.from, event.from_dev);
    note_device(batch, event.to, event.to_dev);
  }

  void note_transport(draft::Batch& batch, std::uint16_t transport) {
    auto at = std::find_if(batch.transports.begin(), batch.transports.end(),
                           [&](const auto& entry) { return entry.first == transport; });
    if (at == batch.transports.end()) {
      batch.transports.push_back({transport, {}});
      at = batch.transports.end() - 1;
    }
    if (at->second.count == 0) quoted();
    if (at->second.lines.size() < 2)
      at->second.add(record->at);
    else
      ++at->second.count;
  }

  /// Before 2.18.3 the brackets hold bus ids.
  void note_device(draft::Batch& batch, int rank, std::string_view device) {
    for (const draft::PeerDevice& known : batch.devices)
      if (known.rank == rank) return;
    if (batch.devices.size() >= 64 || !at_least(facts().version, {2, 18, 3})) return;
    const int nvml_dev = decimal(device);
    if (nvml_dev >= 0) batch.devices.push_back({rank, nvml_dev});
  }

  /// Ends the thread's open batch; in an initialisation it is known whose it is.
  void close_batch(ThreadDraft& now, BatchKind kind, int pxn = -1, int gdr = -1) {
    if (now.batch < 0) return;
    draft::Batch& batch = job.batches[static_cast<std::size_t>(now.batch)];
    batch.kind = kind;
    batch.ring_pxn = pxn;
    batch.ring_gdr = gdr;
    batch.connections.fold();
    const bool known = now.in_init && now.current.comm >= 0 && rank_of(now.current).rank == batch.self;
    if (known) draft::merge_batch(job, now.current.comm, batch);
    if (known || !now.closed.insert(draft::content_of(batch)).second) {
      if (static_cast<std::size_t>(now.batch) + 1 == job.batches.size()) {
        job.batches.pop_back();
      } else {
        batch = {};
        batch.process = -1;  // done
      }
    }
    now.batch = -1;
  }

  void apply(const RingsConnected& event) { close_batch(thread(), BatchKind::rings, event.pxn, event.gdr); }
  void apply(const AlgorithmConnected& event) {
    close_batch(thread(), event.algorithm == "all trees" ? BatchKind::trees : BatchKind::other);
  }

  // ---- processes ----

  void apply(const BootstrapInterfaceChosen& event) {
    facts().bootstrap_interface = std::string(event.interface);
    facts().bootstrap_address = std::string(event.address.substr(0, event.address.find('<')));
    facts().bootstrap_at = quoted();
  }

  void apply(const VersionPrinted& event) {
    facts().library = std::string(event.library);
    facts().version = std::string(event.version);
    facts().toolkit = std::string(event.toolkit);
    facts().version_at = quoted();
  }

  void apply(const DriverVersionPrinted& event) {
    facts().driver = event.driver;
    facts().driver_at = quoted();
  }

  void apply(const EnvSet& event) {
    const std::string_view value = without_period(event.value);
    if (const auto known = facts().env.find(event.variable); known != facts().env.end()) {
      known->second.value = std::string(value);
      return;
    }
    if (facts().env.size() >= limits.max_env) {
      ++dropped;
      return;
    }
    facts().env.emplace(std::string(event.variable), EnvValue{std::string(value), quoted()});
  }

  void apply(const EnvRejected& event) { incident(IncidentKind::env_rejected, event.variable, event.value); }

  /// The plugin of a kind that this process tried last; made when there is none.
  Plugin& plugin(std::string_view kind) {
    auto& plugins = facts().plugins;
    for (Plugin& known : plugins)
      if (known.kind == kind) return known;
    Plugin& made = plugins.emplace_back();
    made.kind = std::string(kind);
    return made;
  }
  void note(Evidence& evidence) {
    evidence.add(record->at);
    if (evidence.lines.size() <= Evidence::max_lines && evidence.lines.back() == record->at) quoted();
  }

  void apply(const PluginNamed& event) {
    Plugin& named = plugin(lower(event.kind));
    named.requested = true;
    named.library = std::string(event.library);
    note(named.evidence);
  }

  void apply(const PluginNotFound& event) {
    Plugin& missing = plugin(lower(event.kind));
    const std::string_view tried = trimmed(event.libraries.substr(0, event.libraries.find(". ")));
    const std::string_view libraries = tried.ends_with('.') ? tried.substr(0, tried.size() - 1) : tried;
    const std::string usual = "libnccl-" + missing.kind + ".so";
    // A name that NCCL would not try by itself was asked for; "none" is how one asks for no plugin.
    const bool none = libraries == "libnccl-" + missing.kind + "-none.so" || libraries == "none";
    if (!libraries.empty() && libraries != usual && !none) missing.requested = true;
    if (missing.status < PluginStatus::loaded) missing.status = PluginStatus::missing;
    missing.library = std::string(libraries);
    note(missing.evidence);
  }

  void apply(const PluginLoadFailed& event) {
    Plugin& failed = plugin(lower(event.kind));
    if (failed.status < PluginStatus::loaded) failed.status = PluginStatus::missing;
    if (failed.reason.empty()) failed.reason = std::string(event.reason);
    note(failed.evidence);
  }

  void apply(const PluginLoaded& event) {
    const std::string kind = event.kind == "coll" ? "collnet" : lower(event.kind);
    Plugin& loaded = plugin(kind);
    loaded.name = std::string(event.plugin);
    if (event.api >= 0) loaded.api = "v" + std::to_string(event.api);
    loaded.status = PluginStatus::loaded;
    note(loaded.evidence);
  }

  void apply(const PluginLibraryLoaded& event) { plugin("net").library = std::string(event.library); }

  void apply(const PluginInitialized& event) {
    for (Plugin& known : facts().plugins)
      if (known.kind == "net" && known.name == event.plugin && known.status != PluginStatus::failed)
        known.status = PluginStatus::initialized;
  }

  void apply(const NetworkChosen& event) {
    const bool first = facts().network.empty();
    facts().network = std::string(event.network);
    if (first) facts().network_at = quoted();
    for (Plugin& known : facts().plugins) {
      if (known.kind != "net" || known.name.empty()) continue;
      if (known.name == event.network && known.status != PluginStatus::failed) known.status = PluginStatus::initialized;
    }
  }

  void apply(const NetworkMissing& event) { incident(IncidentKind::network_missing, event.network); }

  void apply(const OfiStarted& event) {
    Plugin& net = plugin("net");
    net.version = "aws-ofi-nccl " + std::string(event.version);
    note(net.evidence);
  }

  void apply(const OfiLibfabricUsed& event) {
    Plugin& net = plugin("net");
    if (net.version.find("libfabric") == std::string::npos) {
      net.version.append(net.version.empty() ? "" : ", ").append("libfabric ").append(event.version);
    }
  }

  void fail_net_plugin(std::string_view reason) {
    Plugin& net = plugin("net");
    if (net.status == PluginStatus::initialized) return;
    net.status = PluginStatus::failed;
    if (net.reason.empty()) net.reason = std::string(reason);
    note(net.failure);
  }

  void apply(const OfiProviderMissing&) {
    Plugin& net = plugin("net");
    if (net.status != PluginStatus::initialized) net.reason = "No eligible providers were found";
    note(net.failure);
  }
  void apply(const OfiProviderSelected& event) {
    Plugin& net = plugin("net");
    net.version.append(net.version.empty() ? "" : ", ").append("provider ").append(event.provider);
    note(net.evidence);
  }

  void apply(const OfiNoted& event) {
    if (record->level == Level::warn) fail_net_plugin(trimmed(event.detail));
  }

  void apply(const PlatformReported& event) {
    facts().platform = std::string(event.platform);
    quoted();
  }

  void apply(const IbDevicesAbsent&) {
    facts().ib_absent = true;
    facts().ib_at = quoted();
  }

  void apply(const IbDevicesListed& event) {
    std::string_view devices = trimmed(event.devices);
    // `[RO]` alone: relaxed ordering, no device
    if (devices.ends_with("[RO]")) devices = trimmed(devices.substr(0, devices.size() - 4));
    devices = trimmed(devices.substr(0, devices.find_last_not_of(" ;") + 1));
    facts().ib_devices = std::string(devices);
  }

  void apply(const SocketInterfacesListed& event) { facts().socket_devices = std::string(event.interfaces); }
  void apply(const NvlsReported& event) { facts().nvls = event.state == "available" ? 1 : 0; }
  void apply(const TopologyNodePrinted& event) {
    if (event.link == "NVL") facts().nvlink = true;
  }
  void apply(const GraphSearched& event) {
    if (event.pattern == 4) facts().worst_path = std::string(event.type_intra);
  }

  // ---- what went wrong ----

  void apply(const InterfaceNotFound&) { incident(IncidentKind::interface_not_found, {}); }
  void apply(const ConnectRetried& event) { incident(IncidentKind::connect_retried, event.address, event.error); }
  void apply(const ConnectFailed& event) { incident(IncidentKind::connect_failed, event.address, event.error); }
  void apply(const ConnectionClosed& event) { incident(IncidentKind::connection_closed, event.peer); }
  void apply(const SocketFailed& event) { incident(IncidentKind::socket_failed, event.peer, event.error); }
  void apply(const HandshakeRefused& event) { incident(IncidentKind::handshake_refused, event.detail); }
  void apply(const WorldMismatched& event) { incident(IncidentKind::world_mismatched, event.detail); }
  void apply(const VersionMismatched& event) {
    incident(IncidentKind::version_mismatched, std::to_string(event.version), std::to_string(event.other_version),
             event.other_rank);
  }
  void apply(const CudaFailed& event) {
    const bool memory = event.error.find("out of memory") != std::string_view::npos;
    incident(memory ? IncidentKind::out_of_memory : IncidentKind::cuda_failed, {}, event.error, event.code);
  }
  void apply(const AllocationFailed& event) { incident(IncidentKind::out_of_memory, event.what, {}, event.bytes); }
  void apply(const DuplicateGpuDetected& event) {
    incident(IncidentKind::duplicate_gpu, keeper.hex(event.bus_id.value), {}, event.other_rank);
  }
  void apply(const SharedMemoryFailed& event) {
    incident(IncidentKind::shared_memory_failed, event.path, event.error, event.code);
  }
  void apply(const P2pUnusable& event) {
    incident(event.between.empty() ? IncidentKind::p2p_disabled_pcie : IncidentKind::p2p_disabled_nvlink,
             std::to_string(event.gpu) + " and " + std::to_string(event.other_gpu));
  }
  void apply(const P2pFailed& event) { incident(IncidentKind::p2p_failed, event.detail); }
  void apply(const NvlsFailed& event) { incident(IncidentKind::nvls_failed, {}, event.error, event.code); }
  void apply(const TopologyFileFailed& event) { incident(IncidentKind::topology_file_failed, event.path, event.error); }
  void apply(const ServiceClosed& event) {
    incident(IncidentKind::service_closed, std::to_string(event.local_rank), {}, event.local_rank);
  }
  void apply(const ProxyFailed& event) { incident(IncidentKind::proxy_failed, event.detail); }
  void apply(const Warned& event) { incident(IncidentKind::other_warning, event.wording); }

  void apply(const ErrorPropagated& event) {
    if (event.result == 7 || event.result == 0) return;  // in progress: no error
    incident(IncidentKind::error_propagated, event.file, {}, event.result);
    Rank* const rank = rank_in_init();
    if (rank == nullptr || rank->state != RankState::started) return;
    rank->state = RankState::failed;
    rank->ended_at = record->at;
  }

  void apply(const Unrecognized&) { keeper.add_unrecognized(*record); }

  template <class E>
  requires unused<E>
  void apply(const E&) {}

  void add(const Record& given) {
    record = &given;
    if (const auto* version = std::get_if<VersionPrinted>(&given.event); version && given.level == Level::version) {
      auto& kept = bare_versions[static_cast<std::uint32_t>(given.at.source)];
      kept = {std::string(version->library), std::string(version->version), std::string(version->toolkit)};
      return;
    }
    if (!find_process()) return;
    std::visit([this](const auto& event) { apply(event); }, given.event);
  }

  Model build();
};

Model ModelBuilder::Impl::build() {
  for (ProcessDraft& one : job.processes)
    for (auto& [tid, now] : one.threads) {
      process = &one;
      close_batch(now, BatchKind::unknown);
    }
  std::erase_if(job.batches, [](const draft::Batch& batch) { return batch.process < 0; });
  std::sort(job.batches.begin(), job.batches.end(),
            [](const draft::Batch& a, const draft::Batch& b) { return a.first < b.first; });
  draft::attribute_batches(job);

  Model model;
  model.sources = std::move(sources);
  for (ProcessDraft& one : job.processes) {
    Process& done = one.process;
    const auto bare = bare_versions.find(static_cast<std::uint32_t>(done.source));
    if (done.version.empty() && bare != bare_versions.end())
      std::tie(done.library, done.version, done.toolkit) = std::tie(bare->second[0], bare->second[1], bare->second[2]);
    model.processes.push_back(std::move(done));
  }
  for (CommDraft& one : job.comms) model.communicators.push_back(draft::finish(one, job.transports));
  model.ambiguities = std::move(job.ambiguities);
  keeper.finish(model);
  model.dropped += dropped;
  draft::put_in_order(model);
  return model;
}

ModelBuilder::ModelBuilder(ModelLimits limits) : impl_(std::make_unique<Impl>(limits)) {}
ModelBuilder::ModelBuilder(ModelBuilder&&) noexcept = default;
ModelBuilder& ModelBuilder::operator=(ModelBuilder&&) noexcept = default;
ModelBuilder::~ModelBuilder() = default;

void ModelBuilder::add(const Record& record) { impl_->add(record); }

void ModelBuilder::add_source(SourceId source, std::string_view name, const ParseStats& stats) {
  const auto index = static_cast<std::size_t>(source);
  if (impl_->sources.size() <= index) impl_->sources.resize(index + 1);
  impl_->sources[index] = {std::string(name), stats};
}

Model ModelBuilder::build() && {
  Model model = impl_->build();
  impl_.reset();
  return model;
}

}  // namespace nccl_analyze
