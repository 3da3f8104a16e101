// Reads the JSON that `-J` of nccl-tests writes (src/util.cu, file version 3). Its member `env` may contain secrets and
// is never read.

#include "evidence/formats.h"
#include "evidence/json_text.h"
#include "evidence/json_values.h"
#include "evidence/nccl_tests.h"

namespace nccl_analyze::evidence {

namespace {

void add_device(const Json& device, JsonText& source, Facts& facts) {
  facts.emplace_back(BenchmarkRankListed{.rank = int32_of(device, "rank"),
                                         .device = int32_of(device, "device"),
                                         .pid = integer(device, "pid"),
                                         .host = text(device, "hostname"),
                                         .bus_id = text(device, "device_hex"),
                                         .gpu = text(device, "device_info"),
                                         .group = int32_of(device, "group")},
                     source.shown(device, {"rank", "hostname"}));
}

void add_measurement(const Json& result, const Json& measured, const Json& iterations, bool in_place, JsonText& source,
                     Facts& facts) {
  if (measured.empty()) return;  // only in place or only out of place was measured
  BenchmarkMeasured value;
  value.size = integer(result, "size");
  value.count = integer(result, "count");
  value.type = text(result, "type");
  value.redop = text(result, "redop");
  value.place = in_place ? in_place_words : out_of_place_words;
  value.time = measured.contains("time") ? real_of(measured, "time") : real_of(measured, "cpu_time");
  value.algbw = real_of(measured, "alg_bw");
  value.busbw = real_of(measured, "bus_bw");
  value.wrong = integer(measured, "nwrong");
  value.p99 = real_of(iterations, "p99_us");
  value.cv = real_of(iterations, "cv_pct");
  facts.emplace_back(value, source.shown(measured, {"bus_bw", "nwrong"}));
}

/// Quotes the number of wrong values and the average bandwidth; only the latter if the number is missing.
SourceQuote ended_at(const Json& document, JsonText& source) {
  SourceQuote wrong = source.shown(object(document, "out_of_bounds"), {"count"});
  SourceQuote average = source.shown(object(document, "average_bus_bandwidth"), {"bandwidth"});
  if (wrong.text.empty()) return average;
  add_piece(wrong, average);
  return wrong;
}

}  // namespace

void read_nccl_tests_json(const Json& document, JsonText& source, Facts& facts) {
  const Json& results = list(document, "results");
  const Json& names = results.empty() ? document : results.front();
  facts.emplace_back(BenchmarkStarted{benchmark_program(text(names, "experiment_name"))},
                     source.shown(names, {"experiment_name"}));
  for (const Json& device : list(object(document, "config"), "devices")) add_device(device, source, facts);
  for (const Json& result : results) {
    add_measurement(result, object(result, "out_of_place"), object(result, "out_of_place_per_iter"), false, source,
                    facts);
    add_measurement(result, object(result, "in_place"), object(result, "in_place_per_iter"), true, source, facts);
  }
  if (document.contains("average_bus_bandwidth"))
    facts.emplace_back(BenchmarkEnded{.out_of_bounds = integer(object(document, "out_of_bounds"), "count"),
                                      .busbw = real_of(object(document, "average_bus_bandwidth"), "bandwidth")},
                       ended_at(document, source));
}

}  // namespace nccl_analyze::evidence
