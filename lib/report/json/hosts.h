#pragma once
/// The `hosts` member of the JSON report.

#include "nccl_analyze/model.h"
#include "text/json_writer.h"

namespace nccl_analyze {

void write_hosts(JsonWriter& json, const Model& model);

}  // namespace nccl_analyze
