// NCA217 reports launchers, container runtimes and limits that kept the processes of a job from starting. The phrases
// of their messages are in lib/messages/launch_phrases.h.

#include "nccl_analyze/rule.h"

namespace nccl_analyze::nca217 {

RuleResult check(const Model&) { return {}; }

}  // namespace nccl_analyze::nca217
