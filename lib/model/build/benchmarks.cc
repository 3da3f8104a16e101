#include "model/build/benchmarks.h"

namespace nccl_analyze::builder {

namespace {

constexpr std::size_t max_benchmarks = 1024;
constexpr std::size_t max_measurements = 4096;  // Limit for one benchmark.
constexpr std::size_t max_ranks = std::size_t{1} << 16;

}  // namespace

Benchmark* Benchmarks::open(Context& context) {
  const auto last = last_.find(context.record->at.source);
  if (last != last_.end()) return &context.state.model.benchmarks[last->second];
  context.drop();
  return nullptr;
}

void Benchmarks::begin(Context& context, std::string_view operation) {
  const SourceId source = context.record->at.source;
  if (context.state.model.benchmarks.size() >= max_benchmarks) {
    last_.erase(source);
    return context.drop();
  }
  last_[source] = context.state.model.benchmarks.size();
  Benchmark& made = context.state.model.benchmarks.emplace_back();
  made.at = context.quote();
  made.operation = std::string(operation);
}

void Benchmarks::apply(Context& context, const BenchmarkStarted& event) { begin(context, event.operation); }

void Benchmarks::apply(Context& context, const BenchmarkRankListed& event) {
  Benchmark* const benchmark = open(context);
  if (benchmark == nullptr) return;
  if (benchmark->ranks.size() >= max_ranks) return context.drop();
  // Stores of logs that deliver a line at least once may deliver it twice.
  const auto is_same = [&](const BenchmarkRank& one) {
    return one.rank == event.rank && one.pid == event.pid && one.bus_id == event.bus_id && one.host == event.host;
  };
  if (!benchmark->ranks.empty() && is_same(benchmark->ranks.back())) return;
  benchmark->ranks.push_back({.rank = event.rank,
                              .device = event.device,
                              .pid = event.pid,
                              .host = context.shared(event.host),
                              .bus_id = event.bus_id,
                              .gpu = context.shared(event.gpu),
                              .group = event.group});
}

void Benchmarks::apply(Context& context, const BenchmarkTableBegun&) {
  if (Benchmark* const benchmark = open(context)) benchmark->table_at = context.quote();
}

void Benchmarks::apply(Context& context, const BenchmarkMeasured& event) {
  Benchmark* const benchmark = open(context);
  if (benchmark == nullptr) return;
  if (benchmark->measurements.size() >= max_measurements) return context.drop();
  benchmark->measurements.push_back({.at = context.quote(),
                                     .size = event.size,
                                     .type = context.shared(event.type),
                                     .redop = context.shared(event.redop),
                                     .in_place = event.place == "in-place",
                                     .microseconds = event.time,
                                     .algbw = event.algbw,
                                     .busbw = event.busbw,
                                     .wrong = event.wrong,
                                     .p99_microseconds = event.p99,
                                     .variation = event.cv});
}

void Benchmarks::apply(Context& context, const BenchmarkEnded& event) {
  // An excerpt may contain only the end of a run.
  if (!last_.contains(context.record->at.source)) begin(context, {});
  Benchmark* const benchmark = open(context);
  if (benchmark == nullptr) return;
  // Stores of logs that deliver a line at least once may deliver it twice.
  if (benchmark->results == 0 || benchmark->average_busbw != event.busbw) ++benchmark->results;
  benchmark->ended = true;
  benchmark->ended_at = context.quote();
  benchmark->out_of_bounds = event.out_of_bounds;
  benchmark->average_busbw = event.busbw;
}

}  // namespace nccl_analyze::builder
