// Puts the steps of a judgement in their order.

#include "cli/judge.h"

#include "nccl_analyze/compare.h"

namespace nccl_analyze {

Report judge(const Demands& demands, const SiteMatcher& matcher, const Selection& selection, bool messages_seen,
             Model& model) {
  Report report = analyze(model, selection.rules);
  matcher.judge(selection.site, messages_seen, model, report);
  check_expectations(model, demands.expectations, selection.rules, report);
  if (demands.baseline) check_baseline(model, *demands.baseline, selection.rules, report);
  if (report.acceptance) {
    report.acceptance->profile = demands.profile;
    report.acceptance->source = demands.source;
  }
  return report;
}

}  // namespace nccl_analyze
