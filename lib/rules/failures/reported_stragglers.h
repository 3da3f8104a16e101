#pragma once
/// The findings of NCA608 by reports of NCCL's RAS client and by dumps of PyTorch's flight recorder.

#include "nccl_analyze/rule.h"

namespace nccl_analyze {

/// By the text of the client.
void compare_listed_launches(const Model& model, Verdict& verdict);
/// By its JSON.
void compare_reported_launches(const Model& model, Verdict& verdict);
/// Only if no watchdog timed out: else NCA604 names the ranks behind.
void compare_recorded_groups(const Model& model, Verdict& verdict);

}  // namespace nccl_analyze
