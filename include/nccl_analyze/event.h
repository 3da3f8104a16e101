#pragma once
/// What a recognised NCCL line says, as plain structs. Reading this file tells what the tool knows.
///
/// Every `string_view` and sequence below points into the line that was parsed: it is valid only while the sink that
/// received the Record runs. `fields()` names each member once; the templates of lib/messages fill members by these
/// names and the `events` writer prints them. Numbers that NCCL did not print keep the default shown here (-1 for ids
/// and counts, NaN-free 0 for seconds and rates).

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <tuple>
#include <variant>

#include "nccl_analyze/lists.h"

namespace nccl_analyze {

template <class Owner, class T>
struct Field {
  std::string_view name;
  T Owner::*member;
};
template <class Owner, class T>
Field(std::string_view, T Owner::*) -> Field<Owner, T>;

// ---- bootstrap ----

struct BootstrapInterfaceChosen {
  static constexpr std::string_view name = "bootstrap_interface_chosen";
  std::string_view interface;
  std::string_view address;  ///< `ip<port>` as printed; port 0 is normal.
  static constexpr auto fields() {
    using T = BootstrapInterfaceChosen;
    return std::tuple{Field{"interface", &T::interface}, Field{"address", &T::address}};
  }
};

/// One of the interfaces over which both the bootstrap, the first of them, and NET/Socket talk (up to 2.3.7).
struct SocketInterfaceUsed {
  static constexpr std::string_view name = "socket_interface_used";
  std::string_view interface;
  std::string_view address;  ///< `ip<port>` as printed; port 0 is normal.
  static constexpr auto fields() {
    using T = SocketInterfaceUsed;
    return std::tuple{Field{"interface", &T::interface}, Field{"address", &T::address}};
  }
};

/// Seconds. `recv` waits for the next rank of the bootstrap ring, `ring` for the slowest of all (2.23.4+).
struct BootstrapTimed {
  static constexpr std::string_view name = "bootstrap_timed";
  double total = 0, create = 0, send = 0, recv = 0, ring = 0, delay = 0;
  static constexpr auto fields() {
    using T = BootstrapTimed;
    return std::tuple{Field{"total", &T::total}, Field{"create", &T::create}, Field{"send", &T::send},
                      Field{"recv", &T::recv},   Field{"ring", &T::ring},     Field{"delay", &T::delay}};
  }
};

/// No interface fits NCCL_SOCKET_IFNAME or the family asked for.
struct InterfaceNotFound {
  static constexpr std::string_view name = "interface_not_found";
  static constexpr auto fields() { return std::tuple{}; }
};

/// A TCP connect that is tried again: normal while the peer starts.
struct ConnectRetried {
  static constexpr std::string_view name = "connect_retried";
  std::string_view address;
  std::string_view error;
  int attempt = -1;
  int attempts = -1;
  static constexpr auto fields() {
    using T = ConnectRetried;
    return std::tuple{Field{"address", &T::address}, Field{"error", &T::error}, Field{"attempt", &T::attempt},
                      Field{"attempts", &T::attempts}};
  }
};

struct ConnectFailed {
  static constexpr std::string_view name = "connect_failed";
  std::string_view address;
  std::string_view error;
  static constexpr auto fields() {
    using T = ConnectFailed;
    return std::tuple{Field{"address", &T::address}, Field{"error", &T::error}};
  }
};

/// The other end went away: always an echo of what happened there.
struct ConnectionClosed {
  static constexpr std::string_view name = "connection_closed";
  std::string_view peer;  ///< `ip<port>`, often empty.
  static constexpr auto fields() { return std::tuple{Field{"peer", &ConnectionClosed::peer}}; }
};

struct SocketFailed {
  static constexpr std::string_view name = "socket_failed";
  std::string_view operation;
  std::string_view peer;
  std::string_view error;
  static constexpr auto fields() {
    using T = SocketFailed;
    return std::tuple{Field{"operation", &T::operation}, Field{"peer", &T::peer}, Field{"error", &T::error}};
  }
};

/// A stranger on an NCCL socket: wrong magic or type.
struct HandshakeRefused {
  static constexpr std::string_view name = "handshake_refused";
  std::string_view detail;
  static constexpr auto fields() { return std::tuple{Field{"detail", &HandshakeRefused::detail}}; }
};

/// Ranks disagree on the size of the world, or two claim the same rank.
struct WorldMismatched {
  static constexpr std::string_view name = "world_mismatched";
  std::string_view detail;
  static constexpr auto fields() { return std::tuple{Field{"detail", &WorldMismatched::detail}}; }
};

// ---- versions ----

struct VersionPrinted {
  static constexpr std::string_view name = "version_printed";
  std::string_view library = "NCCL";  ///< or RCCL
  std::string_view version;
  std::string_view toolkit;  ///< CUDA version that NCCL was built with, not the driver's.
  static constexpr auto fields() {
    using T = VersionPrinted;
    return std::tuple{Field{"library", &T::library}, Field{"version", &T::version}, Field{"toolkit", &T::toolkit}};
  }
};

struct DriverVersionPrinted {
  static constexpr std::string_view name = "driver_version_printed";
  int driver = -1;  ///< 1000·major + 10·minor
  static constexpr auto fields() { return std::tuple{Field{"driver", &DriverVersionPrinted::driver}}; }
};

/// 2.23.4+: two libnccl in one communicator. Codes are 10000·major + 100·minor + patch.
struct VersionMismatched {
  static constexpr std::string_view name = "version_mismatched";
  int rank = -1, version = -1, other_rank = -1, other_version = -1;
  static constexpr auto fields() {
    using T = VersionMismatched;
    return std::tuple{Field{"rank", &T::rank}, Field{"version", &T::version}, Field{"other_rank", &T::other_rank},
                      Field{"other_version", &T::other_version}};
  }
};

// ---- settings ----

/// A variable that NCCL read, from the environment or a configuration file (NCCL does not tell which).
struct EnvSet {
  static constexpr std::string_view name = "env_set";
  std::string_view variable;
  std::string_view value;
  static constexpr auto fields() {
    return std::tuple{Field{"variable", &EnvSet::variable}, Field{"value", &EnvSet::value}};
  }
};

struct EnvRejected {
  static constexpr std::string_view name = "env_rejected";
  std::string_view variable;
  std::string_view value;
  std::string_view used;  ///< What NCCL uses instead.
  static constexpr auto fields() {
    using T = EnvRejected;
    return std::tuple{Field{"variable", &T::variable}, Field{"value", &T::value}, Field{"used", &T::used}};
  }
};

struct CommConfigSet {
  static constexpr std::string_view name = "comm_config_set";
  std::string_view key;
  std::string_view value;
  static constexpr auto fields() {
    return std::tuple{Field{"key", &CommConfigSet::key}, Field{"value", &CommConfigSet::value}};
  }
};

// ---- plugins and networks ----

/// `kind` is NET, COLLNET, TUNER or PROFILER in the plugin events.
struct PluginNamed {
  static constexpr std::string_view name = "plugin_named";
  std::string_view kind;
  std::string_view library;
  static constexpr auto fields() {
    return std::tuple{Field{"kind", &PluginNamed::kind}, Field{"library", &PluginNamed::library}};
  }
};

/// Normal where no plugin is installed; `libraries` are the names tried.
struct PluginNotFound {
  static constexpr std::string_view name = "plugin_not_found";
  std::string_view kind;
  std::string_view libraries;
  static constexpr auto fields() {
    return std::tuple{Field{"kind", &PluginNotFound::kind}, Field{"libraries", &PluginNotFound::libraries}};
  }
};

/// A probe for one plugin interface; normal while another version follows.
struct PluginSymbolMissing {
  static constexpr std::string_view name = "plugin_symbol_missing";
  std::string_view kind;
  std::string_view symbol;
  static constexpr auto fields() {
    return std::tuple{Field{"kind", &PluginSymbolMissing::kind}, Field{"symbol", &PluginSymbolMissing::symbol}};
  }
};

/// The dynamic loader's own words on a library that did not load.
struct PluginLoadFailed {
  static constexpr std::string_view name = "plugin_load_failed";
  std::string_view kind;
  std::string_view reason;
  static constexpr auto fields() {
    return std::tuple{Field{"kind", &PluginLoadFailed::kind}, Field{"reason", &PluginLoadFailed::reason}};
  }
};

/// The library has the interface; it is not initialised yet.
struct PluginLoaded {
  static constexpr std::string_view name = "plugin_loaded";
  std::string_view kind;
  std::string_view plugin;
  int api = -1;
  static constexpr auto fields() {
    using T = PluginLoaded;
    return std::tuple{Field{"kind", &T::kind}, Field{"plugin", &T::plugin}, Field{"api", &T::api}};
  }
};

struct PluginLibraryLoaded {
  static constexpr std::string_view name = "plugin_library_loaded";
  std::string_view kind;
  std::string_view library;
  static constexpr auto fields() {
    return std::tuple{Field{"kind", &PluginLibraryLoaded::kind}, Field{"library", &PluginLibraryLoaded::library}};
  }
};

/// Normal for a network that the host does not have: the next one is tried.
struct PluginInitFailed {
  static constexpr std::string_view name = "plugin_init_failed";
  std::string_view kind;
  std::string_view plugin;
  static constexpr auto fields() {
    return std::tuple{Field{"kind", &PluginInitFailed::kind}, Field{"plugin", &PluginInitFailed::plugin}};
  }
};

struct PluginInitialized {
  static constexpr std::string_view name = "plugin_initialized";
  std::string_view plugin;
  static constexpr auto fields() { return std::tuple{Field{"plugin", &PluginInitialized::plugin}}; }
};

struct PluginAssigned {
  static constexpr std::string_view name = "plugin_assigned";
  std::string_view kind;
  std::string_view plugin;
  static constexpr auto fields() {
    return std::tuple{Field{"kind", &PluginAssigned::kind}, Field{"plugin", &PluginAssigned::plugin}};
  }
};

/// `Using network …`: the authoritative name.
struct NetworkChosen {
  static constexpr std::string_view name = "network_chosen";
  std::string_view network;
  static constexpr auto fields() { return std::tuple{Field{"network", &NetworkChosen::network}}; }
};

struct NetworkMissing {
  static constexpr std::string_view name = "network_missing";
  std::string_view network;  ///< Empty when NCCL does not say which.
  static constexpr auto fields() { return std::tuple{Field{"network", &NetworkMissing::network}}; }
};

struct OfiStarted {
  static constexpr std::string_view name = "ofi_started";
  std::string_view version;  ///< aws-ofi-nccl
  static constexpr auto fields() { return std::tuple{Field{"version", &OfiStarted::version}}; }
};

struct OfiLibfabricUsed {
  static constexpr std::string_view name = "ofi_libfabric_used";
  std::string_view version;
  static constexpr auto fields() { return std::tuple{Field{"version", &OfiLibfabricUsed::version}}; }
};

struct OfiProviderMissing {
  static constexpr std::string_view name = "ofi_provider_missing";
  static constexpr auto fields() { return std::tuple{}; }
};

struct OfiProviderSelected {
  static constexpr std::string_view name = "ofi_provider_selected";
  std::string_view provider;
  std::string_view fabric;
  int nics = -1;
  static constexpr auto fields() {
    using T = OfiProviderSelected;
    return std::tuple{Field{"provider", &T::provider}, Field{"fabric", &T::fabric}, Field{"nics", &T::nics}};
  }
};

/// The cloud instance type or platform that a plugin recognised.
struct PlatformReported {
  static constexpr std::string_view name = "platform_reported";
  std::string_view platform;
  static constexpr auto fields() { return std::tuple{Field{"platform", &PlatformReported::platform}}; }
};

/// Any other word of aws-ofi-nccl; a WARN of it is a step of its failing.
struct OfiNoted {
  static constexpr std::string_view name = "ofi_noted";
  std::string_view detail;
  static constexpr auto fields() { return std::tuple{Field{"detail", &OfiNoted::detail}}; }
};

struct IbDevicesAbsent {
  static constexpr std::string_view name = "ib_devices_absent";
  static constexpr auto fields() { return std::tuple{}; }
};

struct IbDevicesListed {
  static constexpr std::string_view name = "ib_devices_listed";
  NicList devices;  ///< ` [0]mlx5_0:1/IB …`; blank when there is none.
  std::string_view interface;
  std::string_view address;
  static constexpr auto fields() {
    using T = IbDevicesListed;
    return std::tuple{Field{"devices", &T::devices}, Field{"interface", &T::interface}, Field{"address", &T::address}};
  }
};

struct SocketInterfacesListed {
  static constexpr std::string_view name = "socket_interfaces_listed";
  InterfaceList interfaces;  ///< `[0]eth0:10.0.0.1<0> [1]…`
  static constexpr auto fields() { return std::tuple{Field{"interfaces", &SocketInterfacesListed::interfaces}}; }
};

/// The NIC's own GPUDirect RDMA ability (NET subsystem).
struct NicGdrReported {
  static constexpr std::string_view name = "nic_gdr_reported";
  std::string_view network;
  std::string_view state;  ///< Enabled or Disabled
  int device = -1;
  std::string_view nic;
  std::string_view reason;  ///< `no module`, or what it works with: nvidia-peermem, DMABUF
  static constexpr auto fields() {
    using T = NicGdrReported;
    return std::tuple{Field{"network", &T::network}, Field{"state", &T::state}, Field{"device", &T::device},
                      Field{"nic", &T::nic}, Field{"reason", &T::reason}};
  }
};

/// Whether a GPU may use GPUDirect RDMA with a NIC, and why: distances are path types in the numbering of that NCCL.
/// The ids are printed as bus id, as index or as `GPU/0-1b000 (rank)`, by era; not printed since 2.30.3.
struct GdrDecided {
  static constexpr std::string_view name = "gdr_decided";
  std::string_view state;  ///< Enabled or Disabled
  std::string_view gpu, nic;
  int distance = -1, limit = -1;
  int read = -1;          ///< 1: for sends, too
  std::string_view mode;  ///< Default or PCI (2.26.2+)
  static constexpr auto fields() {
    using T = GdrDecided;
    return std::tuple{Field{"state", &T::state},       Field{"gpu", &T::gpu},     Field{"nic", &T::nic},
                      Field{"distance", &T::distance}, Field{"limit", &T::limit}, Field{"read", &T::read},
                      Field{"mode", &T::mode}};
  }
};

/// A port with its speed (NET subsystem, 2.27.3+).
struct NicReported {
  static constexpr std::string_view name = "nic_reported";
  int index = -1;
  std::string_view device;
  int port = -1;
  std::string_view link, provider;
  int speed = -1;  ///< Mbit/s
  static constexpr auto fields() {
    using T = NicReported;
    return std::tuple{Field{"index", &T::index}, Field{"device", &T::device},     Field{"port", &T::port},
                      Field{"link", &T::link},   Field{"provider", &T::provider}, Field{"speed", &T::speed}};
  }
};

/// Several ports fused into one device, named `mlx5_0+mlx5_1` (2.24.3+).
struct VirtualNicMade {
  static constexpr std::string_view name = "virtual_nic_made";
  int index = -1;
  std::string_view device;
  int speed = -1;  ///< Mbit/s
  int ports = -1, rail = -1, plane = -1;
  static constexpr auto fields() {
    using T = VirtualNicMade;
    return std::tuple{Field{"index", &T::index}, Field{"device", &T::device}, Field{"speed", &T::speed},
                      Field{"ports", &T::ports}, Field{"rail", &T::rail},     Field{"plane", &T::plane}};
  }
};

/// Ranks see different numbers of NICs (2.30.3+).
struct NicCountsMismatched {
  static constexpr std::string_view name = "nic_counts_mismatched";
  int min = -1, max = -1;
  static constexpr auto fields() {
    using T = NicCountsMismatched;
    return std::tuple{Field{"min", &T::min}, Field{"max", &T::max}};
  }
};

/// NVLink fabric of a GPU as NVML tells it. State 3 = completed, 1 and 2 = not yet; a UUID of 0.0 is a plain NVSwitch
/// box.
struct FabricReported {
  static constexpr std::string_view name = "fabric_reported";
  Hex bus_id, uuid_high, uuid_low, clique;
  int state = -1;
  Hex health;
  static constexpr auto fields() {
    using T = FabricReported;
    return std::tuple{Field{"bus_id", &T::bus_id}, Field{"uuid_high", &T::uuid_high}, Field{"uuid_low", &T::uuid_low},
                      Field{"clique", &T::clique}, Field{"state", &T::state},         Field{"health", &T::health}};
  }
};

/// A libfabric call, or what aws-ofi-nccl did with it.
struct OfiCallFailed {
  static constexpr std::string_view name = "ofi_call_failed";
  std::string_view operation;
  int code = -1;  ///< libfabric, negative errno
  std::string_view error;
  static constexpr auto fields() {
    using T = OfiCallFailed;
    return std::tuple{Field{"operation", &T::operation}, Field{"code", &T::code}, Field{"error", &T::error}};
  }
};

struct OfiRequestFailed {
  static constexpr std::string_view name = "ofi_request_failed";
  int code = -1;
  int provider_error = -1;
  std::string_view error;
  std::int64_t length = -1;
  static constexpr auto fields() {
    using T = OfiRequestFailed;
    return std::tuple{Field{"code", &T::code}, Field{"provider_error", &T::provider_error}, Field{"error", &T::error},
                      Field{"length", &T::length}};
  }
};

struct OfiProtocolChosen {
  static constexpr std::string_view name = "ofi_protocol_chosen";
  std::string_view protocol;   ///< SENDRECV or RDMA
  std::string_view chosen_by;  ///< `user set`, `platform set` or empty
  static constexpr auto fields() {
    using T = OfiProtocolChosen;
    return std::tuple{Field{"protocol", &T::protocol}, Field{"chosen_by", &T::chosen_by}};
  }
};

struct OfiProtocolFailed {
  static constexpr std::string_view name = "ofi_protocol_failed";
  std::string_view protocol;
  static constexpr auto fields() {
    using T = OfiProtocolFailed;
    return std::tuple{Field{"protocol", &T::protocol}};
  }
};

struct OfiSupportReported {
  static constexpr std::string_view name = "ofi_support_reported";
  std::string_view feature;
  std::string_view state;  ///< true or false
  static constexpr auto fields() {
    using T = OfiSupportReported;
    return std::tuple{Field{"feature", &T::feature}, Field{"state", &T::state}};
  }
};

/// The code for a platform, not an instance type.
struct OfiPlatformSelected {
  static constexpr std::string_view name = "ofi_platform_selected";
  std::string_view part;  ///< Plugin or Tuner
  std::string_view platform;
  static constexpr auto fields() {
    using T = OfiPlatformSelected;
    return std::tuple{Field{"part", &T::part}, Field{"platform", &T::platform}};
  }
};

/// The instance type has GPUDirect RDMA, and it does not work.
struct OfiGdrDisabled {
  static constexpr std::string_view name = "ofi_gdr_disabled";
  std::string_view platform;
  static constexpr auto fields() {
    using T = OfiGdrDisabled;
    return std::tuple{Field{"platform", &T::platform}};
  }
};

/// NICs that stand for one rail of the RDMA protocol.
struct OfiNicGrouped {
  static constexpr std::string_view name = "ofi_nic_grouped";
  int group = -1, device = -1;
  std::string_view bus;
  static constexpr auto fields() {
    using T = OfiNicGrouped;
    return std::tuple{Field{"group", &T::group}, Field{"device", &T::device}, Field{"bus", &T::bus}};
  }
};

/// Words of a network plugin whose sources are closed or only partly public.
struct VendorNetworkNoted {
  static constexpr std::string_view name = "vendor_network_noted";
  std::string_view network, detail;
  static constexpr auto fields() {
    using T = VendorNetworkNoted;
    return std::tuple{Field{"network", &T::network}, Field{"detail", &T::detail}};
  }
};

// ---- communicators ----

/// What names a rank of a communicator. Children of a split carry `parent`, `split_count` and `color` in place of
/// `comm_id` (2.23.4+).
struct CommIdentity {
  std::string_view function;
  Hex comm;
  int rank = -1, nranks = -1, cuda_dev = -1, nvml_dev = -1;
  Hex bus_id;
  Hex comm_id;
  Hex parent;
  int split_count = -1, key = -1;
  std::int64_t color = -1;  ///< An int to NCCL; that of a program that prints it unsigned stays as printed.
  static constexpr auto fields() {
    using T = CommIdentity;
    return std::tuple{
        Field{"function", &T::function},       Field{"comm", &T::comm},         Field{"rank", &T::rank},
        Field{"nranks", &T::nranks},           Field{"cuda_dev", &T::cuda_dev}, Field{"nvml_dev", &T::nvml_dev},
        Field{"bus_id", &T::bus_id},           Field{"comm_id", &T::comm_id},   Field{"parent", &T::parent},
        Field{"split_count", &T::split_count}, Field{"color", &T::color},       Field{"key", &T::key}};
  }
};

/// `… - Init START` (2.18.3+).
struct CommInitStarted : CommIdentity {
  static constexpr std::string_view name = "comm_init_started";
};

/// `… - Init COMPLETE`: proves that the bootstrap and the exchanges of all ranks passed.
struct CommInitCompleted : CommIdentity {
  static constexpr std::string_view name = "comm_init_completed";
};

/// Where NCCL places a rank. A "node" is a set of GPUs that reach each other without the network (2.20.3+). Up to 2.3.7
/// NCCL prints only the rank and the number of ranks here, before the bootstrap.
struct CommPlaced {
  static constexpr std::string_view name = "comm_placed";
  Hex comm;
  int rank = -1, nranks = -1, nnodes = -1, local_ranks = -1, local_rank = -1, mnnvl = -1;
  static constexpr auto fields() {
    using T = CommPlaced;
    return std::tuple{Field{"comm", &T::comm},
                      Field{"rank", &T::rank},
                      Field{"nranks", &T::nranks},
                      Field{"nnodes", &T::nnodes},
                      Field{"local_ranks", &T::local_ranks},
                      Field{"local_rank", &T::local_rank},
                      Field{"mnnvl", &T::mnnvl}};
  }
};

struct CommEnd {
  Hex comm;
  int rank = -1, nranks = -1, cuda_dev = -1;
  Hex bus_id;
  static constexpr auto fields() {
    using T = CommEnd;
    return std::tuple{Field{"comm", &T::comm}, Field{"rank", &T::rank}, Field{"nranks", &T::nranks},
                      Field{"cuda_dev", &T::cuda_dev}, Field{"bus_id", &T::bus_id}};
  }
};

struct CommDestroyed : CommEnd {
  static constexpr std::string_view name = "comm_destroyed";
};

struct CommAborted : CommEnd {
  static constexpr std::string_view name = "comm_aborted";
};

/// Seconds of one rank's initialisation; printed after Init COMPLETE (2.23.4+).
struct InitTimed {
  static constexpr std::string_view name = "init_timed";
  std::string_view function;
  int rank = -1, nranks = -1;
  double total = 0, kernels = 0, alloc = 0, bootstrap = 0, allgathers = 0, topo = 0, graphs = 0, connections = 0,
         rest = 0;
  static constexpr auto fields() {
    using T = InitTimed;
    return std::tuple{Field{"function", &T::function},
                      Field{"rank", &T::rank},
                      Field{"nranks", &T::nranks},
                      Field{"total", &T::total},
                      Field{"kernels", &T::kernels},
                      Field{"alloc", &T::alloc},
                      Field{"bootstrap", &T::bootstrap},
                      Field{"allgathers", &T::allgathers},
                      Field{"topo", &T::topo},
                      Field{"graphs", &T::graphs},
                      Field{"connections", &T::connections},
                      Field{"rest", &T::rest}};
  }
};

// ---- the graph ----

/// Rank 0's `Channel 00/02 : 0 1 2 3`: the order of the ring.
struct RingListed {
  static constexpr std::string_view name = "ring_listed";
  int channel = -1;
  int channels = -1;
  RankList ranks;
  static constexpr auto fields() {
    using T = RingListed;
    return std::tuple{Field{"channel", &T::channel}, Field{"channels", &T::channels}, Field{"ranks", &T::ranks}};
  }
};

struct RingLinked {
  static constexpr std::string_view name = "ring_linked";
  int channel = -1, prev = -1, rank = -1, next = -1;
  Hex comm;  ///< RCCL
  static constexpr auto fields() {
    using T = RingLinked;
    return std::tuple{Field{"channel", &T::channel}, Field{"prev", &T::prev}, Field{"rank", &T::rank},
                      Field{"next", &T::next}, Field{"comm", &T::comm}};
  }
};

struct TreesBuilt {
  static constexpr std::string_view name = "trees_built";
  TreeList trees = {};
  Hex comm = {};  ///< RCCL
  int nranks = -1;
  static constexpr auto fields() {
    using T = TreesBuilt;
    return std::tuple{Field{"trees", &T::trees}, Field{"comm", &T::comm}, Field{"nranks", &T::nranks}};
  }
};

struct TreeLinked {
  static constexpr std::string_view name = "tree_linked";
  int channel = -1, up = -1, rank = -1, down0 = -1, down1 = -1, down2 = -1;
  static constexpr auto fields() {
    using T = TreeLinked;
    return std::tuple{Field{"channel", &T::channel}, Field{"up", &T::up},       Field{"rank", &T::rank},
                      Field{"down0", &T::down0},     Field{"down1", &T::down1}, Field{"down2", &T::down2}};
  }
};

/// `NVLS Trees : …` (GRAPH, 2.18.1+): the two trees that join the heads of nodes over the network.
struct NvlsTreesLinked {
  static constexpr std::string_view name = "nvls_trees_linked";
  int rank = -1;
  int up = -1, down0 = -1, down1 = -1, down2 = -1;
  int second_up = -1, second_down0 = -1, second_down1 = -1, second_down2 = -1;
  static constexpr auto fields() {
    using T = NvlsTreesLinked;
    return std::tuple{Field{"rank", &T::rank},
                      Field{"up", &T::up},
                      Field{"down0", &T::down0},
                      Field{"down1", &T::down1},
                      Field{"down2", &T::down2},
                      Field{"second_up", &T::second_up},
                      Field{"second_down0", &T::second_down0},
                      Field{"second_down1", &T::second_down1},
                      Field{"second_down2", &T::second_down2}};
  }
};

/// `NVLS Head 0: 0 8` (GRAPH): the rank of each node that is this head.
struct NvlsHeadListed {
  static constexpr std::string_view name = "nvls_head_listed";
  int head = -1;
  RankList ranks;
  static constexpr auto fields() {
    using T = NvlsHeadListed;
    return std::tuple{Field{"head", &T::head}, Field{"ranks", &T::ranks}};
  }
};

/// `NVLS comm …` (2.18.1+): a rank got its NVLS resources.
struct NvlsSetUp {
  static constexpr std::string_view name = "nvls_set_up";
  Hex comm;
  int head = -1;  ///< -1: the rank is none
  int heads = -1;
  static constexpr auto fields() {
    using T = NvlsSetUp;
    return std::tuple{Field{"comm", &T::comm}, Field{"head", &T::head}, Field{"heads", &T::heads}};
  }
};

/// NCCL's own checks failed: a ring that does not close or lacks a rank, a tree with too many children.
struct GraphBroken {
  static constexpr std::string_view name = "graph_broken";
  int ring = -1;  ///< -1: a tree
  static constexpr auto fields() { return std::tuple{Field{"ring", &GraphBroken::ring}}; }
};

struct RingsConnected {
  static constexpr std::string_view name = "rings_connected";
  int pxn = -1, gdr = -1;  ///< -1 before 2.24.3
  Hex comm;                ///< RCCL
  static constexpr auto fields() {
    using T = RingsConnected;
    return std::tuple{Field{"pxn", &T::pxn}, Field{"gdr", &T::gdr}, Field{"comm", &T::comm}};
  }
};

/// `Collnet Chains …` (2.14.3 to 2.21.5), before they are connected; `Connected Collnet Chains …` (2.22.3+), after.
struct CollnetChainsBuilt {
  static constexpr std::string_view name = "collnet_chains_built";
  bool connected = false;
  ChainList chains = {};
  static constexpr auto fields() {
    using T = CollnetChainsBuilt;
    return std::tuple{Field{"connected", &T::connected}, Field{"chains", &T::chains}};
  }
};

/// `Connected all trees`, `… binomial trees`, `… NVLS tree`, CollNet: `algorithm` says which.
struct AlgorithmConnected {
  static constexpr std::string_view name = "algorithm_connected";
  std::string_view algorithm;
  static constexpr auto fields() { return std::tuple{Field{"algorithm", &AlgorithmConnected::algorithm}}; }
};

/// `collnet` mirrors `coll` since 2.21.5 and says nothing about SHARP.
struct ChannelsCounted {
  static constexpr std::string_view name = "channels_counted";
  int coll = -1, collnet = -1, nvls = -1, p2p = -1, p2p_per_peer = -1;
  static constexpr auto fields() {
    using T = ChannelsCounted;
    return std::tuple{Field{"coll", &T::coll}, Field{"collnet", &T::collnet}, Field{"nvls", &T::nvls},
                      Field{"p2p", &T::p2p}, Field{"p2p_per_peer", &T::p2p_per_peer}};
  }
};

/// One end of one connection. P2P and SHM are printed by the sender alone, NET by both ends.
struct ChannelConnected {
  static constexpr std::string_view name = "channel_connected";
  int channel = -1;
  int connection = 0;  ///< 0 = collectives, 1 = send/recv, CollNet and shared buffers
  int from = -1;
  std::string_view from_dev;  ///< nvml index (2.18.3+) or bus id (before): decided by NCCL's version, not by shape
  int to = -1;
  std::string_view to_dev;
  std::string_view direction;  ///< send or receive; empty for P2P and SHM, which only the sender prints
  std::string_view transport;  ///< `P2P/CUMEM`, `P2P/direct pointer`, `SHM`, `NET`, `COLLNET`, …
  std::string_view network;    ///< after NET/ or COLLNET/
  int device = -1;             ///< NIC index of the printing rank
  int proxy_rank = -1;         ///< PXN: the rank whose proxy drives the NIC; for P2P/indirect the rank between
  bool read = false, copy_engine = false, gdrdma = false, shared = false;
  Hex comm;         ///< RCCL; NCCL does not say which communicator it connects.
  int nranks = -1;  ///< RCCL
  static constexpr auto fields() {
    using T = ChannelConnected;
    return std::tuple{Field{"channel", &T::channel},
                      Field{"connection", &T::connection},
                      Field{"from", &T::from},
                      Field{"from_dev", &T::from_dev},
                      Field{"to", &T::to},
                      Field{"to_dev", &T::to_dev},
                      Field{"direction", &T::direction},
                      Field{"transport", &T::transport},
                      Field{"network", &T::network},
                      Field{"device", &T::device},
                      Field{"proxy_rank", &T::proxy_rank},
                      Field{"read", &T::read},
                      Field{"copy_engine", &T::copy_engine},
                      Field{"gdrdma", &T::gdrdma},
                      Field{"shared", &T::shared},
                      Field{"comm", &T::comm},
                      Field{"nranks", &T::nranks}};
  }
};

/// Whether all local pairs can use P2P; meaningless when a node has one rank.
struct P2pChecked {
  static constexpr std::string_view name = "p2p_checked";
  int all_direct = -1, direct_mode = -1;
  static constexpr auto fields() {
    return std::tuple{Field{"all_direct", &P2pChecked::all_direct}, Field{"direct_mode", &P2pChecked::direct_mode}};
  }
};

struct NvlsReported {
  static constexpr std::string_view name = "nvls_reported";
  std::string_view state;  ///< `available` or `not available`
  int device = -1;
  int channels = -1;
  static constexpr auto fields() {
    using T = NvlsReported;
    return std::tuple{Field{"state", &T::state}, Field{"device", &T::device}, Field{"channels", &T::channels}};
  }
};

// ---- topology (GRAPH) ----

/// A node of the topology: `GPU/0-1b000`, `NET/0` (up to 2.20.5 without the system).
struct TopologyNode {
  std::string_view type;  ///< GPU, PCI, NVS, CPU, NIC, NET, …
  Hex system;             ///< Node index where NVLink spans hosts.
  Hex id;                 ///< Bus id of a GPU or PCI switch, else a number.
};

/// `NET/0-0 GPU/8 GPU/15 NET/0-0`: nodes separated by blanks.
class NodeList {
 public:
  NodeList() = default;
  explicit NodeList(std::string_view text) : rest_(text) {}
  std::string_view text() const { return rest_; }
  /// Moves the next node into `node`; false at the end or at the first one that cannot be read.
  bool next(TopologyNode& node);

 private:
  std::string_view rest_;
};

/// The best path to a node.
struct TopologyPath {
  TopologyNode to;
  int hops = -1;
  double bandwidth = 0;   ///< GB/s
  std::string_view link;  ///< Worst link on it: NVL, PIX, PXB, PHB, SYS, …; a number in 2.5
};

/// `GPU/0-1b000 (0/5000.0/LOC) GPU/0-1c000 (2/160.0/NVL) …`
class PathList {
 public:
  PathList() = default;
  explicit PathList(std::string_view text) : rest_(text) {}
  std::string_view text() const { return rest_; }
  /// Moves the next path into `path`; false at the end or at the first one that cannot be read.
  bool next(TopologyPath& path);

 private:
  std::string_view rest_;
};

/// `1/2/-1`: what stands in a node's brackets. GPU: rank. CPU: architecture, vendor, model. PCI: device
/// id. NET: guid, port, bandwidth; 2.24.3+ with CollNet support first.
class PartList {
 public:
  PartList() = default;
  explicit PartList(std::string_view text) : rest_(text) {}
  std::string_view text() const { return rest_; }
  /// Moves the next part into `part`; false at the end.
  bool next(std::string_view& part);

 private:
  std::string_view rest_;
};

struct SystemPrinted {
  static constexpr std::string_view name = "system_printed";
  double max_bw = 0, total_bw = 0;  ///< GB/s
  static constexpr auto fields() {
    return std::tuple{Field{"max_bw", &SystemPrinted::max_bw}, Field{"total_bw", &SystemPrinted::total_bw}};
  }
};

/// A line of the topology dump: a node and the link to its parent. Depth is the column of `+`.
struct TopologyNodePrinted {
  static constexpr std::string_view name = "topology_node_printed";
  std::string_view indent;
  std::string_view link;  ///< NVL, C2C, PCI, SYS, NET, …; empty for a root
  double bandwidth = 0;   ///< GB/s
  std::string_view type;  ///< GPU, PCI, NVS, CPU, NIC, NET, …
  Hex system;             ///< Node index where NVLink spans hosts (2.21.5+)
  Hex id;                 ///< Bus id of a GPU or PCI switch, else a number
  PartList detail;
  static constexpr auto fields() {
    using T = TopologyNodePrinted;
    return std::tuple{Field{"indent", &T::indent}, Field{"link", &T::link},     Field{"bandwidth", &T::bandwidth},
                      Field{"type", &T::type},     Field{"system", &T::system}, Field{"id", &T::id},
                      Field{"detail", &T::detail}};
  }
};

/// `GPU/0-1b000 :GPU/0-1c000 (2/160.0/NVL) …`: hops, GB/s and worst link to every other node.
struct PathsPrinted {
  static constexpr std::string_view name = "paths_printed";
  std::string_view type;
  Hex system;
  Hex id;
  PathList paths;
  static constexpr auto fields() {
    using T = PathsPrinted;
    return std::tuple{Field{"type", &T::type}, Field{"system", &T::system}, Field{"id", &T::id},
                      Field{"paths", &T::paths}};
  }
};

/// Result of a graph search. Pattern 1 balanced tree, 2 split tree, 3 tree, 4 ring, 5 NVLS, 6 CollNet direct.
struct GraphSearched {
  static constexpr std::string_view name = "graph_searched";
  int pattern = -1, cross_nic = -1, nchannels = -1;
  double bw_intra = 0, bw_inter = 0;  ///< GB/s a channel
  std::string_view type_intra, type_inter;
  int same_channels = -1;
  static constexpr auto fields() {
    using T = GraphSearched;
    return std::tuple{Field{"pattern", &T::pattern},       Field{"cross_nic", &T::cross_nic},
                      Field{"nchannels", &T::nchannels},   Field{"bw_intra", &T::bw_intra},
                      Field{"bw_inter", &T::bw_inter},     Field{"type_intra", &T::type_intra},
                      Field{"type_inter", &T::type_inter}, Field{"same_channels", &T::same_channels}};
  }
};

/// ` 0 : NET/0-0 GPU/0 GPU/1 NET/0-0`: a channel of the search result before it.
struct GraphChannelPrinted {
  static constexpr std::string_view name = "graph_channel_printed";
  int channel = -1;
  NodeList path;
  static constexpr auto fields() {
    return std::tuple{Field{"channel", &GraphChannelPrinted::channel}, Field{"path", &GraphChannelPrinted::path}};
  }
};

/// The CPUs that NCCL binds a rank's threads to, as ranges (`0-23,48-71`) or, up to 2.26.6, as a mask. 2.28.3+ also
/// says what the GPU is near to and what the launcher allowed; `empty, ignoring`: these do not meet.
struct AffinityChosen {
  static constexpr std::string_view name = "affinity_chosen";
  int gpu = -1;  ///< nvml index
  std::string_view cpus;
  std::string_view gpu_cpus, process_cpus;
  static constexpr auto fields() {
    using T = AffinityChosen;
    return std::tuple{Field{"gpu", &T::gpu}, Field{"cpus", &T::cpus}, Field{"gpu_cpus", &T::gpu_cpus},
                      Field{"process_cpus", &T::process_cpus}};
  }
};

// ---- collectives ----

struct CollectiveCalled {
  static constexpr std::string_view name = "collective_called";
  std::string_view operation;
  Hex op_count;
  std::int64_t count = -1;
  int datatype = -1, op = -1, root = -1;
  Hex comm;
  int nranks = -1;
  static constexpr auto fields() {
    using T = CollectiveCalled;
    return std::tuple{Field{"operation", &T::operation},
                      Field{"op_count", &T::op_count},
                      Field{"count", &T::count},
                      Field{"datatype", &T::datatype},
                      Field{"op", &T::op},
                      Field{"root", &T::root},
                      Field{"comm", &T::comm},
                      Field{"nranks", &T::nranks}};
  }
};

struct AlgorithmChosen {
  static constexpr std::string_view name = "algorithm_chosen";
  std::string_view operation;
  std::int64_t bytes = -1;
  std::string_view algorithm, protocol;
  static constexpr auto fields() {
    using T = AlgorithmChosen;
    return std::tuple{Field{"operation", &T::operation}, Field{"bytes", &T::bytes}, Field{"algorithm", &T::algorithm},
                      Field{"protocol", &T::protocol}};
  }
};

// ---- faults ----

struct CudaFailed {
  static constexpr std::string_view name = "cuda_failed";
  int code = -1;  ///< driver API only
  std::string_view error;
  static constexpr auto fields() {
    return std::tuple{Field{"code", &CudaFailed::code}, Field{"error", &CudaFailed::error}};
  }
};

struct AllocationFailed {
  static constexpr std::string_view name = "allocation_failed";
  std::string_view what;
  std::int64_t bytes = -1;
  static constexpr auto fields() {
    return std::tuple{Field{"what", &AllocationFailed::what}, Field{"bytes", &AllocationFailed::bytes}};
  }
};

struct DuplicateGpuDetected {
  static constexpr std::string_view name = "duplicate_gpu_detected";
  int rank = -1, other_rank = -1;
  Hex bus_id;
  static constexpr auto fields() {
    using T = DuplicateGpuDetected;
    return std::tuple{Field{"rank", &T::rank}, Field{"other_rank", &T::other_rank}, Field{"bus_id", &T::bus_id}};
  }
};

struct SharedMemoryFailed {
  static constexpr std::string_view name = "shared_memory_failed";
  std::string_view path;
  std::int64_t bytes = -1;
  std::string_view error;
  int code = -1;  ///< errno
  static constexpr auto fields() {
    using T = SharedMemoryFailed;
    return std::tuple{Field{"path", &T::path}, Field{"bytes", &T::bytes}, Field{"error", &T::error},
                      Field{"code", &T::code}};
  }
};

/// NVML says that P2P does not work. `between` is NVLINK (a fault) or empty (PCIe: often normal).
struct P2pUnusable {
  static constexpr std::string_view name = "p2p_unusable";
  std::string_view between;
  int gpu = -1, other_gpu = -1;
  static constexpr auto fields() {
    using T = P2pUnusable;
    return std::tuple{Field{"between", &T::between}, Field{"gpu", &T::gpu}, Field{"other_gpu", &T::other_gpu}};
  }
};

/// Peer access or an IPC handle failed.
struct P2pFailed {
  static constexpr std::string_view name = "p2p_failed";
  std::string_view detail;
  static constexpr auto fields() { return std::tuple{Field{"detail", &P2pFailed::detail}}; }
};

struct NvlsFailed {
  static constexpr std::string_view name = "nvls_failed";
  std::int64_t bytes = -1;
  int code = -1;
  std::string_view error;
  static constexpr auto fields() {
    using T = NvlsFailed;
    return std::tuple{Field{"bytes", &T::bytes}, Field{"code", &T::code}, Field{"error", &T::error}};
  }
};

struct TopologyFileFailed {
  static constexpr std::string_view name = "topology_file_failed";
  std::string_view path;
  std::string_view error;
  static constexpr auto fields() {
    return std::tuple{Field{"path", &TopologyFileFailed::path}, Field{"error", &TopologyFileFailed::error}};
  }
};

/// `file.cc:123 -> 3`: the trail behind a failure; the first WARN before it is the cause.
struct ErrorPropagated {
  static constexpr std::string_view name = "error_propagated";
  std::string_view file;
  int line = -1;
  int result = -1;  ///< 1 CUDA, 2 system, 3 internal, 4 argument, 5 usage, 6 remote, 7 in progress, 8 timeout
  std::string_view thread;
  static constexpr auto fields() {
    using T = ErrorPropagated;
    return std::tuple{Field{"file", &T::file}, Field{"line", &T::line}, Field{"result", &T::result},
                      Field{"thread", &T::thread}};
  }
};

/// A local rank's process closed its proxy connection: normal at the end of life, a death before it.
struct ServiceClosed {
  static constexpr std::string_view name = "service_closed";
  int local_rank = -1;
  static constexpr auto fields() { return std::tuple{Field{"local_rank", &ServiceClosed::local_rank}}; }
};

struct ProxyFailed {
  static constexpr std::string_view name = "proxy_failed";
  std::string_view detail;
  static constexpr auto fields() { return std::tuple{Field{"detail", &ProxyFailed::detail}}; }
};

/// A work request that came back with an error; `status` is the number of an IBV_WC_ name, so 4 local protection, 5
/// flushed, 9 and 10 remote access, 12 transport timeout, 13 receiver not ready.
struct IbCompletionFailed {
  static constexpr std::string_view name = "ib_completion_failed";
  std::string_view peer;  ///< `ip<port>`
  int status = -1;
  std::string_view status_name;  ///< 2.28.7+
  int opcode = -1;
  std::string_view opcode_name;
  std::int64_t length = -1;
  std::int64_t vendor_error = -1;          ///< 129 with status 12: retries exceeded
  std::string_view request;                ///< Send, Recv, Flush, …
  std::string_view local_gid, remote_gid;  ///< RoCE only
  std::string_view hca;                    ///< 2.22.3+
  static constexpr auto fields() {
    using T = IbCompletionFailed;
    return std::tuple{Field{"peer", &T::peer},
                      Field{"status", &T::status},
                      Field{"status_name", &T::status_name},
                      Field{"opcode", &T::opcode},
                      Field{"opcode_name", &T::opcode_name},
                      Field{"length", &T::length},
                      Field{"vendor_error", &T::vendor_error},
                      Field{"request", &T::request},
                      Field{"local_gid", &T::local_gid},
                      Field{"remote_gid", &T::remote_gid},
                      Field{"hca", &T::hca}};
  }
};

/// An event of a device or port that no request asked for.
struct IbAsyncEvent {
  static constexpr std::string_view name = "ib_async_event";
  std::string_view severity;  ///< As printed: `async fatal event`, `Got non-fatal async event`, …
  std::string_view device;
  int port = -1;
  std::string_view object;  ///< QP, CQ or SRQ
  std::string_view what;
  int code = -1;
  static constexpr auto fields() {
    using T = IbAsyncEvent;
    return std::tuple{Field{"severity", &T::severity}, Field{"device", &T::device}, Field{"port", &T::port},
                      Field{"object", &T::object},     Field{"what", &T::what},     Field{"code", &T::code}};
  }
};

/// A call of libibverbs, of another library or of the system. What ibv_modify_qp could not connect is told
/// since 2.24.3.
struct CallFailed {
  static constexpr std::string_view name = "call_failed";
  std::string_view call, reason;
  int code = -1;  ///< errno
  std::string_view device;
  int port = -1;
  std::string_view state, next_state;
  int gid_index = -1;
  std::string_view local_gid, remote_gid;
  int attempt = -1, attempts = -1;  ///< It is tried again.
  static constexpr auto fields() {
    using T = CallFailed;
    return std::tuple{Field{"call", &T::call},
                      Field{"reason", &T::reason},
                      Field{"code", &T::code},
                      Field{"device", &T::device},
                      Field{"port", &T::port},
                      Field{"state", &T::state},
                      Field{"next_state", &T::next_state},
                      Field{"gid_index", &T::gid_index},
                      Field{"local_gid", &T::local_gid},
                      Field{"remote_gid", &T::remote_gid},
                      Field{"attempt", &T::attempt},
                      Field{"attempts", &T::attempts}};
  }
};

struct IbDeviceUnusable {
  static constexpr std::string_view name = "ib_device_unusable";
  std::string_view operation;  ///< `open device`, `query device` or `query port`
  std::string_view device;
  int port = -1;
  static constexpr auto fields() {
    using T = IbDeviceUnusable;
    return std::tuple{Field{"operation", &T::operation}, Field{"device", &T::device}, Field{"port", &T::port}};
  }
};

/// InfiniBand and RoCE mixed; links are IB and RoCE, or their numbers 1 and 2.
struct IbDevicesIncompatible {
  static constexpr std::string_view name = "ib_devices_incompatible";
  std::string_view local, local_link, remote, remote_link;
  static constexpr auto fields() {
    using T = IbDevicesIncompatible;
    return std::tuple{Field{"local", &T::local}, Field{"local_link", &T::local_link}, Field{"remote", &T::remote},
                      Field{"remote_link", &T::remote_link}};
  }
};

/// The ends of a connection are not the same rail, or fuse different numbers of ports.
struct IbRailsMismatched {
  static constexpr std::string_view name = "ib_rails_mismatched";
  std::string_view local, remote;
  int local_ports = -1, remote_ports = -1;
  static constexpr auto fields() {
    using T = IbRailsMismatched;
    return std::tuple{Field{"local", &T::local}, Field{"remote", &T::remote}, Field{"local_ports", &T::local_ports},
                      Field{"remote_ports", &T::remote_ports}};
  }
};

/// The other end is in another subnet and has no router LID (FLID).
struct IbRouterLidMissing {
  static constexpr std::string_view name = "ib_router_lid_missing";
  static constexpr auto fields() { return std::tuple{}; }
};

/// Resiliency took a device out of service (2.29.7+).
struct IbDeviceFailed {
  static constexpr std::string_view name = "ib_device_failed";
  int device = -1;
  std::string_view side;      ///< send or recv
  std::string_view recovery;  ///< Whether it is tried to recover it.
  static constexpr auto fields() {
    using T = IbDeviceFailed;
    return std::tuple{Field{"device", &T::device}, Field{"side", &T::side}, Field{"recovery", &T::recovery}};
  }
};

/// Two ends of one message disagree on its size: different calls, or settings, of the ranks.
struct CollectiveMismatched {
  static constexpr std::string_view name = "collective_mismatched";
  std::string_view network, peer;
  std::int64_t local_size = -1, remote_size = -1;
  int rank = -1;  ///< 2.4–2.7.6
  static constexpr auto fields() {
    using T = CollectiveMismatched;
    return std::tuple{Field{"network", &T::network}, Field{"peer", &T::peer}, Field{"local_size", &T::local_size},
                      Field{"remote_size", &T::remote_size}, Field{"rank", &T::rank}};
  }
};

struct MnnvlFailed {
  static constexpr std::string_view name = "mnnvl_failed";
  int clique_size = -1;
  std::string_view problem, check;
  static constexpr auto fields() {
    using T = MnnvlFailed;
    return std::tuple{Field{"clique_size", &T::clique_size}, Field{"problem", &T::problem}, Field{"check", &T::check}};
  }
};

/// A kernel of this NCCL wants more shared memory than the GPU has: it was built before there was such a GPU.
struct KernelMemoryExceeded {
  static constexpr std::string_view name = "kernel_memory_exceeded";
  int compute_capability = -1;      ///< 100·major + 10·minor: 1200 is 12.0
  int needed = -1, available = -1;  ///< bytes
  static constexpr auto fields() {
    using T = KernelMemoryExceeded;
    return std::tuple{Field{"compute_capability", &T::compute_capability}, Field{"needed", &T::needed},
                      Field{"available", &T::available}};
  }
};

struct RasPeerDead {
  static constexpr std::string_view name = "ras_peer_dead";
  std::string_view peer;
  static constexpr auto fields() {
    using T = RasPeerDead;
    return std::tuple{Field{"peer", &T::peer}};
  }
};

struct RasTimedOut {
  static constexpr std::string_view name = "ras_timed_out";
  std::string_view what;
  std::int64_t seconds = -1;
  std::string_view peer;
  int missing = -1;  ///< Responses that a collective gave up on
  static constexpr auto fields() {
    using T = RasTimedOut;
    return std::tuple{Field{"what", &T::what}, Field{"seconds", &T::seconds}, Field{"peer", &T::peer},
                      Field{"missing", &T::missing}};
  }
};

/// Another version in the network of RAS threads.
struct RasVersionMismatched {
  static constexpr std::string_view name = "ras_version_mismatched";
  std::string_view peer, local, remote;
  static constexpr auto fields() {
    using T = RasVersionMismatched;
    return std::tuple{Field{"peer", &T::peer}, Field{"local", &T::local}, Field{"remote", &T::remote}};
  }
};

/// RCCL looks at the kernel and the environment of the host.
struct HostSettingMissing {
  static constexpr std::string_view name = "host_setting_missing";
  std::string_view setting;
  static constexpr auto fields() {
    using T = HostSettingMissing;
    return std::tuple{Field{"setting", &T::setting}};
  }
};

/// NCCL's own guess behind an error (2.30.7+). Cases fall through: a hint does not prove its case.
struct Hinted {
  static constexpr std::string_view name = "hinted";
  std::string_view detail;
  static constexpr auto fields() {
    using T = Hinted;
    return std::tuple{Field{"detail", &T::detail}};
  }
};

// ---- what other programs say ----

/// PyTorch's watchdog gave up on a collective: which one, as its rank counted it.
struct CollectiveTimedOut {
  static constexpr std::string_view name = "collective_timed_out";
  std::int64_t sequence = -1;
  std::string_view operation;  ///< ALLREDUCE
  std::string_view shape;      ///< Up to PyTorch 2.0.
  std::int64_t elements_in = -1, elements_out = -1;
  std::int64_t timeout = -1, ran = -1;  ///< milliseconds
  static constexpr auto fields() {
    using T = CollectiveTimedOut;
    return std::tuple{Field{"sequence", &T::sequence},
                      Field{"operation", &T::operation},
                      Field{"shape", &T::shape},
                      Field{"elements_in", &T::elements_in},
                      Field{"elements_out", &T::elements_out},
                      Field{"timeout", &T::timeout},
                      Field{"ran", &T::ran}};
  }
};

/// How far a rank of PyTorch has come in the collectives of a process group, numbered from 1.
struct WatchdogReported {
  static constexpr std::string_view name = "watchdog_reported";
  std::int64_t work = -1;  ///< The one that failed.
  std::int64_t enqueued = -1, completed = -1;
  static constexpr auto fields() {
    using T = WatchdogReported;
    return std::tuple{Field{"work", &T::work}, Field{"enqueued", &T::enqueued}, Field{"completed", &T::completed}};
  }
};

/// The last line of a Python traceback.
struct ProgramRaised {
  static constexpr std::string_view name = "program_raised";
  std::string_view exception;  ///< `torch.OutOfMemoryError`
  std::string_view words;
  static constexpr auto fields() {
    using T = ProgramRaised;
    return std::tuple{Field{"exception", &T::exception}, Field{"words", &T::words}};
  }
};

/// The kernel, or whoever started it, saw a process end.
struct ProcessEnded {
  static constexpr std::string_view name = "process_ended";
  std::string_view why;  ///< In the words of the one that saw it: `Killed process`, `Segmentation fault`.
  std::string_view program, host;
  std::int64_t pid = -1;
  int rank = -1;        ///< Of the launcher: a task of Slurm, a process of MPI.
  int local_rank = -1;  ///< Of torchrun.
  int code = 0;         ///< Exit code; negative, or `signal`: killed by a signal.
  int signal = 0;
  static constexpr auto fields() {
    using T = ProcessEnded;
    return std::tuple{Field{"why", &T::why},   Field{"program", &T::program}, Field{"host", &T::host},
                      Field{"pid", &T::pid},   Field{"rank", &T::rank},       Field{"local_rank", &T::local_rank},
                      Field{"code", &T::code}, Field{"signal", &T::signal}};
  }
};

/// The scheduler ended the job.
struct JobCancelled {
  static constexpr std::string_view name = "job_cancelled";
  std::string_view job, host;
  std::string_view why;  ///< `DUE TO TIME LIMIT`; empty when it does not say.
  static constexpr auto fields() {
    using T = JobCancelled;
    return std::tuple{Field{"job", &T::job}, Field{"host", &T::host}, Field{"why", &T::why}};
  }
};

/// The GPU driver's own error line.
struct GpuFaulted {
  static constexpr std::string_view name = "gpu_faulted";
  std::string_view bus_id;  ///< `0000:4b:00`
  int xid = -1;             ///< NVIDIA's number of the fault.
  std::string_view words;
  static constexpr auto fields() {
    using T = GpuFaulted;
    return std::tuple{Field{"bus_id", &T::bus_id}, Field{"xid", &T::xid}, Field{"words", &T::words}};
  }
};

/// NCCL's RAS client (2.24.3+): the ranks of a communicator have launched different numbers of an operation.
struct RasCountsDiffer {
  static constexpr std::string_view name = "ras_counts_differ";
  std::string_view operation;
  static constexpr auto fields() { return std::tuple{Field{"operation", &RasCountsDiffer::operation}}; }
};

/// So many ranks have launched so many of it.
struct RasRanksCounted {
  static constexpr std::string_view name = "ras_ranks_counted";
  std::int64_t ranks = -1, launched = 0;
  static constexpr auto fields() {
    return std::tuple{Field{"ranks", &RasRanksCounted::ranks}, Field{"launched", &RasRanksCounted::launched}};
  }
};

/// One of the ranks in question. `launched` -1: as many as the group that was named before it.
struct RasRankListed {
  static constexpr std::string_view name = "ras_rank_listed";
  int rank = -1;
  std::int64_t launched = -1;
  std::string_view gpu, node;
  std::int64_t pid = -1;
  static constexpr auto fields() {
    using T = RasRankListed;
    return std::tuple{Field{"rank", &T::rank}, Field{"launched", &T::launched}, Field{"gpu", &T::gpu},
                      Field{"node", &T::node}, Field{"pid", &T::pid}};
  }
};

/// A well-known phrase of a failure stands in a line that nothing else reads: by itself it proves little.
struct PhraseSeen {
  static constexpr std::string_view name = "phrase_seen";
  std::string_view phrase;  ///< As the line has it.
  std::string_view topic;   ///< Name of the rule that it speaks for. Static text of the table.
  static constexpr auto fields() {
    using T = PhraseSeen;
    return std::tuple{Field{"phrase", &T::phrase}, Field{"topic", &T::topic}};
  }
};

// ---- the rest ----

/// A known line whose details nothing uses yet (`wording` is its template).
struct Noted {
  static constexpr std::string_view name = "noted";
  std::string_view wording;
  static constexpr auto fields() { return std::tuple{Field{"wording", &Noted::wording}}; }
};

/// A known warning of which nothing but its wording is used (`wording` is its template).
struct Warned {
  static constexpr std::string_view name = "warned";
  std::string_view wording;
  /// Name of the rule that it speaks for, and behind a slash which of the rule's cases; `none`: an echo, or harmless.
  /// Static text of the table.
  std::string_view topic;
  static constexpr auto fields() { return std::tuple{Field{"wording", &Warned::wording}}; }
};

/// A record that ends before its wording does, or holds a piece of another: no fact is read from it. Record::damage
/// says which.
struct Damaged {
  static constexpr std::string_view name = "damaged";
  static constexpr auto fields() { return std::tuple{}; }
};

/// An NCCL line that no row recognises: counted and sampled, never dropped.
struct Unrecognized {
  static constexpr std::string_view name = "unrecognized";
  static constexpr auto fields() { return std::tuple{}; }
};

using Event = std::variant<
    Unrecognized, Damaged, ChannelConnected, CollectiveCalled, AlgorithmChosen, RingLinked, RingListed, TreesBuilt,
    TreeLinked, NvlsTreesLinked, NvlsHeadListed, NvlsSetUp, GraphBroken, RingsConnected, CollnetChainsBuilt,
    AlgorithmConnected, ChannelsCounted, P2pChecked, NvlsReported, BootstrapInterfaceChosen, SocketInterfaceUsed,
    BootstrapTimed, InterfaceNotFound, ConnectRetried, ConnectFailed, ConnectionClosed, SocketFailed, HandshakeRefused,
    WorldMismatched, VersionPrinted, DriverVersionPrinted, VersionMismatched, EnvSet, EnvRejected, CommConfigSet,
    PluginNamed, PluginNotFound, PluginSymbolMissing, PluginLoadFailed, PluginLoaded, PluginLibraryLoaded,
    PluginInitialized, PluginAssigned, NetworkChosen, NetworkMissing, OfiStarted, OfiLibfabricUsed, OfiProviderMissing,
    OfiProviderSelected, PlatformReported, OfiNoted, IbDevicesAbsent, IbDevicesListed, SocketInterfacesListed,
    NicGdrReported, CommInitStarted, CommInitCompleted, CommPlaced, CommDestroyed, CommAborted, InitTimed,
    SystemPrinted, TopologyNodePrinted, PathsPrinted, GraphSearched, GraphChannelPrinted, AffinityChosen, CudaFailed,
    AllocationFailed, DuplicateGpuDetected, SharedMemoryFailed, P2pUnusable, P2pFailed, NvlsFailed, TopologyFileFailed,
    ErrorPropagated, ServiceClosed, ProxyFailed, GdrDecided, NicReported, VirtualNicMade, NicCountsMismatched,
    FabricReported, OfiCallFailed, OfiRequestFailed, OfiProtocolChosen, OfiProtocolFailed, OfiSupportReported,
    OfiPlatformSelected, OfiGdrDisabled, OfiNicGrouped, VendorNetworkNoted, IbCompletionFailed, IbAsyncEvent,
    CallFailed, IbDeviceUnusable, IbDevicesIncompatible, IbRailsMismatched, IbRouterLidMissing, IbDeviceFailed,
    CollectiveMismatched, MnnvlFailed, KernelMemoryExceeded, RasPeerDead, RasTimedOut, RasVersionMismatched,
    HostSettingMissing, Hinted, PluginInitFailed, CollectiveTimedOut, WatchdogReported, ProgramRaised, ProcessEnded,
    JobCancelled, GpuFaulted, RasCountsDiffer, RasRanksCounted, RasRankListed, PhraseSeen, Noted, Warned>;

/// The event's name as the `events` format prints it.
std::string_view event_name(const Event& event);

}  // namespace nccl_analyze
