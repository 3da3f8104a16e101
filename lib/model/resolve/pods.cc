// Finds the hosts of each pod.

#include <algorithm>
#include <map>
#include <string_view>

#include "model/resolve/passes.h"

namespace nccl_analyze::builder {

namespace {

/// Cuts a host name at the first dot, as NCCL does.
std::string_view first_label(std::string_view name) { return name.substr(0, name.find('.')); }

/// Maps a name to the index of the first manifest with this name; to -1 if manifests of several namespaces have this
/// name.
using Names = std::map<std::string_view, Index>;

void add(const Model& model, Names& names, std::string_view name, Index pod) {
  if (name.empty()) return;
  const auto [place, is_new] = names.try_emplace(name, pod);
  const Pod* const known = model.pods.find(place->second);
  if (!is_new && known != nullptr && known->name_space != model.pods[pod].name_space) place->second = -1;
}

Index find(const Names& names, std::string_view name) {
  const auto found = names.find(name);
  return found == names.end() ? -1 : found->second;
}

/// Returns the only workload whose name, followed by a dash, begins the pod's name: `train` for `train-worker-0`. -1 if
/// there is none, or if there are several.
Index workload_of(const Names& workloads, std::string_view pod) {
  Index found = -1;
  for (std::size_t dash = pod.find('-'); dash != std::string_view::npos; dash = pod.find('-', dash + 1)) {
    const auto workload = workloads.find(pod.substr(0, dash));
    if (workload == workloads.end()) continue;
    if (found >= 0 || workload->second < 0) return -1;
    found = workload->second;
  }
  return found;
}

}  // namespace

void join_pods(Model& model) {
  if (model.pods.empty()) return;
  Names pods, host_names, workloads;
  Index number = 0;
  for (const Pod& pod : model.pods) {
    if (pod.kind != "Pod")
      add(model, workloads, pod.name, number);
    else {
      add(model, pods, pod.name, number);
      if (!pod.host_network)
        add(model, host_names, first_label(pod.hostname.empty() ? pod.name : pod.hostname), number);
    }
    ++number;
  }
  for (Index host = 0; host < static_cast<Index>(model.hosts.size()); ++host) {
    const Host& one = model.hosts[host];
    Index found = one.pod.empty() ? find(host_names, one.name) : find(pods, one.pod);
    if (found < 0) found = workload_of(workloads, one.pod.empty() ? one.name : one.pod);
    if (found >= 0) model.pods[found].hosts.push_back(host);
  }
}

}  // namespace nccl_analyze::builder
