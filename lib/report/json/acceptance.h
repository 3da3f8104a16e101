#pragma once
/// The `acceptance` member of the JSON report.

#include "nccl_analyze/acceptance.h"
#include "text/json_writer.h"

namespace nccl_analyze {

void write_acceptance(JsonWriter& json, const Acceptance& acceptance);

/// Writes a check as an object with the keys `check`, `status` and `detail`.
void write_check(JsonWriter& json, const Check& check);

}  // namespace nccl_analyze
