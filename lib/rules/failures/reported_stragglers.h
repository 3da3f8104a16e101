#pragma once
/// The findings of NCA608 by reports of NCCL's RAS client and by dumps of PyTorch's flight recorder.

#include "nccl_analyze/rule.h"

namespace nccl_analyze {

/// Reports stragglers by the client's text.
void compare_listed_launches(const Model& model, RuleResult& verdict);
/// Reports stragglers by the client's JSON.
void compare_reported_launches(const Model& model, RuleResult& verdict);
/// Reports stragglers by dumps of the flight recorder, but only if no watchdog timed out; otherwise NCA604 names the
/// ranks that are behind.
void compare_recorded_groups(const Model& model, RuleResult& verdict);

}  // namespace nccl_analyze
