#pragma once
/// The `findings` member of the JSON report.

#include "nccl_analyze/model.h"
#include "nccl_analyze/rule.h"
#include "text/json_writer.h"

namespace nccl_analyze {

void write_findings(JsonWriter& json, const Model& model, const Report& report);

}  // namespace nccl_analyze
