// NCA216 reports frameworks that find no NCCL library, or that were built without NCCL. The phrases of their messages
// are in lib/messages/phrase_table.h.

#include "nccl_analyze/rule.h"

namespace nccl_analyze::nca216 {

namespace {

RuleResult check(const Model&) { return {}; }

}  // namespace

extern constinit const RuleWords words;

extern constinit const Rule rule{{.id = "NCA216",
                                  .name = "nccl-missing",
                                  .severity = Severity::error,
                                  .stage = Stage::configuration,
                                  .check = "init",
                                  .words = &words},
                                 check};

}  // namespace nccl_analyze::nca216
