#pragma once
/// The findings of NCA608 from reports of NCCL's RAS client and from dumps of PyTorch's flight recorder.

#include "nccl_analyze/rule.h"

namespace nccl_analyze {

/// Reports stragglers from reports of the RAS client as text.
void find_stragglers_in_ras_text(const Model& model, RuleResult& result);
/// Reports stragglers from the newest reports of the RAS client as JSON, unless an older report shows that they
/// advance.
void find_stragglers_in_ras_json(const Model& model, RuleResult& result);
/// Reports stragglers from dumps of the flight recorder, but only if no watchdog timed out; otherwise NCA604 names the
/// ranks that are behind.
void find_stragglers_in_flight_records(const Model& model, RuleResult& result);

}  // namespace nccl_analyze
