// Joins the durations of all ranks of a communicator.

#include "queries/recorded_durations.h"

#include <set>
#include <string_view>
#include <tuple>
#include <utility>

#include "queries/gpu_products.h"

namespace nccl_analyze {

namespace {

auto operation_on(const RecordedDuration& one) {
  return std::tuple(one.is_inspected, one.comm_id, std::string_view(one.group), one.nranks, one.operation.view());
}

double busbw_of(const RecordedDuration& one) {
  const double ranks = one.nranks;
  const double sent = (one.operation.view() == "AllReduce" ? 2 : 1) * (ranks - 1) / ranks;
  return one.microseconds <= 0 || one.nranks < 2 ? 0 : static_cast<double>(one.size) / 1000 / one.microseconds * sent;
}

/// Returns the product of all GPUs of the job; empty if it is not known, or if they differ.
std::string_view only_product(const Model& model) {
  const std::vector<std::string_view> all = gpu_products(model);
  const std::set<std::string_view> distinct(all.begin(), all.end());
  return distinct.size() == 1 ? *distinct.begin() : std::string_view{};
}

}  // namespace

std::vector<RecordedRun> recorded_runs(const Model& model) {
  std::vector<RecordedRun> runs;
  std::set<std::pair<SourceId, int>> ranks;
  for (const RecordedDuration& one : model.durations) {
    const bool is_new = runs.empty() || operation_on(*runs.back().shortest) != operation_on(one);
    if (is_new) runs.emplace_back();
    if (is_new || one.size > runs.back().shortest->size) {
      runs.back().shortest = &one;
      ranks.clear();
    }
    RecordedRun& run = runs.back();
    if (one.size < run.shortest->size) continue;
    if (one.microseconds < run.shortest->microseconds) run.shortest = &one;
    ranks.insert({one.at.source, one.rank});
    run.ranks = ranks.size();
    run.busbw = busbw_of(*run.shortest);
  }
  std::erase_if(runs, [](const RecordedRun& run) { return run.busbw <= 0; });
  return runs;
}

Benchmark as_benchmark(const Model& model, const RecordedRun& run) {
  const RecordedDuration& shortest = *run.shortest;
  Benchmark made;
  made.at = shortest.at;
  made.operation = std::string(shortest.operation.view());
  made.communicator = shortest.communicator;
  Measurement& measured = made.measurements.emplace_back();
  measured.at = shortest.at;
  measured.size = shortest.size;
  measured.microseconds = shortest.microseconds;
  measured.busbw = run.busbw;
  if (made.communicator < 0) return made;
  const Text product(only_product(model));
  for (const Rank& rank : model.communicators[made.communicator].ranks) {
    BenchmarkRank& listed = made.ranks.emplace_back();
    listed.rank = rank.rank;
    listed.process = rank.process;
    listed.gpu = product;
    if (const Host* const host = model.host_of(rank.process)) listed.host = host->name;
  }
  return made;
}

Reach find_recorded_reach(const Model& model, const Benchmark& run) {
  Reach reach = find_reach(model, run);
  if (reach.measured == nullptr || run.communicator >= 0) return reach;
  reach.unknown = "no communicator of the input has its name or id";
  reach.add = "NCCL_DEBUG=INFO NCCL_DEBUG_SUBSYS=INIT,NET,GRAPH prints it";
  return reach;
}

std::string_view tool_of(const RecordedRun& run) {
  return run.shortest->is_inspected ? "NCCL Inspector" : "flight recorder";
}

}  // namespace nccl_analyze
