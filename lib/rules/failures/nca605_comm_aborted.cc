// NCA605 reports communicators that ranks aborted, mostly because a framework gave up after a failure.

#include <algorithm>

#include "nccl_analyze/rule.h"
#include "nccl_analyze/rule_parts.h"
#include "rules/findings.h"
#include "rules/support/failure.h"
#include "rules/topics.h"
#include "text/message_text.h"

namespace nccl_analyze::nca605 {

namespace {

/// Whether the incident is a failure. An error trace that follows from an abort by the program is none.
bool is_failure(const Incident& incident) {
  if (incident.survived) return false;
  if (incident.kind == IncidentKind::error_propagated) return !follows_program_abort(incident);
  return is_warning(incident) && topic_of(incident).rule != "none";
}

/// Whether nothing but the aborts indicates a failure. Frameworks also abort communicators at the end of a job that
/// succeeded: PyTorch aborts process groups that the program did not destroy.
bool may_be_normal_end(const Model& model) {
  return model.stuck.empty() && std::ranges::none_of(model.incidents, is_failure);
}

}  // namespace

RuleResult check(const Model& model) {
  const bool is_quiet = may_be_normal_end(model);
  return {each_communicator(model, [&](const Communicator& comm, Finding& finding) -> std::string {
    bool was_up = true;  // whether every rank that aborted had completed its initialisation, as far as lines show it
    for (const Rank& rank : comm.ranks) {
      if (rank.state != RankState::aborted) continue;
      was_up = was_up && (comm.inferred || rank.phase == InitPhase::complete || rank.has(Algorithm::rings));
      finding.ranks.push_back(rank.rank);
      add_line(finding.evidence, rank.ended_at);
    }
    if (finding.evidence.count == 0) return {};
    if (is_quiet && was_up) {
      finding.own_severity = Severity::info;
      finding.own_stage = Stage::note;
      finding.values.emplace_back("end", "quiet");
    }
    return concat(capitalized(ranks_text(finding.ranks)), when(comm.nranks > 0, " of ", comm.nranks),
                  " aborted the communicator instead of destroying it",
                  is_quiet && was_up ? ". No line reports a failure: programs that are done may end in this way" : "");
  })};
}

}  // namespace nccl_analyze::nca605
