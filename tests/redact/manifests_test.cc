// Tests that `redact` keeps every fact that the analysis reads from manifests, statuses and events of pods, and masks
// all other values.

#include <algorithm>
#include <array>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "catch.h"
#include "evidence/manifest_keys.h"
#include "nccl_analyze/parser.h"
#include "redact/redaction.h"
#include "testdata.h"

namespace nccl_analyze::redact {
namespace {

using evidence::ManifestKey;
using evidence::ManifestReading;
using evidence::ManifestRedaction;
using nlohmann::json;

std::string without_names(const std::string& text) {
  Redaction redaction(false);
  std::string made;
  const auto out = [&](std::string_view bytes) { made += bytes; };
  redaction.begin("pod.log");
  redaction.survey(text);
  redaction.end();
  redaction.choose();
  redaction.begin_rewriting();
  redaction.rewrite(text, out);
  redaction.end_rewriting(out);
  return made;
}

/// The facts of pods in a text. Values that are names, which `redact` replaces, are left out.
std::vector<std::string> pod_facts(std::string_view text) {
  constexpr std::array<std::string_view, 4> names = {"name", "namespace", "hostname", "node"};
  std::vector<std::string> found;
  Parser parser(SourceId{0}, [&](const Record& record) {
    if (const auto* const begun = std::get_if<PodManifestStarted>(&record.event))
      found.push_back("began " + std::string(begun->kind));
    if (const auto* const ended = std::get_if<PodManifestEnded>(&record.event))
      found.emplace_back(ended->complete ? "complete" : "incomplete");
    if (const auto* const failed = std::get_if<ProcessEnded>(&record.event))
      found.push_back(std::string(failed->about).append(" ").append(failed->why) + " " + std::to_string(failed->code));
    if (const auto* const value = std::get_if<PodManifestValue>(&record.event)) {
      const bool is_name = value->part != "volume" && std::ranges::find(names, value->key) != names.end();
      std::string fact(value->part);
      fact.append(std::to_string(value->index)).append(" ").append(value->key).append(" ");
      found.push_back(fact.append(is_name ? std::string_view("a name") : value->value));
    }
  });
  parser.feed(text);
  parser.finish();
  return found;
}

constexpr std::string_view secret = "hunter2";
constexpr int secret_number = 8817263;

json value_of(const ManifestKey& key) {
  switch (key.redaction) {
    case ManifestRedaction::hide:
    case ManifestRedaction::keep_settings:
      return {{secret, secret}};
    case ManifestRedaction::keep_capability:
      return "IPC_LOCK";
    case ManifestRedaction::keep_quantity:
      return "64Gi";
    case ManifestRedaction::name_container:
      return "main";
    case ManifestRedaction::name_pod:
      return "llama-worker-0";
    case ManifestRedaction::name_space:
      return "research";
    default:
      break;
  }
  if (key.path.ends_with("/mountPath")) return "/dev/shm";
  if (key.path.ends_with("/name")) return "dshm";
  if (key.path.ends_with("/nodeName") || key.path.ends_with("/hostname")) return "node-7";
  return key.path == "kind" ? "Pod" : "true";
}

/// Puts a value into the object at its path, with values of unknown keys beside it and beside each object on the way.
void put(json& object, std::string_view path, const ManifestKey& key) {
  const std::size_t end = std::min(path.find('/'), path.size());
  const std::string_view rest = path.substr(std::min(end + 1, path.size()));
  if (path.starts_with('*')) {
    if (object.is_null()) object = json::array();
    if (object.empty()) object.push_back(nullptr);
    return rest.empty() ? void(object[0] = value_of(key)) : put(object[0], rest, key);
  }
  const std::string name(path.starts_with("{}") ? "nvidia.com/gpu" : path.substr(0, end));
  if (path.data() != key.path.data()) {  // an unknown key of the root ends a manifest in YAML
    object["unknown"] = secret;
    if (!path.starts_with("{}")) object["number"] = secret_number;  // beside resources, any quantity stays
  }
  rest.empty() ? void(object[name] = value_of(key)) : put(object[name], rest, key);
}

/// A pod with every key of the table.
json pod_with_all_keys() {
  json pod;
  for (const ManifestKey& key : evidence::manifest_keys()) {
    if (key.path.starts_with("involvedObject")) continue;  // of events, not of pods
    const bool is_of_object = key.path == "apiVersion" || key.path == "kind" || key.path.find('/') != key.path.npos;
    put(is_of_object ? pod : pod["status"], key.path, key);
  }
  pod["spec"]["containers"][0]["env"] = {{{"name", secret}, {"value", secret}}};
  return pod;
}

/// Appends a value as kubectl writes it in YAML, without flow notation.
void write_yaml(const json& value, std::size_t indent, std::string& out) {
  if (value.is_primitive()) return void(out.append(" ").append(value.dump()).append("\n"));
  if (!out.empty() && !out.ends_with("- ")) out.append("\n");
  if (value.is_array()) {
    for (const json& item : value) {
      out.append(indent, ' ').append("- ");
      item.is_primitive() ? void(out.append(item.dump()).append("\n")) : write_yaml(item, indent + 2, out);
    }
    return;
  }
  for (const auto& [key, member] : value.items()) {
    if (!out.ends_with("- ")) out.append(indent, ' ');
    write_yaml(member, indent + (member.is_array() ? 0 : 2), out.append(key).append(":"));
  }
}

void check_facts(const std::string& text) {
  const std::string made = without_names(text);
  INFO(made);
  CHECK(pod_facts(made) == pod_facts(text));
  CHECK(made.find(secret) == std::string::npos);
  CHECK(made.find(std::to_string(secret_number)) == std::string::npos);
}

}  // namespace

TEST_CASE("redact: a manifest with every known key keeps its facts, and no value of another key stays") {
  const json pod = pod_with_all_keys();
  std::string yaml;
  write_yaml(pod, 0, yaml);
  for (const std::string& text : {pod.dump(1), pod.dump(), yaml}) {
    const std::vector<std::string> facts = pod_facts(text + "\n");
    for (const ManifestKey& key : evidence::manifest_keys()) {
      if (key.fact.empty()) continue;
      INFO(text << key.path);
      const std::string fact = std::string(key.part).append("0 ").append(key.fact) + " ";
      CHECK(std::ranges::any_of(facts, [&](const std::string& one) { return one.starts_with(fact); }));
    }
    check_facts(text + "\n");
  }
}

TEST_CASE("redact: manifests, statuses and events of the cases keep their facts") {
  std::size_t found = 0;
  for (const Case& one : cases("rules"))
    for (const std::filesystem::path& log : one.logs) {
      const std::string text = read_file(log);
      const bool has_pods = text.find("apiVersion") != std::string::npos;
      if (!has_pods) continue;
      INFO(log);
      found += pod_facts(text).empty() ? 0 : 1;
      check_facts(text);
    }
  CHECK(found > 8);
}

TEST_CASE("redact: whether a pod started after a failure is known as before") {
  const auto event = [](std::string_view reason, std::string_view time) -> json {
    return {{"kind", "Event"},
            {"involvedObject", {{"kind", "Pod"}, {"name", "llama-0"}}},
            {"reason", reason},
            {"lastTimestamp", time}};
  };
  for (const char* const time : {"2026-01-01T10:00:00Z", "2026-01-01T12:00:00Z"})
    check_facts(
        json{{"apiVersion", "v1"}, {"items", {event("Started", "2026-01-01T11:00:00Z"), event("FailedMount", time)}}}
            .dump() +
        "\n");
}

TEST_CASE("redact: names in a manifest that nobody reads are masked") {
  const std::string head = "apiVersion: v1\nkind: Pod\nmetadata:\n  name: a\nspec:\n  containers:\n  - name: main\n";
  for (const char* const rest :
       {"    ports:\n    - name: hunter2\n", "  imagePullSecrets:\n  - name: hunter2\n",
        "  imagePullSecrets: [{name: hunter2}]\n", "  volumes:\n  - configMap:\n      name: hunter2\n    name: x\n"})
    check_facts(head + rest);
  check_facts(head + "    volumeMounts: [{name: dshm, mountPath: /dev/shm}]\n");
}

}  // namespace nccl_analyze::redact
