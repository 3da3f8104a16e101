#pragma once
/// The job as the log tells it: processes, communicators, ranks, rings, trees, connections. Plain data, built once by
/// ModelBuilder, then read-only: any number of threads may read it. The model owns all its text.
///
/// Absent knowledge is -1, an empty string, an empty vector or a disengaged optional; it is never a guess.

#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "nccl_analyze/boxed.h"
#include "nccl_analyze/connections.h"
#include "nccl_analyze/kept_event.h"
#include "nccl_analyze/line.h"
#include "nccl_analyze/shared.h"
#include "nccl_analyze/text.h"

namespace nccl_analyze {

struct Record;

/// Index into Model::processes, Model::communicators or Communicator::ranks; -1 = unknown.
using Index = std::int32_t;

/// How many facts of one kind there are, and where the first of them stand (at most `max_lines`).
struct Evidence {
  static constexpr std::size_t max_lines = 8;
  std::uint64_t count = 0;
  std::vector<LineRef> lines;
  void add(LineRef at, std::uint64_t times = 1);
  void add(const Evidence& other);
};

enum class PluginStatus : std::uint8_t { named, missing, loaded, initialized, failed };
std::string_view to_string(PluginStatus status);

struct Plugin {
  Text kind;     ///< net, collnet, tuner, profiler
  Text name;     ///< As it calls itself: Libfabric, IBext_v8, …
  Text api;      ///< v10
  Text library;  ///< libnccl-net.so
  Text version;  ///< The plugin's own: "aws-ofi-nccl 1.16.2, libfabric 2.1"
  PluginStatus status = PluginStatus::named;
  bool requested = false;    ///< Named by the environment (NCCL_NET_PLUGIN).
  bool other_build = false;  ///< `reason` names a symbol or CUDA: the library does not fit, whatever the host has.
  Text reason;               ///< Why it failed, in its own words.
  Evidence evidence;         ///< Lines that show it searched and loaded.
  Evidence failure;          ///< Lines that show it failing.
};

/// What a process said about GPUDirect RDMA: which NICs know of it, and which of them its GPUs may use.
struct GdrReasons {
  std::uint64_t able_nics = 0;
  Evidence unable_nics;  ///< Sockets, which never can, are left out.
  std::uint64_t enabled = 0;
  Evidence disabled;
  int nearest = -1, limit = -1;  ///< Path types of the nearest NIC that is too far, and of the limit.
};

/// A setting as a process printed it.
struct EnvValue {
  Text value;
  LineRef at;
};

/// What a process was told, by variable. A sorted vector with the looks of a map.
class Settings {
 public:
  using Setting = std::pair<Text, EnvValue>;
  auto begin() const { return settings_.begin(); }
  auto end() const { return settings_.end(); }
  std::size_t size() const { return settings_.size(); }
  bool empty() const { return settings_.empty(); }
  /// The value of a variable; null when the process did not print it.
  const EnvValue* find(std::string_view variable) const {
    return (told_ & bit_of(variable)) == 0 ? nullptr : search(variable);
  }
  EnvValue* find(std::string_view variable) { return const_cast<EnvValue*>(std::as_const(*this).find(variable)); }
  bool contains(std::string_view variable) const { return find(variable) != nullptr; }
  /// Adds a variable that is not there yet.
  void add(Text variable, EnvValue value);
  /// The value of a variable, added when it is not there.
  EnvValue& operator[](std::string_view variable);

 private:
  /// Nearly always a variable is asked for that nobody set: its bit, by a few of its letters, is then seldom there.
  static constexpr std::uint64_t bit_of(std::string_view variable) {
    if (variable.empty()) return 1;
    const auto letter = [&](std::size_t at) { return std::uint64_t{static_cast<unsigned char>(variable[at])}; };
    const std::uint64_t few = variable.size() ^ letter(variable.size() / 2) << 8U ^ letter(variable.size() - 1) << 16U;
    return std::uint64_t{1} << (few * 0x9E3779B97F4A7C15U >> 58U);
  }
  const EnvValue* search(std::string_view variable) const;

  std::vector<Setting> settings_;
  std::uint64_t told_ = 0;  ///< Their bits.
};

/// How near two devices are: the worst link between them, best first. `unknown`: not told, or a number (2.5).
enum class PathType : std::uint8_t { unknown, loc, nvl, nvb, c2c, pix, pxb, p2c, pxn, phb, node, sys, net, dis };
/// As NCCL prints it, `NVL`; `unknown` is empty.
std::string_view to_string(PathType path);
/// Of what NCCL printed; `unknown` for anything else.
PathType path_type(std::string_view text);

/// What is known of NVLink between the GPUs of a host. `present`: there is some; `direct`: from GPU to GPU; `switched`:
/// over NVSwitch.
enum class Nvlink : std::uint8_t { unknown, none, present, direct, switched };
std::string_view to_string(Nvlink nvlink);

/// A GPU of a host. Everything after `nics` is of the topology dump (GRAPH), bandwidths in GB/s as NCCL reckons them.
struct HostGpu {
  std::uint64_t bus_id = 0;  ///< 0 = not printed; then `nvml_dev` tells it apart.
  int nvml_dev = -1;
  std::vector<Index> nics;       ///< Into Host::nics: those that connections of its ranks go over. Sorted.
  int cpu = -1;                  ///< NUMA node
  int pci_switches = -1;         ///< Between it and its CPU.
  std::uint64_t pci_switch = 0;  ///< Bus id of the nearest of them; a NIC with the same one is its neighbour.
  double pci_bandwidth = 0, nvlink_bandwidth = 0;
  /// Of direct links that both GPUs print: by its own lines, and by those of the others.
  double nvlink_sent = 0, nvlink_received = 0;
  PathType nic_path = PathType::unknown;  ///< To its nearest NIC.
};

/// A port of a NIC of a host, an interface, or a device that a plugin names. Ports that NCCL merged share `index`.
struct HostNic {
  std::string network;  ///< IB (also of the SHARP plugin), Socket, or the plugin's name; empty when not told.
  int index = -1;       ///< The one that connections name.
  std::string name;     ///< mlx5_0, eth0, rdmap0s6; empty when only the index is known.
  int port = -1;
  std::string link;  ///< IB or RoCE
  int speed = -1;    ///< Mbit/s as the network printed it (2.27.3+)
  int gdr = -1;      ///< 1: it can do GPUDirect RDMA, 0: it cannot.
  // Of the topology dump:
  double bandwidth = 0;  ///< GB/s that NCCL reckons with: 1.25 also where it could not find out.
  int cpu = -1;          ///< NUMA node
  std::uint64_t bus_id = 0, pci_switch = 0;
};

/// A place that processes share as far as the log lets tell: a host, or a pod or container of it.
struct Host {
  std::string name, pod, container;
  std::vector<HostGpu> gpus;  ///< Sorted by bus id. Those of ranks, and those of the topology dump.
  std::vector<HostNic> nics;  ///< Sorted by network, index, name, port.
  int cpus = -1;              ///< NUMA nodes that the topology dump shows.
  std::string cpu;            ///< `x86 Intel`
  Nvlink nvlink = Nvlink::unknown;
  PathType worst_path = PathType::unknown;  ///< Between two GPUs of it that a communicator uses.
  LineRef topology_at;                      ///< Head of the topology dump that was read; line 0 = none was whole.
  /// Ends of connections over a network other than sockets, and those of them that use GPUDirect RDMA.
  std::uint64_t network_ends = 0, gdr_ends = 0;
};

/// Between which releases of NCCL the wordings stand that a process prints, as 100·major + minor: 219 is 2.19. The
/// releases of a wording are those of its row in lib/messages, so that a build of somebody's own may differ.
struct Releases {
  int since = 0;  ///< No older one prints `since_at`; 0: not known.
  int until = 0;  ///< No newer one prints `until_at`; 0: not known, or it is still printed.
  LineRef since_at, until_at;
};

/// One process: one per (source, host, pid).
struct Process {
  SourceId source{};
  Index place = -1;         ///< Index into Model::hosts.
  Index communicator = -1;  ///< The first of Model::communicators that it has a rank of; -1: none.
  std::int64_t pid = -1;
  Text host, pod, container;
  Text library;         ///< NCCL or RCCL; empty when no version line was seen
  Text version;         ///< 2.27.3
  Text second_version;  ///< Another that lines without a readable prefix print: they are of several processes.
  Text toolkit;         ///< 12.9: the CUDA that NCCL was built with
  Releases releases;    ///< By its wordings: what is left to know of a process that prints no version.
  Text bootstrap_interface, bootstrap_address;
  Text network;   ///< `Using network …`
  Text platform;  ///< Instance type that a plugin reported.
  std::vector<Plugin> plugins;
  Settings env;
  Text ib_devices;                ///< `[0]mlx5_0:1/IB …`: a NicList
  Text socket_devices;            ///< `[0]eth0:10.0.0.1<0> …`: an InterfaceList
  Boxed<GdrReasons> gdr_reasons;  ///< Few processes tell any.
  Text fabric;                    ///< Whom multi-node NVLink joins it with: `UUID/clique`; empty without such a fabric.
  Text worst_path;                ///< Worst GPU–GPU path type inside the node of the ring search: NVL, PIX, …, SYS
  int driver = -1;                ///< 1000·major + 10·minor
  int fabric_state = -1;          ///< NVLink fabric of its GPU: 3 = completed; see FabricReported.
  int nvls = -1;                  ///< 1 NVLS multicast available on its device, 0 not
  bool ib_absent = false;         ///< `NET/IB : No device found.`
  bool nvlink = false;            ///< The topology dump shows NVLink.
  bool info_seen = false;         ///< At least one INFO line: NCCL_DEBUG is INFO or more.
  LineRef first, last;            ///< First and last line of this process.
  /// Its last line that shows NCCL at work: an initialisation that completed, a connection, a collective, a
  /// communicator destroyed. What failed before it did not stop the process.
  LineRef progress;
  bool ended_in_order = false;  ///< A line shows that it destroyed a communicator.
  LineRef version_at, second_version_at, driver_at, bootstrap_at, network_at, platform_at, ib_at, socket_at, fabric_at,
      worst_path_at;
  /// What it told; nothing where it told nothing.
  const GdrReasons& gdr() const;
};

/// Seconds; see BootstrapTimed and InitTimed.
struct BootstrapSeconds {
  double total = 0, create = 0, send = 0, recv = 0, ring = 0, delay = 0;
  LineRef at;
};
struct InitSeconds {
  double total = 0, kernels = 0, alloc = 0, bootstrap = 0, allgathers = 0, topo = 0, graphs = 0, connections = 0,
         rest = 0;
  LineRef at;
};
/// By the time stamps before its lines, how long a rank took from `Using network …`, before it waits for other ranks in
/// the bootstrap. Both lines were stamped by one clock, so that clocks of hosts need not agree. -1: not known.
struct StampedSeconds {
  double to_start = -1;     ///< Init START: after the bootstrap to 2.22.3, before it since 2.23.4.
  double to_complete = -1;  ///< Init COMPLETE.
  LineRef at;               ///< `Using network …`
};

/// When a line was printed, by the stamp of NCCL (2.26.2+) or of whoever collected it. Clocks of hosts need not agree.
struct Moment {
  /// Since 1970 where `dated`, else since midnight; the zone of a stamp is not read. -1: the line has no time.
  std::int64_t microseconds = -1;
  bool dated = false, collected = false;
};
/// Of an initialisation: its START, and its COMPLETE.
struct RankTimes {
  Moment started, completed;
};

/// What a COLL line says that a rank calls. All ranks of a communicator call the same, but for `send` and `recv`.
enum class Operation : std::uint8_t {
  all_reduce,
  all_gather,
  reduce_scatter,
  broadcast,
  reduce,
  all_to_all,  ///< 2.28.3+, like the two below
  gather,
  scatter,
  send,
  recv
};
/// As NCCL prints it.
std::string_view to_string(Operation operation);
/// Whether it computes with the elements; else it moves bytes.
bool reduces(Operation operation);
/// `float32` of ncclDataType_t 7; empty when there is no such type.
std::string_view datatype_name(int datatype);
/// Bytes of an element; 0 when there is no such type.
std::int64_t datatype_size(int datatype);
/// `sum` of ncclRedOp_t 0; empty for operators that a program made itself.
std::string_view redop_name(int op);

/// One call of a rank, as NCCL_DEBUG_SUBSYS=COLL prints it (2.4.2+).
struct CollectiveCall {
  LineRef at;
  /// NCCL's own count: of calls to 2.7.8, nothing in 2.8, of launches since 2.9.6, of those that use the proxy since
  /// 2.27.3, which inside a host are none. Ranks that call the same may differ in it.
  std::uint64_t op_count = 0;
  std::int64_t count = -1;  ///< Elements, as the program gave them.
  int root = -1;            ///< Of `send` and `recv` the peer; -1 where the operation has none.
  Operation operation{};
  std::int8_t datatype = -1;  ///< ncclDataType_t; -1 = unknown.
  std::int8_t op = -1;        ///< ncclRedOp_t; -1 = the program's own, or the operation has none.
};

/// What a rank called, from the start of its communicator on.
struct Calls {
  static constexpr std::size_t max_recent = 32;
  /// Collectives that it called. `send` and `recv` are no collectives; empty ones NCCL leaves out, and so does this.
  std::uint64_t total = 0;
  bool from_start = false;  ///< The end of its initialisation and all calls since are in one log: `total` is all.
  std::uint64_t first_op_count =
      0;                ///< Of the first collective; the highest number: those after `last` may be missing.
  CollectiveCall last;  ///< Of all its calls.
  /// One of the last `max_recent` collectives by its number, from 0; null when it is none of them.
  const CollectiveCall* find(std::uint64_t number) const;
  /// `times` collectives of which the last is known, or a call that is none.
  void add(const CollectiveCall& call, std::uint64_t times);

 private:
  std::vector<CollectiveCall> recent_;  ///< Each at its number modulo `max_recent`.
};

/// The calls of one rank of a communicator of which the input has nothing else: NCCL_DEBUG_SUBSYS=COLL alone, or a log
/// without its head.
struct UnnamedCalls {
  Index process = -1;
  std::uint64_t comm = 0;  ///< NCCL's pointer.
  int nranks = -1;
  int device = -1;  ///< As the lines' prefix has it.
  Calls calls;
};

enum class RankState : std::uint8_t { started, complete, failed, aborted, destroyed };
std::string_view to_string(RankState state);

/// How far the initialisation of a rank is known to have come; ordered.
enum class InitPhase : std::uint8_t { bootstrap, allgather, topology, connect, complete };
std::string_view to_string(InitPhase phase);

/// What `Connected …` lines name, in the order in which NCCL makes them.
enum class Algorithm : std::uint8_t { rings, trees, binomial_trees, nvls_tree, collnet_direct, collnet_chain };
inline constexpr std::size_t algorithms = 6;
/// `all trees` as `trees`, `NVLS tree` as `nvls_tree`.
std::string_view to_string(Algorithm algorithm);
inline constexpr std::uint8_t bit_of(Algorithm algorithm) {
  return static_cast<std::uint8_t>(1U << static_cast<unsigned>(algorithm));
}

/// One rank of one communicator whose log is in the input.
struct Rank {
  int rank = -1;
  Index process = -1;
  std::uint64_t comm = 0;  ///< NCCL's pointer: unique in a process at a time.
  int cuda_dev = -1, nvml_dev = -1;
  int local_rank = -1, local_ranks = -1;
  Index node = -1;    ///< Index into Communicator::nodes.
  int channels = -1;  ///< coll channels as this rank printed them
  std::uint64_t bus_id = 0;
  std::uint64_t nics = 0;  ///< Bit i: one of its connections over the network, in or out, uses NIC i.
  RankState state = RankState::started;
  InitPhase phase = InitPhase::bootstrap;
  std::uint8_t connected = 0;  ///< Bit i: Algorithm i was seen connected.
  bool has(Algorithm algorithm) const { return (connected & bit_of(algorithm)) != 0; }
  std::int16_t nvls_head = -1;  ///< Which NVLS head it is; -1: none, or not told.
  bool has_bus_id = false;
  bool start_seen = false;  ///< Its Init START (2.18.3+) is in the log.
  Boxed<BootstrapSeconds> bootstrap_seconds;
  Boxed<InitSeconds> init_seconds;
  Boxed<StampedSeconds> stamped_seconds;
  Boxed<RankTimes> times;        ///< Nothing where neither line has a time.
  Boxed<Calls> calls;            ///< Nothing where no COLL line of it was seen.
  LineRef rings_at, trees_at;    ///< Its first `Ring` line or list of a ring; its `Trees`.
  LineRef started_at, ended_at;  ///< Init START; COMPLETE, abort, failure or destroy
};

/// An unchanging list. Copies share it, and so do equal ones of one communicator: NCCL makes most channels twice.
template <class T>
class SharedList {
 public:
  SharedList() = default;
  SharedList(std::vector<T> items) : items_(items.empty() ? Shared<std::vector<T>>() : Shared(std::move(items))) {}
  SharedList(std::initializer_list<T> items) : SharedList(std::vector<T>(items)) {}

  const T* begin() const { return empty() ? nullptr : items_.get()->data(); }
  const T* end() const { return begin() + size(); }
  std::size_t size() const { return empty() ? 0 : items_.get()->size(); }
  bool empty() const { return items_.get() == nullptr; }
  const T& operator[](std::size_t index) const { return (*items_.get())[index]; }
  const T& front() const { return items_.get()->front(); }
  const T& back() const { return items_.get()->back(); }
  friend bool operator==(const SharedList& a, const SharedList& b) {
    return a.items_.get() == b.items_.get() || (!a.empty() && !b.empty() && *a.items_.get() == *b.items_.get());
  }

 private:
  Shared<std::vector<T>> items_;
};

/// Order of a ring; starts at rank 0. Incomplete: the part that is known, from its lowest start.
struct Ring {
  int channel = -1;
  SharedList<int> order;
  bool complete = false;
  bool inferred = false;  ///< Put together from connections, not printed as a ring.
};

/// Links of a channel's tree as [parent, child], sorted.
struct Tree {
  int channel = -1;
  SharedList<std::pair<int, int>> links;
  bool complete = false;  ///< The parent of every rank is known. NCCL cuts the line that tells it at 1,023 bytes.
};

/// The ranks that are this head of NVLS, one of each node.
struct NvlsHead {
  int head = -1;
  std::vector<int> ranks;  ///< In NCCL's order of nodes.
};

/// How many coll channels some rank printed.
struct ChannelCount {
  int channels = -1;
  LineRef first;
  friend auto operator<=>(const ChannelCount&, const ChannelCount&) = default;
};

enum class GraphKind : std::uint8_t { ring, tree };
std::string_view to_string(GraphKind kind);

/// What was printed of one channel and cannot all be true: two successors, predecessors or parents of one rank, a child
/// that its parent does not name, a ring that closes before it has passed all ranks.
struct Contradiction {
  GraphKind kind{};
  int channel = -1;
  std::vector<int> ranks;  ///< Those that disagree or are disputed, sorted; at most 16.
};

/// What NCCL calls a node: ranks that reach each other without the network. Rank::node says who is in it.
struct Node {
  int number = -1;        ///< NCCL's own, by lowest rank; -1 unless every node is known.
  int local_ranks = -1;   ///< How many ranks it has, with or without a log here.
  bool inferred = false;  ///< Ranks without a log, or a NCCL that does not print nodes, leave room for another answer.
};

struct Communicator {
  std::uint64_t comm_id = 0;  ///< Same on all ranks; 0 = not printed (children since 2.23.4, lines without START).
  Index parent = -1;          ///< Communicator that was split.
  int split_count = -1;
  std::int64_t color = -1;
  Index number = -1;       ///< Its index in the model that others were taken out of; -1: none was.
  std::string name;        ///< The program's (2.27.3+), `default_pg:0`; empty: none told, or its ranks differ.
  std::string created_by;  ///< ncclCommInitRankConfig, ncclCommSplit, …
  int nranks = -1, nnodes = -1, channels = -1;
  int nvls_channels = -1, p2p_channels = -1, p2p_channels_per_peer = -1;
  std::vector<ChannelCount> channel_counts;  ///< Sorted; several when ranks differ.
  int mnnvl = -1;                            ///< 1: its nodes are NVLink domains that span hosts.
  std::vector<Node> nodes;                   ///< By lowest rank; only those that can be told.
  bool inferred = false;    ///< No line names it: put together from connections whose communicator is not shown.
  std::vector<Rank> ranks;  ///< Sorted by rank; only those whose log is here.
  std::vector<std::string> transports;        ///< `P2P/CUMEM`, `SHM`, `NET/Socket`, …
  std::vector<Evidence> transport_evidence;   ///< Parallel to `transports`.
  ConnectionList connections;                 ///< Of both ends, as far as they were printed.
  std::vector<Ring> rings;                    ///< Sorted by channel.
  std::vector<Tree> trees;                    ///< Sorted by channel.
  int nvls_head_count = -1;                   ///< How many heads NVLS has in each node.
  std::vector<NvlsHead> nvls_heads;           ///< Sorted by head.
  std::vector<Tree> nvls_trees;               ///< 0 and 1: the two trees that join the heads of nodes over the network.
  std::vector<Tree> collnet_chains;           ///< By channel, a chain in each node; its head reaches the network.
  std::vector<ConnectionGroup> collnet;       ///< Connections to the network's own reduction (SHARP): `to` is -1.
  std::vector<Contradiction> contradictions;  ///< Sorted by kind, channel. What a cut number may explain is left out.
  int ring_pxn = -1, ring_gdr = -1;           ///< `Connected all rings, use ring PXN p GDR g`
  LineRef first;                              ///< The first line that proves it.
};

/// Connection lines that fit several communicators: kept apart, attributed to none.
struct Ambiguity {
  std::vector<Index> candidates;  ///< Communicators, sorted.
  Index process = -1;
  std::uint64_t lines = 0;
  LineRef first;
};

/// `Incident::event` of each is the event of the same name, or the one in brackets.
enum class IncidentKind : std::uint8_t {
  interface_not_found,
  connect_retried,
  connect_failed,
  connection_closed,
  socket_failed,
  handshake_refused,
  world_mismatched,
  version_mismatched,
  network_missing,
  cuda_failed,
  out_of_memory,  ///< [CudaFailed, AllocationFailed]
  duplicate_gpu,  ///< [DuplicateGpuDetected]
  shared_memory_failed,
  p2p_disabled_nvlink,  ///< [P2pUnusable]
  p2p_disabled_pcie,    ///< [P2pUnusable]
  p2p_failed,
  nvls_failed,
  topology_file_failed,
  error_propagated,
  service_closed,
  proxy_failed,
  env_rejected,
  ib_completion_failed,
  ib_async_event,
  call_failed,
  call_retried,  ///< [CallFailed]
  ib_device_unusable,
  ib_devices_incompatible,
  ib_rails_mismatched,
  ib_router_lid_missing,
  ib_device_failed,
  nic_counts_mismatched,
  collective_mismatched,
  gdr_disabled,  ///< [OfiGdrDisabled]
  mnnvl_failed,
  ofi_request_failed,
  ras_peer_dead,
  ras_timed_out,
  ras_version_mismatched,
  host_setting_missing,
  graph_broken,
  cpu_affinity_empty,  ///< [AffinityChosen]
  program_raised,      ///< Python's, not about NCCL
  nccl_error_raised,   ///< [ProgramRaised] by PyTorch, of a result of NCCL's, whose words are `error`.
  process_ended,       ///< Seen from outside. `error` says which, as far as it is told: program or host, and pid.
  memory_killed,  ///< [ProcessEnded] The same, because the memory of the host or the limit of its container was used
                  ///< up.
  job_cancelled,
  gpu_faulted,            ///< The GPU's driver says so.
  vendor_network_warned,  ///< [VendorNetworkNoted]
  gpu_unsupported,        ///< [KernelMemoryExceeded]
  acs_suspected,          ///< [Hinted] NCCL's own guess.
  other_warning,          ///< [Warned; none where nothing reads it]
  phrase_seen,  ///< In a line that no row reads, or in an exception, whose name is `error`. `topic` is its rule.
};
std::string_view to_string(IncidentKind kind);

/// Something that went wrong, as one process said it; repeats are folded. Every warning of NCCL is one, in known words
/// or not.
struct Incident {
  IncidentKind kind{};
  Index process = -1;
  Index communicator = -1;  ///< When the log says which; else -1.
  int rank = -1;            ///< In `communicator`.
  Level level = Level::warn;
  std::string message;  ///< NCCL's words.
  std::string place;    ///< Where NCCL's code printed it: `transport/nvls.cc:254`, or a function; empty: not said.
  std::string topic;    ///< Name of the rule that its wording speaks for, by the table of wordings; else empty.
  /// Which of the rule's cases it is: by the same table, or one that only its words show (lib/model/incidents.cc), as
  /// `closed`, `nic`, `fatal`, `wrong-type`, `port-counts`; mostly empty.
  std::string aspect;
  KeptEvent event;       ///< What the line says; its type follows from the kind.
  std::string peer;      ///< Address of the other end of a connection, `ip<port>`; often empty.
  std::string error;     ///< The words of the system, of CUDA or of another program on what happened.
  int error_number = 0;  ///< Linux's errno, printed as a number, negative (`RC: -12`) or in words; 0: none of them.
  int cuda_error = 0;    ///< cudaError_t of a CUDA call, printed as a number or in words; 0: not known.
  Evidence evidence;
  Moment first;  ///< When it was said first: of warnings and of what others say; of INFO lines it is not kept.
  // what became of it
  bool echo = false;      ///< An exception that tells of another process's end, or repeats what was raised before.
  bool failed = false;    ///< NCCL passed it up right behind it: what was tried failed.
  bool survived = false;  ///< Its process is seen at work behind it (Process::progress).
  Index trail = -1;       ///< The first error_propagated of its process behind it; an index into Model::incidents.
};

/// What PyTorch's watchdog said of a rank that waited too long, or of one that was told to stop.
struct StuckRank {
  std::string group;      ///< The process group as PyTorch names it; empty before PyTorch 2.3.
  int rank = -1;          ///< In the group.
  int global_rank = -1;   ///< In the job.
  Index process = -1;     ///< When the log says which.
  std::string operation;  ///< ALLREDUCE; empty when it did not say.
  std::int64_t sequence = -1, elements_in = -1, elements_out = -1;
  double timeout_seconds = -1;
  std::int64_t enqueued = -1, completed = -1;  ///< The last of its collectives, numbered from 1.
  Evidence evidence;
};

/// What NCCL's RAS client reports: ranks of a communicator have launched different numbers of an operation.
struct LaunchCounts {
  struct Group {
    std::int64_t launched = 0, ranks = 0;
  };
  struct Listed {
    int rank = -1;
    std::int64_t launched = 0;
  };
  std::string operation;
  std::vector<Group> groups;   ///< As listed.
  std::vector<Listed> listed;  ///< The ranks that it names: those of the small groups.
  Evidence evidence;
};

/// A line with its text, as far as the budget for quotes allows.
struct Quote {
  LineRef at;
  std::string text;
};

/// An unknown wording: its first occurrence and how often it came (numbers folded).
struct Sample {
  std::string text;
  std::uint64_t count = 0;
  LineRef at;
};

struct Source {
  std::string name;
  ParseStats stats;
  std::array<Evidence, damage_kinds> damaged = {};  ///< By Damage.
};

/// What the processes of one version printed, and how much of it no row of the table knows.
struct VersionLines {
  std::string library, version;  ///< As Process has them; empty for processes that no version line tells of.
  std::uint64_t nccl_lines = 0, unrecognized = 0;
};

struct Model {
  std::vector<Source> sources;              ///< By SourceId.
  std::vector<VersionLines> versions;       ///< Sorted by version as numbers, unknown last; every record is in one.
  std::vector<Process> processes;           ///< Sorted by source, then first line.
  std::vector<Host> hosts;                  ///< Sorted by name, pod, container.
  std::vector<Communicator> communicators;  ///< Parents before children, then by first line.
  std::vector<Ambiguity> ambiguities;
  std::vector<UnnamedCalls> unnamed_calls;  ///< Sorted by process, pointer.
  std::vector<Incident> incidents;          ///< Sorted by first line.
  std::vector<StuckRank> stuck;             ///< Sorted by first line.
  std::vector<LaunchCounts> launch_counts;
  std::vector<Sample> unrecognized;  ///< Most frequent first.
  std::vector<Quote> quotes;         ///< Sorted by line.
  std::uint64_t dropped = 0;         ///< Facts not stored because a limit was reached.

  /// The host of a process; nullptr when the process is -1 or its lines name none.
  const Host* host_of(Index process) const;
  /// The text of a line that was kept for quoting; empty when it was not.
  std::string_view quote(LineRef at) const;
};

/// A rank that uses a GPU.
struct GpuUse {
  Index host = -1, gpu = -1;  ///< Into Model::hosts, Host::gpus.
  Index communicator = -1;
  int rank = -1, cuda_dev = -1;
};
/// Every rank whose GPU is known, sorted by host, GPU, communicator, rank.
std::vector<GpuUse> gpu_uses(const Model& model);

}  // namespace nccl_analyze
