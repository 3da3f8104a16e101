#include "model/build/pods.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <string_view>

namespace nccl_analyze::builder {

namespace {

constexpr std::size_t max_pods = 1 << 14;
constexpr std::size_t max_parts = 64;      // Limit on the containers, and on the volumes, of one pod.
constexpr std::size_t max_resources = 32;  // Limit for one container.

constexpr std::string_view yes = "true";

std::int64_t number_of(std::string_view text) {
  std::int64_t number = -1;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc{} && end == text.data() + text.size() ? number : -1;
}

void set_pod(Pod& pod, std::string_view key, std::string_view value) {
  if (key == "host-network") pod.host_network = value == yes;
  if (key == "host-ipc") pod.host_ipc = value == yes;
  constexpr std::array<std::pair<std::string_view, std::string Pod::*>, 4> texts{
      {{"name", &Pod::name}, {"namespace", &Pod::name_space}, {"node", &Pod::node}, {"hostname", &Pod::hostname}}};
  for (const auto& [name, member] : texts)
    if (key == name) pod.*member = std::string(value);
}

/// Keeps the larger one of the limit and the request of a resource, because they may come in either order. Both are
/// equal for devices and huge pages. False if the container has too many resources.
bool set_resource(PodContainer& container, std::string_view name, std::int64_t amount) {
  const auto at =
      std::ranges::lower_bound(container.resources, name, {}, [](const PodResource& one) { return one.name.view(); });
  if (at != container.resources.end() && at->name.view() == name) {
    at->amount = std::max(at->amount, amount);
    return true;
  }
  if (container.resources.size() >= max_resources) return false;
  container.resources.insert(at, {.name = name, .amount = amount});
  return true;
}

bool set_container(Context& context, PodContainer& container, std::string_view key, std::string_view value) {
  if (container.at.line == 0) container.at = context.quote();
  if (key == "name")
    container.name = value;
  else if (key == "privileged")
    container.privileged = value == yes;
  else if (key == "capability")
    container.ipc_lock = true;
  else if (key == "shm")
    container.shm_volume = value;
  else
    return set_resource(container, key, number_of(value));
  return true;
}

void set_volume(PodVolume& volume, std::string_view key, std::string_view value) {
  if (key == "name") volume.name = value;
  if (key == "medium") volume.in_memory = value == "Memory";
  if (key == "limit") volume.limit = number_of(value);
}

/// Returns the part with this index, which is added if it is missing; null beyond the limit.
template <class Part>
Part* part_of(Table<Part>& parts, int index) {
  if (index < 0 || static_cast<std::size_t>(index) >= max_parts) return nullptr;
  if (static_cast<std::size_t>(index) >= parts.size()) parts.resize(static_cast<std::size_t>(index) + 1);
  return &parts[Index{index}];
}

}  // namespace

Pod* Pods::open(Context& context) {
  const auto last = last_.find(context.record->at.source);
  if (last != last_.end()) return &context.state.model.pods[last->second];
  context.drop();
  return nullptr;
}

void Pods::apply(Context& context, const PodManifestStarted& event) {
  const SourceId source = context.record->at.source;
  if (context.state.model.pods.size() >= max_pods) {
    last_.erase(source);
    return context.drop();
  }
  last_[source] = context.state.model.pods.size();
  Pod& made = context.state.model.pods.emplace_back();
  made.at = context.quote();
  made.kind = std::string(event.kind);
}

void Pods::apply(Context& context, const PodManifestValue& event) {
  Pod* const pod = open(context);
  if (pod == nullptr) return;
  if (event.part == "pod") return set_pod(*pod, event.key, event.value);
  bool is_kept = false;
  if (event.part == "volume") {
    PodVolume* const volume = part_of(pod->volumes, event.index);
    is_kept = volume != nullptr;
    if (is_kept) set_volume(*volume, event.key, event.value);
  } else if (PodContainer* const container = part_of(pod->containers, event.index)) {
    is_kept = set_container(context, *container, event.key, event.value);
  }
  if (!is_kept) context.drop();
}

void Pods::apply(Context& context, const PodManifestEnded& event) {
  if (Pod* const pod = open(context)) pod->complete = event.complete;
}

}  // namespace nccl_analyze::builder
