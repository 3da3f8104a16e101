// NCA609 reports runs of nccl-tests that found wrong values in the results.

#include <algorithm>
#include <set>

#include "nccl_analyze/rule.h"
#include "nccl_analyze/rule_parts.h"
#include "queries/benchmarks.h"
#include "queries/paths.h"
#include "rules/findings.h"
#include "text/message_text.h"

namespace nccl_analyze::nca609 {

namespace {

/// A summary of the measurements with wrong values: their values, sizes and operations.
struct WrongValues {
  std::int64_t most = 0;  ///< The largest number of wrong values in one measurement.
  std::set<std::int64_t> sizes;
  std::set<std::string> kinds;  ///< `sum of float`; `float` for an operation without a reduction.
  bool in_place = false, out_of_place = false;
};

WrongValues collect(const Benchmark& benchmark, Evidence& evidence) {
  WrongValues found;
  for (const Measurement& one : benchmark.measurements) {
    if (one.wrong <= 0) continue;
    evidence.add(one.at);
    found.most = std::max(found.most, one.wrong);
    found.sizes.insert(one.size);
    const bool reduces = one.redop != "none" && !one.redop.empty();
    found.kinds.insert(reduces ? concat(excerpt(one.redop, 20), " of ", excerpt(one.type, 20)) : excerpt(one.type, 20));
    (one.in_place ? found.in_place : found.out_of_place) = true;
  }
  return found;
}

std::string sizes_text(const Benchmark& benchmark, const WrongValues& found) {
  std::set<std::int64_t> measured;
  for (const Measurement& one : benchmark.measurements) measured.insert(one.size);
  std::vector<std::string> sizes;
  for (const std::int64_t size : found.sizes) sizes.push_back(size_text(size));
  return concat(" at ", sizes.size(), " of ", count_text(measured.size(), "size"), ": ", list_text(sizes, 6));
}

/// Returns `. The data went over P2P inside nodes and NET/IB between nodes`; empty if no connection is in the log.
std::string paths_text(const Model& model, const Benchmark& benchmark) {
  if (benchmark.communicator < 0) return {};
  const CommPaths paths = find_paths(model, model.communicators[benchmark.communicator]);
  std::vector<std::string> parts;
  if (!paths.inside.empty()) parts.push_back(concat(paths.inside, " inside nodes"));
  if (!paths.between.empty()) parts.push_back(concat(paths.between, " between nodes"));
  if (parts.empty()) return {};
  if (paths.gdr && *paths.gdr) parts.back() += " with GPUDirect RDMA";
  return concat(". The data went over ", list_text(parts));
}

std::string message_of(const Model& model, const Benchmark& benchmark, const WrongValues& found) {
  std::string text = concat(excerpt(name_of(benchmark), 60), " measured wrong values");
  if (found.sizes.empty())
    return concat(text, ": ", benchmark.out_of_bounds, " in all measurements together", paths_text(model, benchmark));
  const std::vector<std::string> kinds(found.kinds.begin(), found.kinds.end());
  text += concat(" (", list_text(kinds), ")", sizes_text(benchmark, found), "; at most ",
                 count_text(static_cast<std::size_t>(found.most), "element"), " in one measurement");
  if (found.in_place != found.out_of_place) text += found.in_place ? ", only in place" : ", only out of place";
  return text + paths_text(model, benchmark);
}

}  // namespace

RuleResult check(const Model& model) {
  return {each_benchmark(model, [&](const Benchmark& benchmark, Finding& finding) -> std::string {
    const WrongValues found = collect(benchmark, finding.evidence);
    if (found.sizes.empty() && benchmark.out_of_bounds <= 0) return {};
    if (benchmark.out_of_bounds > 0) add_line(finding.evidence, benchmark.ended_at);
    return message_of(model, benchmark, found);
  })};
}

}  // namespace nccl_analyze::nca609
