// Reads the JSON of `kubectl get pod -o json`, and of workloads with a pod template.

#include <string>

#include "evidence/formats.h"
#include "evidence/json_values.h"
#include "evidence/pod_manifest.h"
#include "evidence/pod_states.h"

namespace nccl_analyze::evidence {

namespace {

/// Workloads nest their pod template this deeply: `replicatedJobs/*/template/spec/template/spec` of a JobSet.
constexpr int max_template_depth = 8;

std::string text_of(const Json& value) {
  if (value.is_string()) return value.get<std::string>();
  if (value.is_boolean()) return value.get<bool>() ? "true" : "false";
  return value.is_number() ? value.dump() : std::string();
}

/// The place of a value in a pod spec; see PodFacts::add().
struct Place {
  std::string path;
  int outer = -1, inner = -1;

  Place member(const std::string& key) const { return {path.empty() ? key : path + "/" + key, outer, inner}; }
  Place item(int index) const { return {path + "/*", outer < 0 ? index : outer, outer < 0 ? inner : index}; }
};

void add_values(const Json& value, const Place& place, PodFacts& pod) {
  if (value.is_object()) {
    for (const auto& [key, member] : value.items())
      if (!place.path.empty() || is_read_in_pod_spec(key)) add_values(member, place.member(key), pod);
  } else if (value.is_array()) {
    int index = 0;
    for (const Json& item : value) add_values(item, place.item(index++), pod);
  } else {
    pod.add(place.path, place.outer, place.inner, text_of(value));
  }
}

class Reader {
 public:
  explicit Reader(Facts& facts) : pod_(facts) {}

  void read_object(const Json& object) {
    const Json& metadata = evidence::object(object, "metadata");
    kind_ = text(object, "kind");
    name_ = text(metadata, "name");
    name_space_ = text(metadata, "namespace");
    const Json& spec = evidence::object(object, "spec");
    if (kind_ == "Pod")
      read_spec(spec);
    else
      read_templates(spec, 0);
  }

 private:
  void read_spec(const Json& spec) {
    if (list(spec, "containers").empty()) return;
    pod_.begin(kind_, name_, name_space_);
    add_values(spec, {}, pod_);
    pod_.end();
  }

  void read_templates(const Json& value, int depth) {
    if (depth > max_template_depth || !value.is_structured()) return;
    if (value.is_object()) read_spec(object(object(value, "template"), "spec"));
    for (const Json& member : value) read_templates(member, depth + 1);
  }

  PodFacts pod_;
  std::string_view kind_, name_, name_space_;
};

}  // namespace

void read_pod_manifest_json(const Json& document, Facts& facts) {
  Reader reader(facts);
  read_pod_states(document, facts);
  const Json& items = list(document, "items");
  if (items.empty()) return reader.read_object(document);
  for (const Json& item : items) reader.read_object(item);
}

}  // namespace nccl_analyze::evidence
