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
  Index host_index = -1;    ///< Into Model::hosts; -1 when no line names a host.
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

}  // namespace nccl_analyze
