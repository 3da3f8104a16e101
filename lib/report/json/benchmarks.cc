// Writes runs of nccl-tests.

#include <cmath>
#include <cstddef>
#include <optional>
#include <string_view>

#include "queries/bandwidth_limits.h"
#include "queries/recorded_durations.h"
#include "report/json/tools.h"

namespace nccl_analyze {
namespace {

/// Returns the type or operation for the JSON report; `unknown` if it is empty, because an older release of nccl-tests
/// did not print it.
std::string_view named(std::string_view name) { return name.empty() ? "unknown" : name; }

void write_measurement(JsonWriter& json, const Model& model, const Measurement& measurement) {
  json.begin_object(Layout::line);
  json.member("size", measurement.size);
  json.member("type", named(measurement.type.view()));
  json.member("redop", named(measurement.redop.view()));
  json.member("in_place", measurement.in_place);
  json.member("microseconds", measurement.microseconds);
  json.member("algbw", measurement.algbw);
  json.member("busbw", measurement.busbw);
  json.member("wrong", measurement.wrong < 0 ? std::nullopt : std::optional{measurement.wrong});
  json.member("line", model.place_in_source(measurement.at));
  json.end();
}

void write_rank(JsonWriter& json, const BenchmarkRank& rank) {
  json.begin_object(Layout::line);
  json.member("rank", rank.rank);
  json.member("host", rank.host.view());
  json.member("pid", rank.pid);
  json.member("gpu", rank.gpu.view());
  json.member("bus_id", rank.bus_id.view());
  json.member("group", known(rank.group));
  json.member("process", rank.process < 0 ? std::nullopt : std::optional{rank.process});
  json.end();
}

double hundredths(double value) { return std::round(value * 100) / 100; }

std::optional<std::string_view> text_or_null(const std::string& text) {
  return text.empty() ? std::nullopt : std::optional<std::string_view>{text};
}

/// The tool that measured, and the number of ranks that it names.
struct MeasuredBy {
  std::string_view tool;
  std::size_t ranks;
};

void write_reach(JsonWriter& json, const Model& model, const Benchmark& benchmark, const Reach& reach, MeasuredBy by) {
  const bool is_known = reach.ceiling.has_value();
  json.begin_object();
  json.member("operation", named(benchmark.operation));
  json.member("bytes", reach.measured->size);
  json.member("tool", by.tool);
  json.member("ranks", by.ranks);
  json.member("busbw", reach.measured->busbw);
  json.member("possible", is_known ? std::optional{hundredths(reach.ceiling->gigabytes)} : std::nullopt);
  json.member("algorithm", is_known ? std::optional{reach.ceiling->algorithm} : std::nullopt);
  json.member("limit", is_known ? text_or_null(reach.ceiling->way) : std::nullopt);
  json.begin_array("higher");
  for (const Ceiling& other : reach.higher) {
    json.begin_object(Layout::line);
    json.member("algorithm", other.algorithm);
    json.member("possible", hundredths(other.gigabytes));
    json.member("limit", other.way);
    json.end();
  }
  json.end();
  json.member("unknown", text_or_null(reach.unknown));
  json.member("add", text_or_null(reach.add));
  json.member("source", static_cast<std::uint32_t>(reach.measured->at.source));
  json.member("line", model.place_in_source(reach.measured->at));
  json.end();
}

}  // namespace

void write_bandwidth(JsonWriter& json, const Model& model) {
  json.begin_array("bandwidth");
  for (const Benchmark& benchmark : model.benchmarks)
    if (const Reach reach = find_reach(model, benchmark); reach.measured != nullptr)
      write_reach(json, model, benchmark, reach, {"nccl-tests", benchmark.ranks.size()});
  for (const RecordedRun& run : recorded_runs(model)) {
    const Benchmark benchmark = as_benchmark(model, run);
    if (const Reach reach = find_recorded_reach(model, benchmark); reach.measured != nullptr)
      write_reach(json, model, benchmark, reach, {tool_of(run), static_cast<std::size_t>(run.shortest->nranks)});
  }
  json.end();
}

void write_benchmarks(JsonWriter& json, const Model& model) {
  json.begin_array("benchmarks");
  for (const Benchmark& benchmark : model.benchmarks) {
    json.begin_object();
    json.member("operation", named(benchmark.operation));
    json.member("source", static_cast<std::uint32_t>(benchmark.at.source));
    json.member("line", model.place_in_source(benchmark.at));
    json.member("communicator", benchmark.communicator < 0 ? std::nullopt : std::optional{benchmark.communicator});
    json.member("ended", benchmark.ended);
    json.member("wrong", benchmark.out_of_bounds < 0 ? std::nullopt : std::optional{benchmark.out_of_bounds});
    json.member("average_busbw", benchmark.average_busbw > 0 ? std::optional{benchmark.average_busbw} : std::nullopt);
    json.begin_array("ranks");
    for (const BenchmarkRank& rank : benchmark.ranks) write_rank(json, rank);
    json.end();
    json.begin_array("measurements");
    for (const Measurement& measurement : benchmark.measurements) write_measurement(json, model, measurement);
    json.end();
    json.end();
  }
  json.end();
}

}  // namespace nccl_analyze
