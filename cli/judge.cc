// Runs the steps of a judgement in their order.

#include "cli/judge.h"

#include "nccl_analyze/compare.h"

namespace nccl_analyze {

Report judge(const UserRequirements& requirements, const SiteMatcher& matcher, const Selection& selection,
             bool messages_seen, Model& model) {
  Report report = analyze(model, selection.rules);
  matcher.judge(selection.site, messages_seen, model, report);
  check_expectations(model, requirements.expectations, selection.rules, report);
  if (requirements.baseline) check_baseline(model, *requirements.baseline, selection.rules, report);
  if (report.acceptance) {
    report.acceptance->profile = requirements.profile;
    report.acceptance->source = requirements.source;
  }
  return report;
}

}  // namespace nccl_analyze
