// Writes runs of nccl-tests.

#include <optional>
#include <string_view>

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
  json.member("process", rank.process < 0 ? std::nullopt : std::optional{rank.process});
  json.end();
}

}  // namespace

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
