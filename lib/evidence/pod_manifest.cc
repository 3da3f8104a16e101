#include "evidence/pod_manifest.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>

#include "evidence/manifest_keys.h"
#include "text/blanks.h"

namespace nccl_analyze::evidence {

namespace {

constexpr std::string_view spec_root = "spec/", any_key = "{}";
/// The merge key of YAML: an alias below it may stand for any member of its object.
constexpr std::string_view merge_key = "<<";

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

/// Whether `path` is the place of a value with the path `known`, in which `{}` stands for the rest.
bool is_at(std::string_view path, std::string_view known) {
  if (!known.ends_with(any_key)) return path == known;
  known.remove_suffix(any_key.size());
  return path.size() > known.size() && path.starts_with(known);
}

/// Whether a value with the path `inner` stands in the object or list with the path `outer`.
bool is_within(std::string_view inner, std::string_view outer) {
  return outer.empty() || (inner.starts_with(outer) && (inner.size() == outer.size() || inner[outer.size()] == '/'));
}

/// Whether a row of the table of keys for pod specs satisfies the condition, which gets the path in the pod spec.
const ManifestKey* find_in_spec(const auto& condition) {
  for (const ManifestKey& row : manifest_keys())
    if (row.reading != ManifestReading::none && row.path.starts_with(spec_root) &&
        condition(row.path.substr(spec_root.size())))
      return &row;
  return nullptr;
}

/// Whether the resource is a device or huge pages, instead of processors, memory or disk.
bool is_device(std::string_view resource) {
  return resource.find('/') != std::string_view::npos || resource.starts_with("hugepages-");
}

}  // namespace

bool is_read_in_pod_spec(std::string_view key) {
  return key == merge_key || find_in_spec([&](std::string_view known) { return is_within(known, key); }) != nullptr;
}

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
  (key == "name" ? volume_ : mount_path_) = value;
  if (!volume_.empty() && (mount_path_ == "/dev/shm" || mount_path_ == "/dev/shm/"))
    emit("container", container, "shm", volume_, shown);
}

void PodFacts::add(std::string_view path, int outer, int inner, std::string_view value, const SourceQuote& shown) {
  const ManifestKey* const row = find_in_spec([&](std::string_view known) { return is_at(path, known); });
  if (!begun_ || value.empty() || row == nullptr) return;
  const std::string_view own = path.substr(row->path.rfind('/') + 1 - spec_root.size());
  switch (row->reading) {
    case ManifestReading::text:
      return emit(row->part, std::max(outer, 0), row->fact, value, shown);
    case ManifestReading::size:
      return emit(row->part, outer, row->fact, std::to_string(quantity(value)), shown);
    case ManifestReading::amount:
      if (is_device(own)) emit(row->part, outer, own, std::to_string(quantity(value)), shown);
      return;
    case ManifestReading::capability:
      if (value == "IPC_LOCK" || value == "CAP_IPC_LOCK" || value == "ALL")
        emit(row->part, outer, row->fact, "IPC_LOCK", shown);
      return;
    case ManifestReading::mount:
      return add_mount(outer, inner, own, value, shown);
    case ManifestReading::claim:
      complete_ = false;
      return;
    case ManifestReading::none:
    case ManifestReading::object:
    case ManifestReading::state:
      return;
  }
}

void PodFacts::leave_out(std::string_view path) {
  if (path.ends_with(merge_key)) path.remove_suffix(merge_key.size());
  if (path.ends_with('/')) path.remove_suffix(1);
  const auto is_part = [&](std::string_view known) { return is_within(known, path) || is_at(path, known); };
  if (find_in_spec(is_part) != nullptr) complete_ = false;
}

void PodFacts::end(const SourceQuote& shown) {
  if (begun_) facts_->emplace_back(PodManifestEnded{complete_}, shown);
  begun_ = false;
}

}  // namespace nccl_analyze::evidence
