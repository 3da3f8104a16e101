// Finds the processes and the communicator of each benchmark.

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <utility>

#include "model/resolve/passes.h"
#include "model/resolve/short_host.h"
#include "model/stable_sort.h"

namespace nccl_analyze::builder {

namespace {

using Address = std::pair<std::int64_t, std::string_view>;

/// Returns the processes by pid and host; -1 if several processes have the same pid and host.
std::map<Address, Index> processes_by_address(const Model& model) {
  std::map<Address, Index> found;
  Index index = 0;
  for (const Process& process : model.processes) {
    const auto [place, is_new] = found.try_emplace({process.pid, process.host.view()}, index);
    if (!is_new) place->second = -1;
    ++index;
  }
  return found;
}

/// Whether the ratio of bus to algorithm bandwidth is one that nccl-tests has for so many ranks: that of AllReduce, of
/// the collectives that leave out a rank's own part, or 1.
bool fits(const Benchmark& benchmark, int nranks) {
  constexpr double rounding = 0.03;
  const Measurement* const peak = benchmark.peak();
  if (peak == nullptr || peak->algbw <= 0 || nranks < 1) return true;
  const double ratio = peak->busbw / peak->algbw, part = static_cast<double>(nranks - 1) / nranks;
  const auto is_near = [&](double one) { return std::abs(ratio - one) < rounding; };
  return is_near(2 * part) || is_near(part) || is_near(1);
}

/// Returns the communicator that a benchmark measures; -1 if it is unknown. Considers only communicators with as many
/// ranks as the benchmark lists, if it does, and takes the first one that has a rank in a process of the benchmark. If
/// the model has no process of the benchmark, takes the only communicator with a rank in the benchmark's source. Groups
/// have a communicator each.
Index communicator_of(const Benchmark& benchmark, const Model& model) {
  if (benchmark.groups() > 1) return -1;
  std::set<Index> own, in_source;
  for (const BenchmarkRank& rank : benchmark.ranks) own.insert(rank.process);
  own.erase(-1);
  const auto nranks = static_cast<int>(benchmark.ranks.size());
  const bool is_listed = nranks > 0;
  Index index = 0;
  for (const Communicator& communicator : model.communicators) {
    if (communicator.nranks == nranks || !is_listed) {
      const bool is_measured = std::ranges::any_of(
          communicator.ranks, [&](const Rank& rank) { return rank.process >= 0 && own.contains(rank.process); });
      if (is_measured) return index;
      const bool is_near = std::ranges::any_of(communicator.ranks, [&](const Rank& rank) {
        return rank.process >= 0 && model.processes[rank.process].source == benchmark.at.source;
      });
      if (is_near) in_source.insert(index);
    }
    ++index;
  }
  if (!own.empty() || in_source.size() != 1) return -1;
  const Index only = *in_source.begin();
  return is_listed || fits(benchmark, model.communicators[only].nranks) ? only : -1;
}

}  // namespace

void join_benchmarks(Model& model) {
  if (model.benchmarks.empty()) return;
  const std::map<Address, Index> processes = processes_by_address(model);
  for (Benchmark& benchmark : model.benchmarks) {
    sort_stably_by(benchmark.ranks, &BenchmarkRank::rank);
    for (BenchmarkRank& rank : benchmark.ranks) {
      const auto found = processes.find({rank.pid, short_host(rank.host.view())});
      rank.process = found == processes.end() || rank.pid < 0 ? -1 : found->second;
    }
    benchmark.communicator = communicator_of(benchmark, model);
  }
}

}  // namespace nccl_analyze::builder
