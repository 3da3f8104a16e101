// NCA512 reports runs of nccl-tests whose bus bandwidth falls at large sizes, where it should stay level.

#include <algorithm>
#include <cmath>
#include <optional>

#include "nccl_analyze/rule.h"
#include "nccl_analyze/rule_parts.h"
#include "queries/benchmarks.h"
#include "rules/findings.h"
#include "text/message_text.h"

namespace nccl_analyze::nca512 {

namespace {

constexpr double much_less = 0.6;
/// Below this size NCCL still changes algorithms and protocols, which makes steps in healthy curves.
constexpr std::int64_t large = std::int64_t{16} << 20U;  // In bytes.
constexpr std::size_t fewest_points = 2;

/// Consecutive points that are all far below the best point of a smaller size. `begin` is the last point before them
/// that has the level of the best one.
struct Drop {
  CurvePoint best, begin, first, last, lowest;
  bool recovers = false;  ///< Whether a larger size reaches the old bandwidth again.
};

/// Returns the index after the consecutive points, starting at `from`, that are far below the bandwidth.
std::size_t end_of_drop(const Curve& curve, std::size_t from, double busbw) {
  std::size_t end = from;
  while (end < curve.size() && curve[end].best->busbw < much_less * busbw) ++end;
  return end;
}

/// Whether the points from `from` to `end` are a drop: at least `fewest_points`, the last one at twice the size of the
/// first or more. Other slow measurements are noise.
bool is_lasting(const Curve& curve, std::size_t from, std::size_t end) {
  return end - from >= fewest_points && curve[end - 1].size / 2 >= curve[from].size;
}

/// Returns the last point before the index `before` that has the level of the best one, which stands before it too.
CurvePoint last_at_level(const Curve& curve, std::size_t before, const CurvePoint& best) {
  while (curve[before - 1].best->busbw < level_share * best.best->busbw) --before;
  return curve[before - 1];
}

/// Returns the first lasting drop of the curve from size `large` on; nullopt if there is none.
std::optional<Drop> find_drop(const Curve& curve) {
  const CurvePoint* best = nullptr;
  for (std::size_t at = 0; at < curve.size(); ++at) {
    if (best == nullptr || curve[at].best->busbw > best->best->busbw) {
      best = &curve[at];
      continue;
    }
    if (curve[at].size < large) continue;
    const std::size_t end = end_of_drop(curve, at, best->best->busbw);
    if (end == at) continue;
    if (is_lasting(curve, at, end)) {
      const auto lowest = std::min_element(
          curve.begin() + static_cast<std::ptrdiff_t>(at), curve.begin() + static_cast<std::ptrdiff_t>(end),
          [](const CurvePoint& a, const CurvePoint& b) { return a.best->busbw < b.best->busbw; });
      return Drop{*best, last_at_level(curve, at, *best), curve[at], curve[end - 1], *lowest, end < curve.size()};
    }
    at = end - 1;
  }
  return std::nullopt;
}

std::string message_of(const Benchmark& benchmark, const Drop& drop) {
  const double least = drop.lowest.best->busbw, full = drop.begin.best->busbw;
  return concat("The bus bandwidth of ", excerpt(name_of(benchmark), 60), " begins to fall above ",
                size_text(drop.begin.size), ": from ", bandwidth_text(full), " there to ", bandwidth_text(least),
                " at ", size_text(drop.lowest.size), ", ", decimals(100 * (1 - least / full), 0),
                " % less; it is low from ", size_text(drop.first.size), " to ", size_text(drop.last.size),
                drop.recovers ? " and recovers" : ", the largest size that was measured");
}

/// Whether several ranks ran. Without a list of ranks the two bandwidths must differ, because one rank only copies.
bool has_several_ranks(const Benchmark& benchmark) {
  constexpr double rounding = 0.02;
  const Measurement* const peak = benchmark.peak();
  if (!benchmark.ranks.empty() || peak == nullptr) return benchmark.ranks.size() > 1;
  return peak->busbw > 0 && peak->algbw > 0 && std::abs(peak->busbw / peak->algbw - 1) > rounding;
}

}  // namespace

RuleResult check(const Model& model) {
  RuleResult result;
  for (const Benchmark& benchmark : model.benchmarks) {
    if (!has_several_ranks(benchmark)) continue;
    for (const Curve& curve : curves_of(benchmark)) {
      const std::optional<Drop> drop = find_drop(curve);
      if (!drop) continue;
      Finding& finding = result.findings.emplace_back();
      finding.message = message_of(benchmark, *drop);
      for (const CurvePoint& point : {drop->begin, drop->best, drop->first, drop->lowest, drop->last})
        if (std::ranges::find(finding.evidence.lines, point.best->at) == finding.evidence.lines.end())
          add_line(finding.evidence, point.best->at);
      set_scope(model, benchmark, finding);
      finding.provisional = !benchmark.ended;
    }
  }
  return result;
}

}  // namespace nccl_analyze::nca512
