#pragma once
/// The `communicators` member of the JSON report, the largest part of the report on a large job.

#include "nccl_analyze/model.h"
#include "text/json_writer.h"

namespace nccl_analyze {

void write_communicators(JsonWriter& json, const Model& model);

}  // namespace nccl_analyze
