// NCA101 reports ranks of the job without any line in the input, because their logs may show the cause of a failure.

#include "nccl_analyze/rule.h"
#include "nccl_analyze/rule_parts.h"
#include "queries/ranks.h"
#include "rules/findings.h"
#include "rules/support/missing_ranks.h"
#include "text/message_text.h"

namespace nccl_analyze::nca101 {

RuleResult check(const Model& model) {
  const bool has_unplaced = has_unplaced_lines(model);
  return {each_communicator(model, [&](const Communicator& comm, Finding& finding) -> std::string {
    // The ranks of a split communicator are ranks of its parent, so the parent's finding covers them.
    if (comm.parent >= 0 || comm.inferred || comm.nranks < 1) return {};
    const std::vector<int> missing = unlogged_ranks(comm);
    if (missing.empty()) return {};
    finding.values = {{"missing", short_rank_set(missing, 60)}};
    finding.evidence = evidence_at(comm.first);
    finding.ranks = logged_ranks(comm);
    return concat(comm.ranks.size(), " of ", count_text(static_cast<std::size_t>(comm.nranks), "rank"),
                  comm.ranks.size() == 1 ? " of a communicator is" : " of a communicator are",
                  has_unplaced ? " named with it in this input" : " in this input",
                  when(!comm.ranks.empty(), " (", ranks_text(finding.ranks), ")"), "; ", ranks_text(missing),
                  missing.size() == 1 ? " is" : " are", " not", unless_here(model, comm, missing.size(), has_unplaced));
  })};
}

}  // namespace nccl_analyze::nca101
