// Reads the JSON of kubectl. All names are untrusted: a pod is left out if is_name() rejects its name or that of a
// container.

#include "cli/kubectl/pods.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <tuple>
#include <utility>

#include "input/failure.h"

namespace nccl_analyze::kubectl {

namespace {

using Json = nlohmann::json;

const Json& member(const Json& of, const char* key) {
  static const Json none;
  const auto found = of.is_object() ? of.find(key) : of.end();
  return found == of.end() ? none : *found;
}

std::string text(const Json& of, const char* key) {
  const Json& value = member(of, key);
  return value.is_string() ? value.get<std::string>() : std::string();
}

/// Returns the members of a pod that are passed to nccl-analyze. `true` keeps a member whole, an object keeps some of
/// its members. Commands, arguments, variables, annotations and probes are left out, because they may contain secrets.
const Json& kept_of_pod() {
  static const Json kept = {
      {"apiVersion", true},
      {"kind", true},
      {"metadata",
       {{"name", true}, {"namespace", true}, {"labels", true}, {"creationTimestamp", true}, {"ownerReferences", true}}},
      {"spec",
       {{"containers", {{"name", true}, {"resources", true}, {"securityContext", true}, {"volumeMounts", true}}},
        {"volumes", {{"name", true}, {"emptyDir", true}}},
        {"hostNetwork", true},
        {"hostIPC", true},
        {"hostname", true},
        {"nodeName", true}}},
      {"status", true}};
  return kept;
}

const Json& kept_of_event() {
  static const Json kept = {
      {"apiVersion", true}, {"kind", true},  {"involvedObject", true}, {"reason", true},        {"message", true},
      {"type", true},       {"count", true}, {"firstTimestamp", true}, {"lastTimestamp", true}, {"eventTime", true}};
  return kept;
}

/// Returns a copy of `from` with only the members that `kept` lists, at every level; a leaf of `kept` copies the whole
/// value. If `from` is an array, this applies to each item.
Json pick(const Json& from, const Json& kept) {
  if (!kept.is_object()) return from;
  if (from.is_array()) {
    Json items = Json::array();
    for (const Json& item : from) items.push_back(pick(item, kept));
    return items;
  }
  Json some = Json::object();
  for (const auto& [key, below] : kept.items())
    if (const Json& value = member(from, key.c_str()); !value.is_null()) some[key] = pick(value, below);
  return some;
}

std::string object_of(const Json& value) { return value.dump(-1, ' ', false, Json::error_handler_t::replace); }

Json parsed(std::string_view json, const char* what) {
  Json document = Json::parse(json, nullptr, false);
  if (!member(document, "items").is_array()) throw Failure(std::string("kubectl did not print a list of ") + what);
  return document;
}

/// Reads the current and the last state of a container.
void read_status(const Json& status, Pod& pod) {
  const std::string name = text(status, "name");
  const auto found = std::ranges::find(pod.containers, name, &Container::name);
  if (found == pod.containers.end()) return;
  const Json& state = member(status, "state");
  const Json& last = member(member(status, "lastState"), "terminated");
  found->running = member(state, "running").is_object();
  const bool has_begun = found->running || member(state, "terminated").is_object();
  found->restarted = has_begun && last.is_object();
  // While a container waits for a restart, the log of its last run can be read.
  found->started = has_begun || last.is_object();
  const std::string reason = text(member(state, "waiting"), "reason");
  if (!reason.empty() && (pod.state.empty() || !found->started)) pod.state = reason;
}

/// Returns why the pod as a whole has not started, if its containers give no reason: `Pending: Unschedulable`.
std::string state_of(const Json& status) {
  std::string state = text(status, "phase");
  if (const std::string reason = text(status, "reason"); !reason.empty()) return state + ": " + reason;
  for (const Json& condition : member(status, "conditions"))
    if (text(condition, "type") == "PodScheduled" && text(condition, "status") == "False")
      return state + ": " + text(condition, "reason");
  return state;
}

/// Adds the containers of one list of a pod's spec. Returns false if a name is invalid.
bool add_containers(const Json& containers, const Query& query, Pod& pod) {
  for (const Json& container : containers) {
    std::string name = text(container, "name");
    if (!is_name(name) || name.find('.') != std::string::npos) return false;
    if (query.has_container(name))
      pod.containers.push_back({.name = std::move(name)});
    else
      ++pod.others;
  }
  return true;
}

/// Returns the kind of an owner as kubectl takes it; empty if it cannot be one, because a word of the cluster becomes
/// an argument: kinds begin with a capital (`all` is none), and no pod belongs to a Secret.
std::string resource_of(const Json& owner) {
  const std::string version = text(owner, "apiVersion"), kind = text(owner, "kind");
  const std::size_t slash = version.find('/');  // the core group has a version only
  std::string resource = kind;
  if (slash != std::string::npos) resource += "." + version.substr(slash + 1) + "." + version.substr(0, slash);
  std::string lower = resource;
  std::ranges::transform(lower, lower.begin(),
                         [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
  const bool is_kind = !kind.empty() && kind.front() >= 'A' && kind.front() <= 'Z' && kind != "Secret";
  return is_kind && is_name(lower) ? resource : std::string();
}

std::vector<OwnerRef> owners_of(const Json& metadata) {
  std::vector<OwnerRef> owners;
  for (const Json& owner : member(metadata, "ownerReferences")) {
    OwnerRef one{.resource = resource_of(owner), .uid = text(owner, "uid")};
    if (!one.resource.empty() && !one.uid.empty()) owners.push_back(std::move(one));
  }
  return owners;
}

/// Reads a pod. Returns false if a name is invalid.
bool read_pod(const Json& item, const Query& query, Pod& pod) {
  const Json& metadata = member(item, "metadata");
  pod.name = text(metadata, "name");
  pod.name_space = text(metadata, "namespace");
  if (!is_name(pod.name) || !is_name(pod.name_space)) return false;
  pod.uid = text(metadata, "uid");
  pod.owners = owners_of(metadata);
  if (const Json& labels = member(metadata, "labels"); labels.is_object())
    for (const auto& [key, value] : labels.items())
      if (value.is_string()) pod.labels[key] = value.get<std::string>();
  const Json& spec = member(item, "spec");
  const Json& status = member(item, "status");
  for (const char* const list : {"initContainers", "containers", "ephemeralContainers"})
    if (!add_containers(member(spec, list), query, pod)) return false;
  for (const char* const list : {"initContainerStatuses", "containerStatuses", "ephemeralContainerStatuses"})
    for (const Json& one : member(status, list)) read_status(one, pod);
  if (pod.state.empty()) pod.state = state_of(status);
  const std::string phase = text(status, "phase");
  pod.finished = phase == "Succeeded" || phase == "Failed";
  return true;
}

}  // namespace

PodList read_pods(std::string_view json, const Query& query) {
  const Json document = parsed(json, "pods");
  PodList list;
  for (const Json& item : member(document, "items")) {
    Pod pod;
    if (!read_pod(item, query, pod)) {
      if (query.has_pod(pod.name)) list.refused.push_back(pod.name);
      continue;
    }
    for (const auto& [key, value] : pod.labels) ++list.label_counts[std::string(key) + "=" + value];
    if (!query.has_pod(pod.name)) continue;
    Json kept = pick(item, kept_of_pod());
    kept["kind"] = "Pod";  // an item of a PodList has no kind
    pod.manifest = object_of(kept);
    list.pods.push_back(std::move(pod));
  }
  std::ranges::sort(list.pods, [](const Pod& a, const Pod& b) {
    return std::tie(a.name_space, a.name) < std::tie(b.name_space, b.name);
  });
  return list;
}

void add_events(std::string_view json, std::vector<Pod>& pods) {
  const Json document = parsed(json, "events");
  std::map<std::pair<std::string_view, std::string_view>, Pod*> by_name;
  for (Pod& pod : pods) by_name[{pod.name_space, pod.name}] = &pod;
  for (const Json& event : member(document, "items")) {
    const Json& object = member(event, "involvedObject");
    const std::string name_space = text(object, "namespace"), name = text(object, "name");
    const auto found = by_name.find({name_space, name});
    if (text(object, "kind") == "Pod" && found != by_name.end())
      found->second->events.push_back(object_of(pick(event, kept_of_event())));
  }
}

std::string read_uid(std::string_view json) {
  std::string uid = text(member(Json::parse(json, nullptr, false), "metadata"), "uid");
  if (uid.empty()) throw Failure("kubectl did not print an object with a uid");
  return uid;
}

std::map<std::string, std::vector<OwnerRef>> read_owners(std::string_view json) {
  const Json document = parsed(json, "objects");
  std::map<std::string, std::vector<OwnerRef>> owners;
  for (const Json& item : member(document, "items")) {
    const Json& metadata = member(item, "metadata");
    if (std::string uid = text(metadata, "uid"); !uid.empty()) owners[std::move(uid)] = owners_of(metadata);
  }
  return owners;
}

std::string list_of(std::span<const std::string> objects) {
  if (objects.empty()) return {};
  Json items = Json::array();
  for (const std::string& one : objects) items.push_back(Json::parse(one));
  return Json{{"apiVersion", "v1"}, {"kind", "List"}, {"items", std::move(items)}}.dump(1) + "\n";
}

std::string lists_of(std::span<const std::string> objects) {
  constexpr std::size_t longest = std::size_t{1} << 19;
  std::string lists;
  for (std::size_t from = 0, to = 0; from < objects.size(); from = to) {
    std::size_t size = 0;
    do {
      size += objects[to++].size();
    } while (to < objects.size() && size + objects[to].size() < longest);
    for (std::size_t i = from; i < to; ++i)
      lists.append(i == from ? R"({"apiVersion":"v1","items":[)" : ",").append(objects[i]);
    lists += "],\"kind\":\"List\"}\n";
  }
  return lists;
}

}  // namespace nccl_analyze::kubectl
