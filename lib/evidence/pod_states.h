#pragma once
// Statuses and events of pods, which the JSON of kubectl contains together with manifests or alone.

#include <nlohmann/json_fwd.hpp>

#include "evidence/evidence.h"
#include "evidence/json_text.h"

namespace nccl_analyze::evidence {

/// Adds to `facts` why pods or their containers failed, were ended early or have not started; a normal end adds
/// nothing. `document` is a pod, or a list of pods and events.
void read_pod_states(const nlohmann::json& document, JsonText& source, Facts& facts);

}  // namespace nccl_analyze::evidence
