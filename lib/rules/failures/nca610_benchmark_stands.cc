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

/// Whether the log goes on behind the head of the table. Else it may be cut there.
bool goes_on(const Model& model, const Benchmark& benchmark) {
  const auto source = static_cast<std::size_t>(benchmark.table_at.source);
  return source < model.sources.size() && model.sources[source].stats.log_lines_after(benchmark.table_at.line) > 0;
}

}  // namespace

RuleResult check(const Model& model) {
  return {each_benchmark(model, [&](const Benchmark& benchmark, Finding& finding) -> std::string {
    const bool has_result = !benchmark.measurements.empty() || benchmark.ended;
    if (benchmark.table_at.line == 0 || has_result || is_followed(model, benchmark)) return {};
    finding.evidence.add(benchmark.table_at);
    if (!goes_on(model, benchmark)) finding.own_severity = Severity::info;
    return concat(
        excerpt(name_of(benchmark), 60),
        " printed the head of its table and no row behind it: its first collective did not finish, or the rows are "
        "not in this input");
  })};
}

}  // namespace nccl_analyze::nca610
