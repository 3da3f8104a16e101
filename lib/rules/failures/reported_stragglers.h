#pragma once
/// The findings of NCA608 by reports of NCCL's RAS client and by dumps of PyTorch's flight recorder.

#include "nccl_analyze/rule.h"

namespace nccl_analyze {

/// Reports stragglers by the client's text.
void find_stragglers_in_ras_text(const Model& model, RuleResult& result);
/// Reports stragglers by the client's JSON.
void find_stragglers_in_ras_json(const Model& model, RuleResult& result);
/// Reports stragglers by dumps of the flight recorder, but only if no watchdog timed out; otherwise NCA604 names the
/// ranks that are behind.
void find_stragglers_in_flight_records(const Model& model, RuleResult& result);

}  // namespace nccl_analyze
