#pragma once
/// A process: its versions, settings, plugins and networks.

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "nccl_analyze/containers.h"
#include "nccl_analyze/model/line.h"

namespace nccl_analyze {

/// The last step of the loading of a plugin that the log shows.
enum class PluginStatus : std::uint8_t { named, missing, loaded, initialized, failed };
std::string_view to_string(PluginStatus status);

/// A plugin that a process looked for or loaded.
struct Plugin {
  Text kind;     ///< net, collnet, tuner, profiler
  Text name;     ///< The name that the plugin prints, such as Libfabric or IBext_v8
  Text api;      ///< Version of the plugin interface: v10
  Text library;  ///< libnccl-net.so
  Text version;  ///< The plugin's own version: "aws-ofi-nccl 1.16.2, libfabric 2.1"
  PluginStatus status = PluginStatus::named;
  bool requested = false;  ///< Whether the environment names the plugin (NCCL_NET_PLUGIN).
  /// Whether the plugin was built for another NCCL or CUDA: `reason` names a symbol or CUDA.
  bool other_build = false;
  Text reason;        ///< Error text of the failure.
  Evidence evidence;  ///< Lines about the search for the plugin and its loading.
  Evidence failure;   ///< Lines about the failure.
};

/// The lines of a process about GPUDirect RDMA: which NICs support it, and which GPUs use it.
struct GdrReasons {
  std::uint64_t able_nics = 0;  ///< Number of lines about NICs that support GPUDirect RDMA.
  Evidence unable_nics;         ///< Lines about NICs that do not support it, except sockets, which never do.
  std::uint64_t enabled = 0;    ///< Number of lines about a GPU that uses it with a NIC.
  Evidence disabled;            ///< Lines about a GPU that does not use it with a NIC.
  /// `nearest`: the smallest distance between a GPU and a NIC in the lines of `disabled`; `limit`: the largest distance
  /// allowed. Both are path types, as numbered by the release that printed the lines; -1: not printed.
  int nearest = -1, limit = -1;
};

/// The ways out of a GPU for which NCCL registers buffers of the user, so that it need not copy them. `collnet`: the
/// switches of the network; `ipc`: other GPUs of the host.
enum class BufferWay : std::uint8_t { nvls, collnet, net, ipc };
inline constexpr std::size_t buffer_ways = 4;
inline constexpr std::uint8_t bit_of(BufferWay way) {
  return static_cast<std::uint8_t>(1U << static_cast<unsigned>(way));
}
/// Returns `NVLS`, `CollNet`, `NET` or `IPC`.
std::string_view to_string(BufferWay way);

/// The ways for which lines show registered buffers (subsystem REG), and for which they show refused ones: bit i stands
/// for BufferWay i.
struct BufferWays {
  std::uint8_t registered = 0, refused = 0;
  std::uint8_t without_gdr = 0;  ///< Refused because the network does not use GPUDirect RDMA.
  auto operator<=>(const BufferWays&) const = default;
};

/// The value of a setting, as a process printed it.
struct EnvValue {
  Text value;
  LineRef at;
};

/// The settings that a process printed: a map from variable to value, stored as a sorted vector.
class Settings {
 public:
  using Setting = std::pair<Text, EnvValue>;
  auto begin() const { return settings_.begin(); }
  auto end() const { return settings_.end(); }
  std::size_t size() const { return settings_.size(); }
  bool empty() const { return settings_.empty(); }
  /// Returns the value of a variable, valid until the next insertion; null if the process did not print the variable.
  const EnvValue* find(std::string_view variable) const {
    return (variables_ & bit_of(variable)) == 0 ? nullptr : search(variable);
  }
  EnvValue* find(std::string_view variable) { return const_cast<EnvValue*>(std::as_const(*this).find(variable)); }
  bool contains(std::string_view variable) const { return find(variable) != nullptr; }
  /// Adds a variable, which must not be present yet.
  void add(Text variable, EnvValue value);
  /// Returns the value of a variable, which is added with an empty value if it is missing.
  EnvValue& operator[](std::string_view variable);

 private:
  /// Returns the bit of a variable in the Bloom filter `variables_`: a hash of the variable's length and two of its
  /// letters. Most lookups are for variables that are not set; the filter answers most of these without a search.
  static constexpr std::uint64_t bit_of(std::string_view variable) {
    if (variable.empty()) return 1;
    const auto letter = [&](std::size_t at) { return std::uint64_t{static_cast<unsigned char>(variable[at])}; };
    const std::uint64_t few = variable.size() ^ letter(variable.size() / 2) << 8U ^ letter(variable.size() - 1) << 16U;
    return std::uint64_t{1} << (few * 0x9E3779B97F4A7C15U >> 58U);
  }
  const EnvValue* search(std::string_view variable) const;

  std::vector<Setting> settings_;
  std::uint64_t variables_ = 0;  ///< Bloom filter of the variables in `settings_`.
};

/// The range of NCCL releases that print the messages of a process, as 100·major + minor: 219 is 2.19. The releases of
/// a message come from its row in lib/messages; the version of a custom build may lie outside the range.
struct Releases {
  int since = 0;  ///< The oldest release that prints the message at `since_at`; 0: unknown.
  int until = 0;  ///< The newest release that prints the message at `until_at`; 0: unknown, or current.
  LineRef since_at, until_at;
};

/// The release of a process that prints no version, inferred from the places in NCCL's source that its warnings and
/// error traces name. It is likely but not proven, because modified builds have other line numbers. No rule may infer a
/// fault from it.
struct InferredVersion {
  Text library;                ///< NCCL or RCCL
  std::vector<Text> versions;  ///< The releases that fit equally well, all of one minor release, lowest first.
  std::size_t places = 0;      ///< Number of distinct places that were looked up.
  Evidence matched;            ///< Lines that name places of `versions`; each distinct place counts once.
};

/// A process, identified by source, host and pid.
struct Process {
  SourceId source{};
  Index host_index = -1;    ///< Index into Model::hosts; -1: no line names a host.
  Index communicator = -1;  ///< The first of Model::communicators that has a rank of this process; -1: none.
  std::int64_t pid = -1;
  Text host, pod, container;
  Text library;  ///< NCCL or RCCL; empty when no version line was seen
  Text version;  ///< 2.27.3
  /// A second version: set if several processes without readable prefixes were taken for one process.
  Text second_version;
  Text toolkit;       ///< The CUDA version that NCCL was built with: 12.9
  Releases releases;  ///< Derived from the messages, for processes that print no version.
  Text bootstrap_interface, bootstrap_address;
  Text network;   ///< The network in `Using network …`
  Text platform;  ///< The instance type that a plugin reported.
  std::vector<Plugin> plugins;
  Settings env;
  Text ib_devices;                ///< `[0]mlx5_0:1/IB …`, which NicList parses.
  Text socket_devices;            ///< `[0]eth0:10.0.0.1<0> …`, which InterfaceList parses.
  Boxed<GdrReasons> gdr_reasons;  ///< Empty if the process printed no line about GPUDirect RDMA.
  /// Empty if `version` is known, or if the log names too few places or places of several minor releases.
  Boxed<InferredVersion> inferred_version;
  Text fabric;            ///< `UUID/clique`, equal for processes connected by multi-node NVLink; empty without it.
  Text worst_path;        ///< Worst path type between GPUs of the node in the ring search: NVL, PIX, …, SYS.
  int driver = -1;        ///< Version of the CUDA driver: 1000·major + 10·minor
  int fabric_state = -1;  ///< NVLink fabric: 1 not started, 2 in progress, 3 completed; -1: not printed.
  int nvls = -1;          ///< 1: the device supports NVLS multicast; 0: it does not; -1: not printed.
  BufferWays buffers;
  bool ib_absent = false;    ///< `NET/IB : No device found.`
  bool nvlink = false;       ///< Whether the topology dump shows NVLink.
  int announced_ranks = -1;  ///< The size of a communicator, from a line without its id (up to 2.4); -1: not printed.
  bool init_seen = false;    ///< Whether the log has a line that only the subsystem INIT prints.
  bool setup_seen = false;   ///< Whether the log has a line that NCCL prints during or after an initialisation.
  bool info_seen = false;    ///< Whether the log has an INFO line: NCCL_DEBUG is INFO or more verbose.
  LineRef first, last;       ///< The first and the last line of this process.
  /// The last line that shows NCCL working: a completed initialisation, a connection, a collective, or the end of a
  /// communicator. Failures before this line did not stop the process.
  LineRef progress;
  bool ended_in_order = false;  ///< Whether the process destroyed a communicator.
  /// Whether a warning of the process comes from a GPU that none of its known ranks uses, while its communicator has
  /// ranks without a log. A failure of the process may then belong to a rank that is not in the input.
  bool has_other_ranks = false;
  LineRef version_at, second_version_at, driver_at, bootstrap_at, network_at, platform_at, ib_at, socket_at, fabric_at,
      worst_path_at;
  /// Returns the value of `gdr_reasons`; a default-constructed GdrReasons if it is empty.
  const GdrReasons& gdr() const;
};

}  // namespace nccl_analyze
