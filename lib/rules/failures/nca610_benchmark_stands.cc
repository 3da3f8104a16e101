// NCA610 reports runs of nccl-tests of which the log has the head of the table and no row.

#include <algorithm>

#include "nccl_analyze/rule.h"
#include "queries/benchmarks.h"
#include "rules/findings.h"
#include "text/message_text.h"

namespace nccl_analyze::nca610 {

namespace {

/// Whether another run follows in the same source: whoever started it saw what became of this one.
bool is_followed(const Model& model, const Benchmark& benchmark) {
  return std::ranges::any_of(model.benchmarks, [&](const Benchmark& other) {
    return other.at.source == benchmark.at.source && benchmark.at < other.at;
  });
}

}  // namespace

RuleResult check(const Model& model) {
  return {each_benchmark(model, [&](const Benchmark& benchmark, Finding& finding) -> std::string {
    const bool has_result = !benchmark.measurements.empty() || benchmark.ended;
    if (benchmark.table_at.line == 0 || has_result || is_followed(model, benchmark)) return {};
    finding.evidence.add(benchmark.table_at);
    return concat(
        excerpt(name_of(benchmark), 60),
        " printed the head of its table and no row: its first collective had not finished where this log ends");
  })};
}

}  // namespace nccl_analyze::nca610
