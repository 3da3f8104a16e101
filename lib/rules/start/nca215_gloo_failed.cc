// NCA215 reports that PyTorch's Gloo, which works beside NCCL, could not connect the ranks. The phrases of its messages
// are in lib/messages/phrase_table.h.

#include "nccl_analyze/rule.h"

namespace nccl_analyze::nca215 {

RuleResult check(const Model&) { return {}; }

}  // namespace nccl_analyze::nca215
