// Writes pods of Kubernetes manifests.

#include <optional>

#include "report/json/tools.h"

namespace nccl_analyze {
namespace {

void write_container(JsonWriter& json, const Model& model, const PodContainer& container) {
  json.begin_object();
  json.member("name", container.name.view());
  json.begin_array("resources", Layout::line);
  for (const PodResource& resource : container.resources) {
    json.begin_object(Layout::line);
    json.member("name", resource.name.view());
    json.member("amount", resource.amount < 0 ? std::nullopt : std::optional{resource.amount});
    json.end();
  }
  json.end();
  json.member("privileged", container.privileged);
  json.member("ipc_lock", container.ipc_lock);
  json.member("shm_volume", container.shm_volume.view());
  json.member("line", model.place_in_source(container.at));
  json.end();
}

void write_volume(JsonWriter& json, const PodVolume& volume) {
  json.begin_object(Layout::line);
  json.member("name", volume.name.view());
  json.member("in_memory", volume.in_memory);
  json.member("limit", volume.limit < 0 ? std::nullopt : std::optional{volume.limit});
  json.end();
}

void write_pod(JsonWriter& json, const Model& model, const Pod& pod) {
  json.begin_object();
  json.member("kind", pod.kind);
  json.member("name", pod.name);
  json.member("namespace", pod.name_space);
  json.member("node", pod.node);
  json.member("host_network", pod.host_network);
  json.member("host_ipc", pod.host_ipc);
  json.member("complete", pod.complete);
  json.member("source", static_cast<std::uint32_t>(pod.at.source));
  json.member("line", model.place_in_source(pod.at));
  json.begin_array("containers");
  for (const PodContainer& container : pod.containers) write_container(json, model, container);
  json.end();
  json.begin_array("volumes");
  for (const PodVolume& volume : pod.volumes) write_volume(json, volume);
  json.end();
  json.begin_array("hosts", Layout::line);
  for (const Index host : pod.hosts) json.value(host);
  json.end();
  json.end();
}

}  // namespace

void write_pods(JsonWriter& json, const Model& model) {
  json.begin_array("pods");
  for (const Pod& pod : model.pods) write_pod(json, model, pod);
  json.end();
}

}  // namespace nccl_analyze
