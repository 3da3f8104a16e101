#pragma once
// Statuses and events of pods, which the JSON of kubectl contains together with manifests or alone.

#include <nlohmann/json_fwd.hpp>

#include "evidence/evidence.h"
#include "evidence/json_text.h"

namespace nccl_analyze::evidence {

/// Adds the reasons why pods or their containers ended or have not started. `document` is a pod, or a list of pods and
/// events.
void read_pod_states(const nlohmann::json& document, JsonText& source, Facts& facts);

}  // namespace nccl_analyze::evidence
