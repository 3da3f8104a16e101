// NCA511 reports runs of nccl-tests whose best bus bandwidth is far below what the paths of the job can carry.

#include <algorithm>
#include <bit>
#include <optional>
#include <string>
#include <utility>

#include "nccl_analyze/rule.h"
#include "nccl_analyze/rule_parts.h"
#include "queries/bandwidth_limits.h"
#include "queries/benchmarks.h"
#include "queries/paths.h"
#include "rules/findings.h"
#include "text/message_text.h"

namespace nccl_analyze::nca511 {

namespace {

constexpr double far_below = 0.5;
/// Minimum time of a transfer at full speed for each doubling of hosts, at least once. Sizes with shorter transfers are
/// not judged, because latency is a large part of their time.
constexpr double enough_seconds = 0.002;

/// Whether the bandwidth limit of rings holds for the operation. It does not hold for AlltoAll and SendRecv, in which
/// each rank sends different data to each peer.
bool runs_in_rings(const Benchmark& benchmark) {
  const std::optional<Collective> collective = collective_of(benchmark, benchmark.ranks.size());
  return collective && *collective != Collective::all_to_all && *collective != Collective::send_recv;
}

bool is_large_enough(const Benchmark& benchmark, double limit) {
  const auto doublings = std::max(1, static_cast<int>(std::bit_width(count_hosts(benchmark))) - 1);
  const double needed = limit * 1e9 * enough_seconds * doublings;
  return std::ranges::any_of(benchmark.measurements, [&](const Measurement& one) {
    return one.size >= smallest_judged && static_cast<double>(one.size) >= needed;
  });
}

std::string percent_text(double share) { return concat(static_cast<int>(std::clamp(share, 0.0, 1.0) * 100), " %"); }

using NotJudged = std::vector<NotEvaluated>;

/// Adds a reason once, however many benchmarks share it. Returns the message of no finding.
std::string not_judged(std::string reason, std::string needs, NotJudged& reasons) {
  if (std::ranges::find(reasons, reason, &NotEvaluated::reason) == reasons.end())
    reasons.push_back({{}, std::move(reason), std::move(needs)});
  return {};
}

std::string judge(const Model& model, const Benchmark& benchmark, NotJudged& reasons, Finding& finding) {
  const Measurement* const peak = benchmark.peak();
  if (peak == nullptr || peak->busbw <= 0 || benchmark.ranks.size() < 2 || !runs_in_rings(benchmark)) return {};
  const BandwidthLimit limit = bandwidth_limit(model, benchmark);
  if (!limit.unknown.empty())
    return not_judged(limit.unknown, "NCCL_DEBUG=INFO NCCL_DEBUG_SUBSYS=INIT,NET,GRAPH", reasons);
  if (!is_large_enough(benchmark, limit.gigabytes))
    return not_judged("nccl-tests measured no size that is large enough for full speed", "-e 16G", reasons);
  if (peak->busbw >= far_below * limit.gigabytes) return {};
  finding.evidence = evidence_at(peak->at);
  finding.evidence.add(find_paths(model, model.communicators[benchmark.communicator]).why);
  finding.provisional = !benchmark.ended;
  return concat(excerpt(name_of(benchmark), 60), " reached a bus bandwidth of at most ", bandwidth_text(peak->busbw),
                " (at ", size_text(peak->size), ") on ", count_text(count_hosts(benchmark), "host"), ": ",
                percent_text(peak->busbw / limit.gigabytes), " of the ", bandwidth_text(limit.gigabytes), " that ",
                limit.way, " can carry");
}

}  // namespace

RuleResult check(const Model& model) {
  RuleResult result;
  result.findings = each_benchmark(model, [&](const Benchmark& benchmark, Finding& finding) {
    return judge(model, benchmark, result.not_evaluated, finding);
  });
  return result;
}

}  // namespace nccl_analyze::nca511
