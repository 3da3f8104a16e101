// Reads the JSON of `kubectl get pod -o json`, and of workloads with a pod template.

#include <string>

#include "evidence/formats.h"
#include "evidence/json_text.h"
#include "evidence/json_values.h"
#include "evidence/manifest_walk.h"
#include "evidence/pod_states.h"

namespace nccl_analyze::evidence {

namespace {

std::string text_of(const Json& value) {
  if (value.is_string()) return value.get<std::string>();
  if (value.is_boolean()) return value.get<bool>() ? "true" : "false";
  return value.is_number() ? value.dump() : std::string();
}

/// `object` and `key`: the innermost object around the value, and the key of the value, or of its list, in it.
void read_value(const Json& value, const Json& object, std::string_view key, ManifestWalk& walk, JsonText& source) {
  if (!walk.is_read()) return;
  if (value.is_object()) {
    for (const auto& [name, member] : value.items()) {
      if (name == offset_key) continue;
      walk.enter_member(name);
      read_value(member, value, name, walk, source);
      walk.leave();
    }
  } else if (value.is_array()) {
    for (const Json& item : value) {
      walk.enter_item();
      read_value(item, object, key, walk, source);
      walk.leave();
    }
  } else {
    walk.add(text_of(value), source.shown(object, {key}));
  }
}

}  // namespace

void read_pod_manifest_json(const Json& document, JsonText& source, Facts& facts) {
  read_pod_states(document, source, facts);
  ManifestWalk walk(facts);
  read_value(document, document, {}, walk, source);
  walk.end(source.shown(document, {"kind"}));
}

}  // namespace nccl_analyze::evidence
