#pragma once
/// The findings of NCA608 by RAS reports as JSON and by dumps of PyTorch's flight recorder.

#include "nccl_analyze/rule.h"

namespace nccl_analyze {

void compare_reported_launches(const Model& model, Verdict& verdict);
/// Only if no watchdog timed out: else NCA604 names the ranks behind.
void compare_recorded_groups(const Model& model, Verdict& verdict);

}  // namespace nccl_analyze
