#pragma once
/// Findings in the JSON report.

#include "nccl_analyze/model.h"
#include "nccl_analyze/rule.h"
#include "text/json_writer.h"

namespace nccl_analyze {

/// Writes one finding, an element of the member `findings`.
void write_finding(JsonWriter& json, const Model& model, const Finding& finding, Layout layout = Layout::block);

}  // namespace nccl_analyze
