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

/// How far the loading of a plugin came, as far as the log shows it.
enum class PluginStatus : std::uint8_t { named, missing, loaded, initialized, failed };
std::string_view to_string(PluginStatus status);

/// A plugin that a process looked for or loaded.
struct Plugin {
  Text kind;     ///< net, collnet, tuner, profiler
  Text name;     ///< The name that the plugin prints: Libfabric, IBext_v8, …
  Text api;      ///< Version of the plugin interface: v10
  Text library;  ///< libnccl-net.so
  Text version;  ///< The plugin's own version: "aws-ofi-nccl 1.16.2, libfabric 2.1"
  PluginStatus status = PluginStatus::named;
  bool requested = false;    ///< Named by the environment (NCCL_NET_PLUGIN).
  bool other_build = false;  ///< `reason` names a symbol or CUDA: the plugin does not fit this NCCL or CUDA.
  Text reason;               ///< Error text of the failure.
  Evidence evidence;         ///< Lines that show the search and the loading.
  Evidence failure;          ///< Lines that show the failure.
};

/// Lines of a process about GPUDirect RDMA: whether its NICs support it, and whether its GPUs use it.
struct GdrReasons {
  std::uint64_t able_nics = 0;   ///< Number of lines about a NIC with support.
  Evidence unable_nics;          ///< Lines about a NIC without support; sockets, which never have it, are left out.
  std::uint64_t enabled = 0;     ///< Number of lines about a GPU and a NIC that use it.
  Evidence disabled;             ///< Lines about a GPU and a NIC that do not use it.
  int nearest = -1, limit = -1;  ///< Path type of the nearest NIC that is too far, and the farthest one allowed.
};

/// A setting as a process printed it.
struct EnvValue {
  Text value;
  LineRef at;
};

/// The settings that a process printed, by variable: a sorted vector with the interface of a map.
class Settings {
 public:
  using Setting = std::pair<Text, EnvValue>;
  auto begin() const { return settings_.begin(); }
  auto end() const { return settings_.end(); }
  std::size_t size() const { return settings_.size(); }
  bool empty() const { return settings_.empty(); }
  /// The value of a variable, valid until the next insertion; null when the process did not print the variable.
  const EnvValue* find(std::string_view variable) const {
    return (told_ & bit_of(variable)) == 0 ? nullptr : search(variable);
  }
  EnvValue* find(std::string_view variable) { return const_cast<EnvValue*>(std::as_const(*this).find(variable)); }
  bool contains(std::string_view variable) const { return find(variable) != nullptr; }
  /// Adds a variable, which must not be present yet.
  void add(Text variable, EnvValue value);
  /// The value of a variable; a missing variable is added with an empty value.
  EnvValue& operator[](std::string_view variable);

 private:
  /// The bit of a variable in the Bloom filter `told_`, hashed from its length and two letters. Most lookups are for
  /// variables that are not set, which the filter answers without a search.
  static constexpr std::uint64_t bit_of(std::string_view variable) {
    if (variable.empty()) return 1;
    const auto letter = [&](std::size_t at) { return std::uint64_t{static_cast<unsigned char>(variable[at])}; };
    const std::uint64_t few = variable.size() ^ letter(variable.size() / 2) << 8U ^ letter(variable.size() - 1) << 16U;
    return std::uint64_t{1} << (few * 0x9E3779B97F4A7C15U >> 58U);
  }
  const EnvValue* search(std::string_view variable) const;

  std::vector<Setting> settings_;
  std::uint64_t told_ = 0;  ///< Bloom filter of the variables in `settings_`.
};

/// The range of NCCL releases that fits the wordings of a process, as 100·major + minor: 219 is 2.19. The releases of a
/// wording come from its row in lib/messages, so that a custom build may lie outside the range.
struct Releases {
  int since = 0;  ///< The oldest release that prints the wording at `since_at`; 0: unknown.
  int until = 0;  ///< The newest release that prints the wording at `until_at`; 0: unknown, or current.
  LineRef since_at, until_at;
};

/// A process, identified by source, host and pid.
struct Process {
  SourceId source{};
  Index host_index = -1;    ///< Index into Model::hosts; -1: no line names a host.
  Index communicator = -1;  ///< The first of Model::communicators with a rank of this process; -1: none.
  std::int64_t pid = -1;
  Text host, pod, container;
  Text library;         ///< NCCL or RCCL; empty when no version line was seen
  Text version;         ///< 2.27.3
  Text second_version;  ///< Another version, if lines without a readable prefix mix several processes.
  Text toolkit;         ///< The CUDA version that NCCL was built with: 12.9
  Releases releases;    ///< Derived from wordings, for processes that print no version.
  Text bootstrap_interface, bootstrap_address;
  Text network;   ///< The network in `Using network …`
  Text platform;  ///< Instance type that a plugin reported.
  std::vector<Plugin> plugins;
  Settings env;
  Text ib_devices;                ///< `[0]mlx5_0:1/IB …`: a NicList
  Text socket_devices;            ///< `[0]eth0:10.0.0.1<0> …`: an InterfaceList
  Boxed<GdrReasons> gdr_reasons;  ///< Empty for most processes.
  Text fabric;             ///< `UUID/clique`, equal for processes that multi-node NVLink connects; empty without.
  Text worst_path;         ///< Worst path type between GPUs of the node in the ring search: NVL, PIX, …, SYS
  int driver = -1;         ///< Version of the CUDA driver: 1000·major + 10·minor
  int fabric_state = -1;   ///< State of the NVLink fabric: 3 = completed; see FabricReported.
  int nvls = -1;           ///< 1: the device has NVLS multicast; 0: it has not.
  bool ib_absent = false;  ///< `NET/IB : No device found.`
  bool nvlink = false;     ///< The topology dump shows NVLink.
  bool info_seen = false;  ///< The log has an INFO line, so NCCL_DEBUG is INFO or more.
  LineRef first, last;     ///< First and last line of this process.
  /// The last line that shows NCCL at work: an initialisation that completed, a connection, a collective, a
  /// communicator destroyed. Failures before this line did not stop the process.
  LineRef progress;
  bool ended_in_order = false;  ///< A line shows that the process destroyed a communicator.
  LineRef version_at, second_version_at, driver_at, bootstrap_at, network_at, platform_at, ib_at, socket_at, fabric_at,
      worst_path_at;
  /// `gdr_reasons`, or an empty value when the process printed none.
  const GdrReasons& gdr() const;
};

}  // namespace nccl_analyze
