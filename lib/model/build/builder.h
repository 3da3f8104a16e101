#pragma once
// Folding: records, one after the other, into the draft of the model. The overloads of `apply` below say which events
// the model uses and `unused` which it does not; an event that is in neither does not compile.

#include <array>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "model/build/comm_names.h"
#include "model/build/quotes.h"
#include "model/build/state.h"
#include "model/build/unused.h"
#include "model/resolve/gpu_topology.h"
#include "nccl_analyze/model_builder.h"
#include "text/blanks.h"

namespace nccl_analyze::draft {

/// `12.9`. A build without the version prints the names of the macros, `CUDA_MAJOR.CUDA_MINOR`: that is none.
inline std::string_view known_toolkit(std::string_view printed) {
  return !printed.empty() && printed.front() >= '0' && printed.front() <= '9' ? printed : std::string_view{};
}

class Folding {
 public:
  explicit Folding(const ModelLimits& given) : limits_(given), keeper_(given) { recent_process_.fill(-1); }

  void add(const Record& given);
  void leave_out(std::uint64_t facts) { dropped_ += facts; }
  void add_source(SourceId source, std::string_view name, const ParseStats& stats);
  Model build();

 private:
  /// Of a version line that does not say who prints it.
  void date_process();
  void add_bare_version(const VersionPrinted& event);
  void add_unnamed_processes();
  /// What all processes that tell their version mean by a device.
  DeviceNaming common_naming() const;
  /// The process whose host that of the record at hand is an alias of, as far as is known by now; -1 when there is
  /// none.
  Index find_aliased() const;
  void resolve_host_aliases();
  void rename_headless_hosts();
  bool is_garbled(Index one, std::span<const Index> same_pid);
  /// To the process that owns each; -1 = nobody's: dropped.
  void renumber_processes(const std::vector<Index>& owner);

  // who speaks
  bool is_origin(const Process& known, const Origin& origin) const;
  /// Hosts of one job differ in their last bytes, processes of one host in their pids.
  static std::size_t recent_slot(const Origin& origin);
  /// The newest process of this pid, host and pod; null when there is none.
  Index* newest_process(const Origin& origin);
  /// Of the record at hand; false beyond the limit.
  bool find_process();
  /// The same, where the parser did not say whose record it is; -1 beyond the limit.
  Index find_process_by_name();
  /// Everything from here on is of this process; -1 = of none.
  void turn_to(Index process) {
    const auto index = static_cast<std::size_t>(process);
    process_number_ = process;
    process_ = process < 0 ? nullptr : &job_.processes[index];
    facts_ = process < 0 ? nullptr : &job_.facts[index];
  }
  Index make_process(Index twin);
  static std::size_t pid_hash(SourceId source, std::int64_t pid) {
    return spread(static_cast<std::uint64_t>(pid) ^ static_cast<std::uint64_t>(source) << 32U);
  }
  bool has_pid(Index process, SourceId source, std::int64_t pid) const {
    const Process& one = job_.facts[static_cast<std::size_t>(process)];
    return one.pid == pid && one.source == source;
  }
  /// Beyond the limit all further threads share one: their lines cannot be told apart any more.
  ThreadDraft& thread();
  Process& facts() { return *facts_; }
  LineRef quoted() { return keeper_.quote(*record_); }
  /// The process at hand is at work in this line: see Process::progress.
  void note_progress() { facts().progress = record_->at; }
  CommDraft& comm_of(RankRef ref) { return job_.comms[static_cast<std::size_t>(ref.comm)]; }
  Rank& rank_of(RankRef ref) { return comm_of(ref).comm.ranks[static_cast<std::size_t>(ref.slot)]; }
  /// The rank whose initialisation runs in this thread.
  Rank* rank_in_init();
  /// The same. Where nothing says that one has begun (its start was not printed or is not in the log) it begins here,
  /// nameless until its end names it. `rank` when the line says which.
  RankRef rank_being_built(int rank = -1);
  void learn_rank(RankRef ref, int rank);
  RankRef begin_nameless(ThreadDraft& now, int rank);
  /// What the thread built before a line named it belongs to `ref`.
  void give_name(ThreadDraft& now, RankRef ref);
  /// The live communicator with this pointer, in this process or in the part of its log that another source holds.
  RankRef find_live(std::uint64_t pointer, int rank);
  /// The rank of the communicator that a line names, or else whose initialisation runs in this thread; comm -1 = none.
  RankRef speaker(Hex comm, int rank, int nranks);
  Source& source_of(SourceId source);
  void reach(Rank& rank, InitPhase phase);

  /// After the processes have got their versions.
  std::vector<VersionLines> sum_versions() const;

  // communicators
  /// Whether the rank is the one at hand, seen before in another part of its log.
  bool is_same_rank(const Rank& rank, const CommIdentity& event) const;
  /// The communicator of this pointer, in this process or in the one other part of its log that knows it; -1 = none.
  Index find_parent(std::uint64_t pointer) const;
  /// The rank's place: a communicator that is known by this identity, or a new one.
  RankRef join(const CommIdentity& event);
  RankRef add_rank(Index number, const CommIdentity& event);
  void begin_life(std::uint64_t pointer, RankRef ref);
  void end_life(std::uint64_t pointer);
  void drop_joined_communicators();
  void apply(const CommInitStarted& event);
  void apply(const CommInitCompleted& event);
  void apply(const CommPlaced& event);
  void end_rank(std::uint64_t pointer, int number, RankState state);
  void apply(const CommConfigSet& event);
  /// The initialisation that begins is that of a name that its process has printed.
  void give_program_name(RankRef ref);
  void apply(const CommDestroyed& event);
  void apply(const CommAborted& event);
  void apply(const InitTimed& event);
  void apply(const BootstrapTimed& event);

  // collectives
  void apply(const CollectiveCalled& event);
  /// A process that tells calls of a communicator whose initialisation its log does not have may be a part of another's
  /// log: then the calls in either are not all.
  void distrust_parted_logs();
  void add_unnamed_call(const CollectiveCalled& event);
  /// Those of a communicator that another part of the process's log names are no communicator's of their own.
  void drop_known_calls();

  // times
  /// Seconds by the stamps of the record at hand since the thread entered; -1 = not known.
  double seconds_since_entered();

  // the graph
  bool is_channel(int channel);
  /// The first of its kind.
  void note_line(LineRef& at) {
    if (at.line == 0) at = quoted();
  }
  void apply(const RingListed& event);
  void apply(const RingLinked& event);
  void add_tree(RankRef ref, const TreeLink& link);
  void apply(const TreesBuilt& event);
  void apply(const TreeLinked& event);
  void apply(const NvlsTreesLinked& event);
  void apply(const NvlsHeadListed& event);
  void apply(const NvlsSetUp& event);
  /// The rank that a line without a communicator's name is of: the one that is being initialised, or the only one.
  RankRef rank_at_work(int rank);
  void add_collnet(const ChannelConnected& event, ConnectionGroup end);
  void apply(const ChannelsCounted& event);
  std::uint16_t intern_transport(const ChannelConnected& event);
  std::uint16_t find_transport(const ChannelConnected& event);
  Batch& batch_of(ThreadDraft& now, int self, Hex comm);
  void apply(const ChannelConnected& event);
  void note_transport(Batch& batch, std::uint16_t transport);
  void note_device(Batch& batch, int rank, std::string_view device);
  /// Ends the thread's open batch; in an initialisation it is known whose it is.
  void close_batch(ThreadDraft& now, BatchKind kind, int pxn = -1, int gdr = -1);
  void apply(const RingsConnected& event);
  void apply(const CollnetChainsBuilt& event);
  void apply(const AlgorithmConnected& event);

  // processes
  void apply(const BootstrapInterfaceChosen& event);
  void apply(const SocketInterfaceUsed& event);
  void apply(const VersionPrinted& event);
  void apply(const DriverVersionPrinted& event);
  void apply(const EnvSet& event);
  void apply(const EnvRejected& event);
  /// One copy for all that say it.
  Text shared(std::string_view text);
  Text listed(const Text& before, std::string_view next);
  /// The plugin of a kind that this process tried last; made when there is none.
  Plugin& plugin(std::string_view kind);
  /// Why the plugin failed.
  void blame(Plugin& plugin, std::string_view reason);
  void note(Evidence& evidence);
  void apply(const PluginNamed& event);
  void apply(const PluginNotFound& event);
  void apply(const PluginLoadFailed& event);
  void apply(const PluginLoaded& event);
  void apply(const PluginLibraryLoaded& event);
  void apply(const PluginInitialized& event);
  void apply(const PluginInitFailed& event);
  void apply(const NetworkChosen& event);
  void apply(const NetworkMissing& event);
  void apply(const OfiStarted& event);
  void apply(const OfiLibfabricUsed& event);
  void fail_net_plugin(std::string_view reason);
  void apply(const OfiProviderMissing&);
  void apply(const OfiProviderSelected& event);
  /// A WARN of aws-ofi-nccl while it starts is a step of its failing. `is_all`: the record makes no other incident.
  void fail_by_warning(bool is_all = true);
  void apply(const OfiNoted&);
  void apply(const OfiCallFailed&);
  void apply(const OfiProtocolFailed&);
  void apply(const OfiGdrDisabled& event);
  void apply(const OfiRequestFailed& event);
  void apply(const VendorNetworkNoted& event);
  void apply(const PlatformReported& event);
  void apply(const IbDevicesAbsent&);
  void apply(const IbDevicesListed& event);
  void apply(const SocketInterfacesListed& event);
  void apply(const GdrDecided& event);
  void apply(const FabricReported& event);
  void apply(const NvlsReported& event);
  void apply(const AffinityChosen& event);

  // hosts
  /// Of the process at hand.
  HostDraft& host() { return job_.hosts[static_cast<std::size_t>(process_->host < 0 ? find_host() : process_->host)]; }
  /// The same when the process has told nothing of it yet.
  Index find_host();
  /// The reader of this thread's dump; nullptr when the host's topology is read elsewhere, or known.
  TopologyReader* reader();
  /// The dump of this thread is over.
  void end_dump();
  void note_nic(const HostNic& told);
  void apply(const SystemPrinted&);
  void apply(const TopologyNodePrinted& event);
  void apply(const PathsPrinted& event);
  void apply(const GraphSearched& event);
  void apply(const NicGdrReported& event);
  void apply(const NicReported& event);
  void apply(const VirtualNicMade& event);

  // what went wrong
  template <class E>
  void incident(IncidentKind kind, const E& event, std::string_view error = {}, std::string_view topic = {}) {
    add_incident(kind, KeptEvent(event), error, topic);
  }
  void add_incident(IncidentKind kind, KeptEvent event, std::string_view error, std::string_view topic);
  void apply(const InterfaceNotFound&);
  void apply(const ConnectRetried& event);
  void apply(const ConnectFailed& event);
  void apply(const ConnectionClosed& event);
  void apply(const SocketFailed& event);
  void apply(const HandshakeRefused& event);
  void apply(const WorldMismatched& event);
  void apply(const VersionMismatched& event);
  void apply(const CudaFailed& event);
  void apply(const AllocationFailed& event);
  void apply(const DuplicateGpuDetected& event);
  void apply(const SharedMemoryFailed& event);
  void apply(const P2pUnusable& event);
  void apply(const P2pFailed& event);
  void apply(const NvlsFailed& event);
  void apply(const TopologyFileFailed& event);
  void apply(const ServiceClosed& event);
  void apply(const ProxyFailed& event);
  void apply(const IbCompletionFailed& event);
  void apply(const IbAsyncEvent& event);
  void apply(const CallFailed& event);
  void apply(const IbDeviceUnusable& event);
  void apply(const IbDevicesIncompatible& event);
  void apply(const IbRailsMismatched& event);
  void apply(const IbRouterLidMissing&);
  void apply(const IbDeviceFailed& event);
  void apply(const NicCountsMismatched& event);
  void apply(const CollectiveMismatched& event);
  void apply(const MnnvlFailed& event);
  void apply(const KernelMemoryExceeded& event);
  void apply(const Hinted& event);
  void apply(const RasPeerDead& event);
  void apply(const RasTimedOut& event);
  void apply(const RasVersionMismatched& event);
  void apply(const HostSettingMissing& event);
  void apply(const GraphBroken& event);
  void apply(const Warned& event);
  void apply(const ErrorPropagated& event);
  /// A warning stays one in words that no row knows, that are cut, or of which only a fact is known.
  void add_unread_record();
  static bool is_warning(const Record& record) { return record.level == Level::warn || record.level == Level::abort; }
  void apply(const Unrecognized&);
  void apply(const Damaged&);
  /// Of the process at hand; nothing where there is no phrase.
  /// `exception` whose words they are, which ended the program of `rank`, as far as they are known.
  void phrase_incident(const PhraseSeen& seen, std::string_view exception = {}, int rank = -1);

  // what other programs say
  void add_outside();
  /// The only process of the source at hand; -1 when it has none or several.
  Index only_process() const;
  /// What stands before the message: who speaks.
  std::string_view introduction() const;
  void outside_incident(IncidentKind kind, KeptEvent event, std::string_view error, int rank = -1,
                        std::int64_t pid = -1);
  /// Whether the rank or pid that a line names (-1 where it names none) is another process's than the one at hand.
  bool is_of_another(int rank, std::int64_t pid) const;
  /// What the watchdog says of the rank that the line names; nullptr beyond the limit.
  StuckRank* stuck_rank();
  void apply(const CollectiveTimedOut& event);
  void apply(const WatchdogReported& event);
  void apply(const ProgramRaised& event);
  void apply(const ProcessEnded& event);
  void apply(const JobCancelled& event);
  void apply(const GpuFaulted& event);
  void apply(const RasCountsDiffer& event);
  void apply(const RasRanksCounted& event);
  void apply(const RasRankListed& event);
  void apply(const PhraseSeen& event);
  /// The report that the line goes on with; nullptr when it is part of none.
  LaunchCounts* open_counts();

  template <class E>
  requires unused<E>
  void apply(const E&) {}

  ModelLimits limits_;
  Draft job_;
  Keeper keeper_;
  std::vector<Source> sources_;
  std::uint64_t dropped_ = 0;
  std::size_t connections_ = 0;            ///< Groups of connections in all batches.
  std::vector<ThreadDraft> threads_;       ///< Of all processes: one block, that goes as a whole.
  FlatSet<std::uint64_t> closed_batches_;  ///< Hashes by thread and content: a log read twice counts once.

  IndexTable process_index_;  ///< By pid, host and pod the newest of each; the others by `twin`.
  IndexTable pid_index_;      ///< By source and pid the newest of each; the others by `older`.
  /// The last process seen for a pid's low bits: most lines come from one of a few hundred.
  static constexpr std::size_t recent_processes = 4096;
  std::array<Index, recent_processes> recent_process_;
  /// The same for the numbers that parsers give to senders.
  struct KnownSender {
    std::uint64_t sender = 0;
    SourceId source{};
    Index process = -1;
    bool is_of(const Record& record) const {
      return record.sender != 0 && sender == record.sender && source == record.at.source;
    }
  };
  std::array<KnownSender, recent_processes> senders_;

  struct CommKey {
    std::uint64_t comm_id;
    Index parent;
    int split_count;
    std::int64_t color;
    int nranks, generation;
    friend auto operator<=>(const CommKey&, const CommKey&) = default;
  };
  std::map<CommKey, Index> comm_index_;
  /// A version line without prefix speaks for every process of its source that prints no other.
  struct BareVersion {
    std::string library, version, toolkit;
    LineRef at;
    bool differ = false;  ///< The source has several: they speak for nobody.
    LineCounts lines;
  };
  std::map<SourceId, BareVersion> bare_versions_;
  LineCounts stray_lines_;  ///< Of processes beyond the limit.
  std::map<std::string, std::uint16_t, std::less<>> transport_index_;
  /// Those that the lines had lately, a few: a job has no more.
  struct KnownTransport {
    std::string transport, network;  ///< As the line has them.
    std::uint16_t number = 0;
  };
  std::vector<KnownTransport> known_transports_;
  /// By source: one of its processes, and how many it has.
  struct Inhabitants {
    Index process = -1;
    std::uint32_t count = 0;
  };
  std::vector<Inhabitants> inhabitants_;
  std::map<std::tuple<SourceId, std::string, int, int>, std::size_t> stuck_index_;  ///< By group and rank.
  std::vector<StuckRank> stuck_;
  std::vector<LaunchCounts> launch_counts_;
  LineRef counts_end_;    ///< Last line of the newest of them.
  HostTable host_table_;  ///< Numbers job_.hosts.
  std::string key_scratch_;
  std::vector<Text> texts_;  ///< Words that processes share.
  IndexTable text_index_;
  std::array<Text, 256> recent_texts_;  ///< Some of them, by where a record had them.

  std::unordered_map<Index, GivenNames> given_names_;  ///< By process.
  std::vector<UnnamedCalls> unnamed_calls_;
  std::map<std::pair<Index, std::uint64_t>, std::size_t> unnamed_index_;  ///< By process and pointer.

  // The record at hand.
  const Record* record_ = nullptr;
  bool made_incident_ = false;
  ProcessDraft* process_ = nullptr;
  Process* facts_ = nullptr;
  Index process_number_ = -1;
};

}  // namespace nccl_analyze::draft
