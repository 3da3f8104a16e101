// Reads the JSON of `kubectl get pod -o json`, and of workloads with a pod template.

#include <string>

#include "evidence/formats.h"
#include "evidence/json_text.h"
#include "evidence/json_values.h"
#include "evidence/pod_manifest.h"
#include "evidence/pod_states.h"

namespace nccl_analyze::evidence {

namespace {

/// The maximum depth, in JSON values, at which the spec of a workload is searched for a pod template. A JobSet has its
/// template at `replicatedJobs/*/template/spec/template/spec`.
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
  /// The innermost object around the value, and the key of the value in it. For an element of a list, this is the key
  /// of the list.
  const Json* object = nullptr;
  std::string key = {};

  Place member(const Json& of, const std::string& name) const {
    return {path.empty() ? name : path + "/" + name, outer, inner, &of, name};
  }
  Place item(int index) const {
    return {path + "/*", outer < 0 ? index : outer, outer < 0 ? inner : index, object, key};
  }
};

class Reader {
 public:
  Reader(JsonText& source, Facts& facts) : source_(source), pod_(facts) {}

  void read_object(const Json& object) {
    const Json& metadata = evidence::object(object, "metadata");
    kind_ = shown_text(object, "kind");
    name_ = shown_text(metadata, "name");
    name_space_ = shown_text(metadata, "namespace");
    const Json& spec = evidence::object(object, "spec");
    if (kind_.text == "Pod")
      read_spec(spec);
    else
      read_templates(spec, 0);
  }

 private:
  QuotedValue shown_text(const Json& object, const char* key) {
    return {std::string(text(object, key)), source_.shown(object, {key})};
  }

  void add_values(const Json& value, const Place& place) {
    if (value.is_object()) {
      for (const auto& [key, member] : value.items())
        if (key != offset_key && (!place.path.empty() || is_read_in_pod_spec(key)))
          add_values(member, place.member(value, key));
    } else if (value.is_array()) {
      int index = 0;
      for (const Json& item : value) add_values(item, place.item(index++));
    } else if (place.object != nullptr) {
      pod_.add(place.path, place.outer, place.inner, text_of(value), source_.shown(*place.object, {place.key}));
    }
  }

  void read_spec(const Json& spec) {
    if (list(spec, "containers").empty()) return;
    pod_.begin(kind_, name_, name_space_);
    add_values(spec, {});
    pod_.end(source_.shown(spec, {"containers"}));
  }

  void read_templates(const Json& value, int depth) {
    if (depth > max_template_depth || !value.is_structured()) return;
    if (value.is_object()) read_spec(object(object(value, "template"), "spec"));
    for (const Json& member : value) read_templates(member, depth + 1);
  }

  JsonText& source_;
  PodFacts pod_;
  QuotedValue kind_, name_, name_space_;
};

}  // namespace

void read_pod_manifest_json(const Json& document, JsonText& source, Facts& facts) {
  Reader reader(source, facts);
  read_pod_states(document, source, facts);
  const Json& items = list(document, "items");
  if (items.empty()) return reader.read_object(document);
  for (const Json& item : items) reader.read_object(item);
}

}  // namespace nccl_analyze::evidence
