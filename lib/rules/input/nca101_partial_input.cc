// NCA101 reports ranks of the job without any line in the input, because their logs may show the cause of a failure.

#include <algorithm>

#include "nccl_analyze/rule.h"
#include "nccl_analyze/rule_parts.h"
#include "queries/ranks.h"
#include "rules/support/missing_ranks.h"
#include "text/message_text.h"

namespace nccl_analyze::nca101 {

namespace {

RuleResult check(const Model& model) {
  RuleResult result;
  const bool has_unplaced = has_unplaced_lines(model);
  for (std::size_t i = 0; i < model.communicators.size(); ++i) {
    const Communicator& comm = model.communicators[i];
    // The ranks of a split communicator are ranks of its parent, so the parent's finding covers them.
    if (comm.parent >= 0 || comm.inferred || comm.nranks < 1) continue;
    const std::vector<int> missing = unlogged_ranks(comm);
    if (missing.empty()) continue;
    std::string message = concat(comm.ranks.size(), " of ", count_text(static_cast<std::size_t>(comm.nranks), "rank"),
                                 comm.ranks.size() == 1 ? " of a communicator is" : " of a communicator are",
                                 has_unplaced ? " named with it in this input" : " in this input");
    if (!comm.ranks.empty()) message += concat(" (", ranks_text(logged_ranks(comm)), ")");
    message += concat("; ", ranks_text(missing), missing.size() == 1 ? " is" : " are", " not",
                      unless_here(model, comm, missing.size(), has_unplaced));
    Finding& finding = result.findings.emplace_back();
    finding.values = {{"missing", short_rank_set(missing, 60)}};
    finding.message = std::move(message);
    finding.evidence = evidence_at(comm.first);
    finding.communicators = {static_cast<Index>(i)};
    finding.ranks = logged_ranks(comm);
  }
  return result;
}

}  // namespace

extern constinit const RuleWords words;

extern constinit const Rule rule{
    {.id = "NCA101", .name = "partial-input", .severity = Severity::info, .provisional = true, .words = &words}, check};

}  // namespace nccl_analyze::nca101
