// NCA216 reports frameworks that find no NCCL library, or that were built without NCCL. The phrases of their messages
// are in lib/messages/phrase_table.h.

#include "nccl_analyze/rule.h"

namespace nccl_analyze::nca216 {

RuleResult check(const Model&) { return {}; }

}  // namespace nccl_analyze::nca216
