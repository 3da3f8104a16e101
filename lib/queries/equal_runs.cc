// Groups runs of nccl-tests that should be equally fast.

#include "queries/equal_runs.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <utility>

#include "queries/benchmarks.h"
#include "text/message_text.h"

namespace nccl_analyze {

namespace {

constexpr std::size_t fewest_sets_of_hosts = 4;
constexpr std::size_t most_hosts = 8;  ///< Limit for one run, which bounds the time for comparisons.

/// Whether no size was measured twice in one place, and the ranks are numbered from 0 without gaps.
bool is_one_run(const Benchmark& benchmark) {
  std::set<std::pair<std::int64_t, bool>> seen;
  for (const Measurement& one : benchmark.measurements)
    if (!seen.insert({one.size, one.in_place}).second) return false;
  int next = 0;
  return std::ranges::all_of(benchmark.ranks, [&](const BenchmarkRank& rank) { return rank.rank == next++; });
}

/// Returns the text that is the same for runs that differ only in their hosts.
std::string kind_of_run(const Benchmark& benchmark, const Curve& curve) {
  std::map<std::string_view, std::string> devices;
  std::set<std::string_view> products;
  for (const BenchmarkRank& rank : benchmark.ranks) {
    devices[rank.host.view()] += concat(rank.device, ",");
    products.insert(rank.gpu.view());
  }
  std::vector<std::string> parts;
  for (const auto& [host, own] : devices) parts.push_back(own);
  std::ranges::sort(parts);
  const Measurement& largest = *curve.back().best;
  std::string kind = concat(name_of(benchmark), "\n", largest.type.view(), "\n", largest.redop.view());
  for (const std::string& part : parts) kind += concat("\n", part);
  for (const std::string_view product : products) kind += concat("\n", product);
  for (const CurvePoint& point : curve) kind += concat("\n", point.size);
  return kind;
}

std::vector<std::string_view> run_hosts(const Benchmark& benchmark) {
  std::set<std::string_view> hosts;
  for (const BenchmarkRank& rank : benchmark.ranks) hosts.insert(rank.host.view());
  return {hosts.begin(), hosts.end()};
}

using RunsByHosts = std::map<std::vector<std::string_view>, HostRun>;

EqualRuns sorted_runs(const RunsByHosts& by_hosts) {
  EqualRuns runs;
  for (const auto& [hosts, run] : by_hosts) runs.push_back(run);
  std::ranges::sort(runs, {}, [](const HostRun& run) { return std::tuple(run.best->busbw, run.best->at); });
  return runs;
}

/// For each run whether it has a certain host, or one of several.
using Marks = std::vector<bool>;

/// Returns the median of sorted bandwidths.
double middle_of(const std::vector<double>& sorted) {
  const std::size_t half = sorted.size() / 2;
  return sorted.size() % 2 == 1 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2;
}

/// Whether the marked runs are slow beside the others. At least two must be marked, and three must not.
bool are_slow(const EqualRuns& equal, const Marks& marks) {
  double fastest = 0;
  std::vector<double> others;
  for (std::size_t i = 0; i < equal.size(); ++i)
    if (marks[i])
      fastest = equal[i].best->busbw;
    else
      others.push_back(equal[i].best->busbw);
  return equal.size() - others.size() > 1 && others.size() > 2 && fastest <= slow_share * middle_of(others);
}

/// Returns the runs of each host that has several.
std::map<std::string_view, Marks> runs_by_host(const EqualRuns& equal) {
  std::map<std::string_view, Marks> found;
  for (std::size_t i = 0; i < equal.size(); ++i)
    for (const std::string_view host : equal[i].hosts)
      found.try_emplace(host, Marks(equal.size(), false)).first->second[i] = true;
  std::erase_if(found, [](const auto& of_host) { return std::ranges::count(of_host.second, true) < 2; });
  return found;
}

/// Whether one of the host's own runs is with hosts that are not slow, or with none.
bool has_run_with_others(const EqualRuns& equal, std::string_view host, const Marks& own,
                         const std::map<std::string_view, Marks>& slow) {
  for (std::size_t i = 0; i < own.size(); ++i)
    if (own[i] &&
        std::ranges::none_of(equal[i].hosts, [&](std::string_view one) { return one != host && slow.contains(one); }))
      return true;
  return false;
}

}  // namespace

std::string place_text(const HostRun& run) {
  constexpr std::size_t most = 60;
  const std::string first = excerpt(run.hosts.front(), most);
  if (run.hosts.size() > 2) return concat(run.hosts.size(), " hosts with ", first);
  return run.hosts.size() == 2 ? concat(first, " with ", excerpt(run.hosts[1], most)) : first;
}

double median_of(const EqualRuns& runs) {
  std::vector<double> sorted;
  for (const HostRun& run : runs) sorted.push_back(run.best->busbw);
  return middle_of(sorted);
}

std::vector<SlowRuns> slow_runs(const EqualRuns& equal) {
  SlowRuns of_hosts, others;
  Marks with_hosts(equal.size(), false);
  std::map<std::string_view, Marks> slow_hosts = runs_by_host(equal);
  std::erase_if(slow_hosts, [&](const auto& of_host) { return !are_slow(equal, of_host.second); });
  for (const auto& [host, own] : slow_hosts) {
    // A host that ran with slow hosts only may be as fast as others.
    if (!has_run_with_others(equal, host, own, slow_hosts)) continue;
    of_hosts.hosts.push_back(host);
    for (std::size_t i = 0; i < own.size(); ++i) with_hosts[i] = with_hosts[i] || own[i];
  }
  if (!are_slow(equal, with_hosts)) with_hosts.assign(equal.size(), false);
  EqualRuns rest;
  for (std::size_t i = 0; i < equal.size(); ++i) (with_hosts[i] ? of_hosts.runs : rest).push_back(equal[i]);
  const double usual = median_of(rest);
  of_hosts.usual = others.usual = usual;
  of_hosts.others = others.others = rest.size();
  for (const HostRun& run : rest)
    if (run.best->busbw <= slow_share * usual) others.runs.push_back(run);
  std::vector<SlowRuns> found;
  for (SlowRuns* const slow : {&of_hosts, &others})
    if (!slow->runs.empty()) found.push_back(std::move(*slow));
  return found;
}

std::vector<EqualRuns> equal_runs(const Model& model) {
  std::map<std::string, std::size_t> numbers;
  std::vector<RunsByHosts> kinds;
  for (const Benchmark& benchmark : model.benchmarks) {
    const std::vector<Curve> curves = curves_of(benchmark);
    if (benchmark.operation.empty() || !benchmark.ended || benchmark.ranks.size() < 2 || curves.size() != 1 ||
        benchmark.groups() > 1)
      continue;
    const CurvePoint& largest = curves.front().back();
    if (largest.size < smallest_judged || largest.best->busbw <= 0 || !is_one_run(benchmark)) continue;
    const std::size_t number = numbers.try_emplace(kind_of_run(benchmark, curves.front()), kinds.size()).first->second;
    if (number == kinds.size()) kinds.emplace_back();
    std::vector<std::string_view> hosts = run_hosts(benchmark);
    if (hosts.front().empty() || hosts.size() > most_hosts) continue;
    HostRun& run = kinds[number][hosts];
    if (run.best == nullptr || run.best->busbw < largest.best->busbw)
      run = {std::move(hosts), &benchmark, largest.best};
  }
  std::vector<EqualRuns> found;
  for (const RunsByHosts& by_hosts : kinds)
    if (by_hosts.size() >= fewest_sets_of_hosts) found.push_back(sorted_runs(by_hosts));
  return found;
}

}  // namespace nccl_analyze
