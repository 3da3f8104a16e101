#include "evidence/pod_manifest.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>

#include "text/blanks.h"

namespace nccl_analyze::evidence {

namespace {

/// A value of a pod spec that becomes a fact without a change: its path (Kubernetes API v1, PodSpec and Container), and
/// the `part` and `key` of the fact.
struct Member {
  std::string_view path, part, key;
};
constexpr std::array<Member, 8> members{{
    {"hostNetwork", "pod", "host-network"},
    {"hostIPC", "pod", "host-ipc"},
    {"hostname", "pod", "hostname"},
    {"nodeName", "pod", "node"},
    {"containers/*/name", "container", "name"},
    {"containers/*/securityContext/privileged", "container", "privileged"},
    {"volumes/*/name", "volume", "name"},
    {"volumes/*/emptyDir/medium", "volume", "medium"},
}};

constexpr std::string_view limits = "containers/*/resources/limits/", requests = "containers/*/resources/requests/",
                           claims = "containers/*/resources/claims", size_limit = "volumes/*/emptyDir/sizeLimit",
                           capabilities = "containers/*/securityContext/capabilities/add/*",
                           mounts = "containers/*/volumeMounts/*/";

/// The keys of the pod spec and of a container whose values are read. `<<` is the merge key of YAML.
constexpr std::array<std::string_view, 7> spec_keys = {"containers", "volumes",  "hostNetwork", "hostIPC",
                                                       "hostname",   "nodeName", "<<"};
constexpr std::array<std::string_view, 5> container_keys = {"name", "resources", "securityContext", "volumeMounts",
                                                            "<<"};

struct Suffix {
  std::string_view text;
  double factor;
};
/// The suffixes of a Kubernetes quantity (apimachinery, pkg/api/resource/quantity.go).
constexpr std::array<Suffix, 16> suffixes{{{"", 1},
                                           {"n", 1e-9},
                                           {"u", 1e-6},
                                           {"m", 1e-3},
                                           {"k", 1e3},
                                           {"M", 1e6},
                                           {"G", 1e9},
                                           {"T", 1e12},
                                           {"P", 1e15},
                                           {"E", 1e18},
                                           {"Ki", 1024.0},
                                           {"Mi", 1048576.0},
                                           {"Gi", 1073741824.0},
                                           {"Ti", 1099511627776.0},
                                           {"Pi", 1125899906842624.0},
                                           {"Ei", 1152921504606846976.0}}};

/// Converts a quantity such as `64Gi` to an integer, without its fraction; -1 if the text is no quantity, or if the
/// number has more than 64 bits.
std::int64_t quantity(std::string_view text) {
  constexpr double most = 9e18;
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || !(value >= 0)) return -1;
  const std::string_view rest = text.substr(static_cast<std::size_t>(end - text.data()));
  const auto found = std::ranges::find(suffixes, rest, &Suffix::text);
  if (found == suffixes.end() || value * found->factor > most) return -1;
  return static_cast<std::int64_t>(value * found->factor);
}

std::string_view first_part(std::string_view path) { return path.substr(0, path.find('/')); }

bool holds(const auto& keys, std::string_view key) { return std::ranges::find(keys, key) != keys.end(); }

/// Whether the resource is a device or huge pages, instead of processors, memory or disk.
bool is_device(std::string_view resource) {
  return resource.find('/') != std::string_view::npos || resource.starts_with("hugepages-");
}

}  // namespace

bool is_read_in_pod_spec(std::string_view key) { return holds(spec_keys, key); }

void PodFacts::emit(std::string_view part, int index, std::string_view key, std::string_view value,
                    const SourceQuote& shown) {
  facts_->emplace_back(PodManifestValue{.part = part, .index = index, .key = key, .value = trimmed(value)}, shown);
}

void PodFacts::begin(const QuotedValue& kind, const QuotedValue& name, const QuotedValue& name_space) {
  end(kind.shown);
  begun_ = complete_ = true;
  container_ = mount_ = -1;
  facts_->emplace_back(PodManifestStarted{kind.text}, kind.shown);
  set_name(name);
  set_name_space(name_space);
}

void PodFacts::set_name(const QuotedValue& name) {
  if (begun_ && !name.text.empty()) emit("pod", 0, "name", name.text, name.shown);
}

void PodFacts::set_name_space(const QuotedValue& name_space) {
  if (begun_ && !name_space.text.empty()) emit("pod", 0, "namespace", name_space.text, name_space.shown);
}

void PodFacts::add_mount(int container, int mount, std::string_view key, std::string_view value,
                         const SourceQuote& shown) {
  if (container != container_ || mount != mount_) {
    container_ = container;
    mount_ = mount;
    volume_.clear();
    mount_path_.clear();
  }
  if (key != "name" && key != "mountPath") return;
  (key == "name" ? volume_ : mount_path_) = value;
  if (!volume_.empty() && (mount_path_ == "/dev/shm" || mount_path_ == "/dev/shm/"))
    emit("container", container, "shm", volume_, shown);
}

void PodFacts::add(std::string_view path, int outer, int inner, std::string_view value, const SourceQuote& shown) {
  if (!begun_ || value.empty()) return;
  for (const Member& member : members)
    if (path == member.path) return emit(member.part, std::max(outer, 0), member.key, value, shown);
  if (path.starts_with(limits) || path.starts_with(requests)) {
    const std::string_view resource = path.substr(path.starts_with(limits) ? limits.size() : requests.size());
    if (is_device(resource)) emit("container", outer, resource, std::to_string(quantity(value)), shown);
  } else if (path == size_limit) {
    emit("volume", outer, "limit", std::to_string(quantity(value)), shown);
  } else if (path == capabilities) {
    if (value == "IPC_LOCK" || value == "CAP_IPC_LOCK" || value == "ALL")
      emit("container", outer, "capability", "IPC_LOCK", shown);
  } else if (path.starts_with(mounts)) {
    add_mount(outer, inner, path.substr(mounts.size()), value, shown);
  } else if (path.starts_with(claims)) {
    complete_ = false;  // the spec only names a claim, not its devices
  }
}

void PodFacts::leave_out(std::string_view path) {
  constexpr std::string_view containers = "containers/*/";
  const bool is_other =
      path.starts_with(containers) && !holds(container_keys, first_part(path.substr(containers.size())));
  if (is_read_in_pod_spec(first_part(path)) && !is_other) complete_ = false;
}

void PodFacts::end(const SourceQuote& shown) {
  if (begun_) facts_->emplace_back(PodManifestEnded{complete_}, shown);
  begun_ = false;
}

}  // namespace nccl_analyze::evidence
