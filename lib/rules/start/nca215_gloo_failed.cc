// NCA215 reports that PyTorch's Gloo, which works beside NCCL, could not connect the ranks. The phrases of its messages
// are in lib/messages/phrase_table.h.

#include "nccl_analyze/rule.h"

namespace nccl_analyze::nca215 {

namespace {

RuleResult check(const Model&) { return {}; }

}  // namespace

extern constinit const RuleWords words;

extern constinit const Rule rule{{.id = "NCA215",
                                  .name = "gloo-failed",
                                  .severity = Severity::error,
                                  .stage = Stage::network,
                                  .check = "network",
                                  .words = &words},
                                 check};

}  // namespace nccl_analyze::nca215
