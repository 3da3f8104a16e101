// NCA512 reports runs of nccl-tests whose bus bandwidth falls at large sizes, where it should stay level.

#include <algorithm>
#include <optional>
#include <utility>

#include "nccl_analyze/rule.h"
#include "rules/support/benchmarks.h"
#include "rules/support/evidence.h"
#include "rules/support/message_text.h"

namespace nccl_analyze::nca512 {

namespace {

constexpr double much_less = 0.6;
/// Below this size NCCL still changes algorithms and protocols, which makes steps in healthy curves.
constexpr std::int64_t large = std::int64_t{16} << 20U;  // In bytes.
constexpr std::size_t fewest_points = 2;

/// Consecutive points that are all far below the best point of a smaller size.
struct Drop {
  CurvePoint best, first, last, lowest;
  bool recovers = false;  ///< Whether a larger size reaches the old bandwidth again.
};

/// Returns the end of the points from `from` on that are far below the bandwidth.
std::size_t end_of_drop(const Curve& curve, std::size_t from, double busbw) {
  std::size_t end = from;
  while (end < curve.size() && curve[end].best->busbw < much_less * busbw) ++end;
  return end;
}

/// A single slow measurement is noise; a drop has several points, the last one at twice the size of the first or more.
bool is_lasting(const Curve& curve, std::size_t from, std::size_t end) {
  return end - from >= fewest_points && curve[end - 1].size / 2 >= curve[from].size;
}

/// Returns the first lasting drop of the curve.
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
      return Drop{*best, curve[at], curve[end - 1], *lowest, end < curve.size()};
    }
    at = end - 1;
  }
  return std::nullopt;
}

std::string message_of(const Benchmark& benchmark, const Drop& drop) {
  return concat("The bus bandwidth of ", excerpt(name_of(benchmark), 60), " falls from ",
                bandwidth_text(drop.best.best->busbw), " at ", size_text(drop.best.size), " to ",
                bandwidth_text(drop.lowest.best->busbw), " at ", size_text(drop.lowest.size), "; it is low from ",
                size_text(drop.first.size), " to ", size_text(drop.last.size),
                drop.recovers ? " and recovers" : ", the largest size that was measured");
}

Verdict check(const Model& model) {
  Verdict verdict;
  for (const Benchmark& benchmark : model.benchmarks) {
    if (benchmark.ranks.size() < 2) continue;
    for (const Curve& curve : curves_of(benchmark)) {
      const std::optional<Drop> drop = find_drop(curve);
      if (!drop) continue;
      Finding& finding = verdict.findings.emplace_back();
      finding.message = message_of(benchmark, *drop);
      for (const CurvePoint& point : {drop->best, drop->first, drop->lowest, drop->last})
        if (std::ranges::find(finding.evidence.lines, point.best->at) == finding.evidence.lines.end())
          add_line(finding.evidence, point.best->at);
      set_scope(model, benchmark, finding);
      finding.provisional = !benchmark.ended;
    }
  }
  return verdict;
}

constexpr std::string_view causes[] = {"bandwidth-below-path", "ib-link-flap", "ib-timeout", "algorithm-forced",
                                       "env-risky"};

}  // namespace

extern constinit const Rule rule{
    {.id = "NCA512",
     .name = "bandwidth-drop",
     .severity = Severity::warning,
     .stage = Stage::performance,
     .explained_by = causes,
     .title = "The bandwidth falls at large sizes",
     .explanation =
         R"(The bus bandwidth of a collective rises with the size and then stays level. Here several large sizes in a row, in place
and out of place, stay below 60 % of what a smaller size reached. Possible reasons, none of which the table alone proves:
congestion that only long transfers meet (RoCE without working flow control, several flows on one link), a GPU or NIC that
throttles when it gets hot, a wrong choice of algorithm or protocol by a tuner, another job that started meanwhile, or
buffers in host memory that no longer fit the processor's cache.)",
     .fix =
         R"(1. Repeat the run: if other sizes are slow now, look for another job on these nodes or links.
2. Measure the slow size alone with many iterations (`-b SIZE -e SIZE -n 200`) and watch clocks and temperatures
   (`nvidia-smi dmon -s pct`) and the NICs' counters of pauses, marks and losses (`ethtool -S`, `rdma statistic`).
3. `NCCL_DEBUG_SUBSYS=TUNING` prints algorithm and protocol of each size; compare with `NCCL_ALGO=Ring` or `Tree`.
4. Without any `NCCL_*` settings and without tuner plugin (`NCCL_TUNER_PLUGIN=none`) the curve must be level.)"},
    check};

}  // namespace nccl_analyze::nca512
