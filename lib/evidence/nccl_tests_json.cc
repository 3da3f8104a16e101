// Reads the JSON that `-J` of nccl-tests writes (src/util.cu, file version 3). Its `env` holds secrets and is never
// read.

#include "evidence/formats.h"
#include "evidence/json_values.h"
#include "evidence/nccl_tests.h"

namespace nccl_analyze::evidence {

namespace {

void add_device(const Json& device, Facts& facts) {
  facts.push_back(benchmark_rank(static_cast<int>(integer(device, "rank")), integer(device, "pid"),
                                 text(device, "hostname"), static_cast<int>(integer(device, "device")),
                                 text(device, "device_hex"), text(device, "device_info")));
}

void add_measurement(const Json& result, const Json& measured, const Json& iterations, bool in_place, Facts& facts) {
  if (measured.empty()) return;  // only one of the two was measured
  BenchmarkValue value;
  value.size = integer(result, "size");
  value.count = integer(result, "count");
  value.type = text(result, "type");
  value.redop = text(result, "redop");
  value.in_place = in_place;
  value.time = measured.contains("time") ? real_of(measured, "time") : real_of(measured, "cpu_time");
  value.algbw = real_of(measured, "alg_bw");
  value.busbw = real_of(measured, "bus_bw");
  value.wrong = integer(measured, "nwrong");
  value.p99 = real_of(iterations, "p99_us");
  value.cv = real_of(iterations, "cv_pct");
  facts.push_back(benchmark_measured(value));
}

}  // namespace

void read_nccl_tests_json(const Json& document, Facts& facts) {
  const Json& results = list(document, "results");
  const Json& names = results.empty() ? document : results.front();
  facts.push_back(benchmark_began(text(names, "experiment_name")));
  for (const Json& device : list(object(document, "config"), "devices")) add_device(device, facts);
  for (const Json& result : results) {
    add_measurement(result, object(result, "out_of_place"), object(result, "out_of_place_per_iter"), false, facts);
    add_measurement(result, object(result, "in_place"), object(result, "in_place_per_iter"), true, facts);
  }
  if (document.contains("average_bus_bandwidth"))
    facts.push_back(benchmark_ended(integer(object(document, "out_of_bounds"), "count"),
                                    real_of(object(document, "average_bus_bandwidth"), "bandwidth")));
}

}  // namespace nccl_analyze::evidence
