// Describes runs of nccl-tests.

#include "report/sentences/benchmarks.h"

#include <algorithm>
#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

#include "model/stable_sort.h"
#include "queries/bandwidth_limits.h"
#include "queries/benchmarks.h"
#include "queries/equal_runs.h"
#include "queries/paths.h"
#include "queries/recorded_durations.h"
#include "text/escape.h"
#include "text/phrases.h"

namespace nccl_analyze {
namespace {

constexpr std::size_t max_benchmarks = 8;

constexpr std::size_t max_sizes = 6;

std::string ranks_of(const Model& model, const Benchmark& benchmark) {
  const std::size_t ranks = count_ranks(model, benchmark);
  if (ranks == 0) return {};
  if (benchmark.ranks.empty()) return ", " + count_text(ranks, "rank");
  const std::size_t groups = benchmark.groups(), copies = count_copies(benchmark);
  if (copies > 0)
    return ", " + std::to_string(copies) + " processes on " + count_text(count_hosts(benchmark), "host") +
           ", each of them rank 0";
  // Posts often leave out most of the list.
  const auto above = groups == 1 ? static_cast<std::size_t>(std::max(benchmark.ranks.back().rank + 1, 0)) : 0;
  if (above > ranks)
    return ", at least " + count_text(above, "rank") + ", of which " + std::to_string(ranks) + " are listed, on " +
           count_text(count_hosts(benchmark), "host");
  const bool is_part = std::ranges::any_of(model.communicators, [ranks](const Communicator& comm) {
    return comm.nranks > 0 && static_cast<std::size_t>(comm.nranks) > ranks;
  });
  return ", " + count_text(ranks, "rank") + (is_part && groups == 1 ? " listed" : "") + " on " +
         count_text(count_hosts(benchmark), "host") +
         (groups > 1 ? " in " + std::to_string(groups) + " groups at once" : "");
}

/// Returns `, P2P inside nodes, NET/IB between nodes with GPUDirect RDMA`; empty for a run without a communicator.
std::string paths_of(const Model& model, const Benchmark& benchmark) {
  if (benchmark.communicator < 0) return {};
  const CommPaths paths = find_paths(model, model.communicators[benchmark.communicator]);
  std::string text;
  if (!paths.inside.empty()) text.append(", ").append(paths.inside).append(" inside nodes");
  if (!paths.between.empty()) text.append(", ").append(paths.between).append(" between nodes");
  if (paths.gdr) text += *paths.gdr ? " with GPUDirect RDMA" : " without GPUDirect RDMA";
  return text;
}

std::string result_of(const Benchmark& benchmark) {
  const Measurement* const peak = benchmark.peak();
  std::string text = peak == nullptr ? "no measurement recognised"
                                     : "peak busbw " + bandwidth_text(peak->busbw) + " at " + size_text(peak->size);
  if (const std::optional<std::int64_t> level = level_from(benchmark))
    text += ", at least 90 % of it from " + size_text(*level) + " on";
  if (benchmark.average_busbw > 0) text += ", average " + bandwidth_text(benchmark.average_busbw);
  if (!benchmark.ended) text += ", its end is not in this input";
  if (benchmark.out_of_bounds > 0) text += ", " + std::to_string(benchmark.out_of_bounds) + " wrong values";
  return text;
}

/// Returns `algbw/busbw in GB/s: 512 MiB 24.10/45.19, 1 GiB 24.60/46.13` for the `max_sizes` largest sizes. Each size
/// has only the better of the measurements in place and out of place. Empty without measurements.
std::string sizes_of(const Benchmark& benchmark) {
  std::vector<CurvePoint> points;
  for (const Curve& curve : curves_of(benchmark)) points.insert(points.end(), curve.begin(), curve.end());
  sort_stably_by(points, &CurvePoint::size);
  std::string text;
  for (std::size_t i = points.size() - std::min(points.size(), max_sizes); i < points.size(); ++i) {
    const Measurement& best = *points[i].best;
    text.append(text.empty() ? "  algbw/busbw in GB/s: " : ", ").append(size_text(points[i].size)).append(" ");
    text.append(decimals(best.algbw)).append("/").append(decimals(best.busbw));
  }
  return text;
}

/// Returns `in place 20.10 GB/s at 1 GiB, out of place 12.30 (39 % less); at least 30 % less at all 5 sizes of 64 MiB
/// or more`; empty if the places do not differ like this.
std::string places_of(const Benchmark& benchmark) {
  const std::optional<PlaceGap> gap = place_gap(benchmark);
  if (!gap) return {};
  const bool is_in_place = gap->in_place > gap->out_of_place;
  const double more = std::max(gap->in_place, gap->out_of_place), less = std::min(gap->in_place, gap->out_of_place);
  const std::string_view fast = is_in_place ? "  in place " : "  out of place ";
  const std::string_view slow = is_in_place ? ", out of place " : ", in place ";
  return std::string(fast).append(bandwidth_text(more)).append(" at ").append(size_text(gap->size)).append(slow) +
         decimals(less) + " (" + decimals(100 * (1 - less / more), 0) + " % less); at least 30 % less at all " +
         std::to_string(gap->sizes) + " sizes of " + size_text(smallest_judged) + " or more";
}

/// Returns ` in rings`, ` with NVLink SHARP`; empty for sends and receives.
std::string_view in_algorithm(const Ceiling& ceiling) {
  constexpr std::pair<std::string_view, std::string_view> words[]{{"ring", " in rings"},
                                                                  {"ring, tree", " in rings and trees"},
                                                                  {"tree", " in trees"},
                                                                  {"NVLS", " with NVLink SHARP"},
                                                                  {"NVLS tree", " in trees with NVLink SHARP"}};
  for (const auto& [algorithm, text] : words)
    if (algorithm == ceiling.algorithm) return text;
  return {};
}

/// Returns `busbw at 8 GiB: 21.96 GB/s of 25.00 that 1 NIC of 200 Gb/s a node (NET/IB) can carry in rings (88 %)`, or
/// what would show the bandwidth of the links. Empty without a measurement.
std::string reach_text(const Reach& reach) {
  if (reach.measured == nullptr || reach.measured->busbw <= 0) return {};
  std::string text = "  busbw at " + size_text(reach.measured->size) + ": " + bandwidth_text(reach.measured->busbw);
  if (!reach.ceiling) {
    if (reach.unknown.empty()) return {};
    text.append("; what the links can carry is not known: ").append(reach.unknown);
    return reach.add.empty() ? text : text.append(" (").append(reach.add).append(")");
  }
  const Ceiling& ceiling = *reach.ceiling;
  text.append(" of ").append(decimals(ceiling.gigabytes)).append(" that ").append(ceiling.way).append(" can carry");
  text.append(in_algorithm(ceiling)).append(" (");
  text.append(decimals(100 * reach.measured->busbw / ceiling.gigabytes, 0)).append(" %)");
  for (const Ceiling& other : reach.higher)
    text.append(", ").append(decimals(other.gigabytes)).append(in_algorithm(other));
  return text;
}

/// Adds reach_text(). Of runs for which the links are not known for the same reason, only the first one says it.
void add_reach(const Reach& reach, std::set<std::string>& told, std::vector<std::string>& texts) {
  std::string text = reach_text(reach);
  if (text.empty() || (!reach.ceiling && !told.insert(reach.unknown).second)) return;
  texts.push_back(std::move(text));
}

/// Adds `AllReduce of default_pg:0, 8 ranks, by the NCCL Inspector: busbw 485.12 GB/s at 16 GiB, in the shortest of
/// the durations of 8 ranks (61.97 ms), which may include waiting for late ranks`, and what the links can carry, for
/// each run.
void describe_recorded_runs(const Model& model, std::set<std::string>& told, std::vector<std::string>& texts) {
  constexpr std::size_t most = 60;
  std::size_t shown = 0;
  for (const RecordedRun& run : recorded_runs(model)) {
    if (++shown > max_benchmarks) return;
    const RecordedDuration& one = *run.shortest;
    const std::string group = one.group.empty() ? "0x" + to_hex(one.comm_id) : excerpt(one.group, most);
    texts.push_back(std::string(one.operation.view()) + " of " + group + ", " + std::to_string(one.nranks) +
                    " ranks, by the " + std::string(tool_of(run)) + ": busbw " + bandwidth_text(run.busbw) + " at " +
                    size_text(one.size) + ", in the shortest of the durations of " + count_text(run.ranks, "rank") +
                    " (" + decimals(one.microseconds / 1000) + " ms), which may include waiting for late ranks");
    const Benchmark benchmark = as_benchmark(model, run);
    add_reach(find_recorded_reach(model, benchmark), told, texts);
  }
}

/// Returns `peak busbw of all_reduce_perf: 1 host 224.90 GB/s, 2 hosts 47.04 GB/s` for each program that was run on
/// different numbers of hosts, with the highest peak for each number of hosts. At most `max_benchmarks` programs and
/// numbers of hosts.
std::vector<std::string> compare_hosts(const Model& model) {
  std::map<std::string_view, std::map<std::size_t, double>> peaks;
  for (const Benchmark& benchmark : model.benchmarks)
    if (const Measurement* const peak = benchmark.peak();
        peak != nullptr && !benchmark.ranks.empty() && benchmark.groups() == 1) {
      double& best = peaks[name_of(benchmark)][count_hosts(benchmark)];
      best = std::max(best, peak->busbw);
    }
  std::vector<std::string> texts;
  for (const auto& [name, by_hosts] : peaks) {
    if (by_hosts.size() < 2 || texts.size() == max_benchmarks) continue;
    std::string& text = texts.emplace_back("peak busbw of ").append(name).append(": ");
    std::size_t shown = 0;
    for (const auto& [hosts, busbw] : by_hosts) {
      if (++shown > max_benchmarks) break;
      text.append(shown > 1 ? ", " : "").append(count_text(hosts, "host")).append(" ").append(bandwidth_text(busbw));
    }
  }
  return texts;
}

/// Returns `sendrecv_perf at 1 GiB, 6 equal runs: median 24.30 GB/s, lowest 11.20 (node-c with node-d), highest 24.90`
/// for each group of equal runs.
void compare_equal_runs(const Model& model, std::vector<std::string>& texts) {
  std::size_t shown = 0;
  for (const EqualRuns& equal : equal_runs(model)) {
    if (++shown > max_benchmarks) return;
    const HostRun &lowest = equal.front(), &highest = equal.back();
    texts.push_back(std::string(name_of(*lowest.benchmark)) + " at " + size_text(lowest.best->size) + ", " +
                    std::to_string(equal.size()) + " equal runs: median " + bandwidth_text(median_of(equal)) +
                    ", lowest " + decimals(lowest.best->busbw) + " (" + place_text(lowest) + "), highest " +
                    decimals(highest.best->busbw));
  }
}

}  // namespace

std::vector<std::string> describe_benchmarks(const Model& model) {
  std::vector<std::string> texts;
  std::set<std::string> told;
  std::size_t shown = 0;
  for (const Benchmark& benchmark : model.benchmarks) {
    if (shown == max_benchmarks) {
      texts.push_back("and " + std::to_string(model.benchmarks.size() - max_benchmarks) + " more");
      break;
    }
    texts.push_back(std::string(name_of(benchmark)) + ranks_of(model, benchmark) + paths_of(model, benchmark) + ": " +
                    result_of(benchmark));
    if (std::string sizes = sizes_of(benchmark); !sizes.empty()) texts.push_back(std::move(sizes));
    if (std::string places = places_of(benchmark); !places.empty()) texts.push_back(std::move(places));
    add_reach(find_reach(model, benchmark), told, texts);
    ++shown;
  }
  for (std::string& comparison : compare_hosts(model)) texts.push_back(std::move(comparison));
  compare_equal_runs(model, texts);
  describe_recorded_runs(model, told, texts);
  return texts;
}

}  // namespace nccl_analyze
