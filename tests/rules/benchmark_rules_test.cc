// Tests where the rules about nccl-tests draw their lines: noise, small sizes and unknown paths are no finding.

#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

#include "catch.h"
#include "nccl_analyze/rule.h"
#include "queries/benchmarks.h"
#include "report/sentences/benchmarks.h"

namespace nccl_analyze {
namespace {

constexpr std::int64_t mebi = std::int64_t{1} << 20;

Benchmark run_of(std::initializer_list<std::pair<std::int64_t, double>> curve, int hosts = 1) {
  Benchmark made;
  made.at = LineRef(SourceId{0}, 1);
  made.operation = "all_reduce_perf";
  for (int host = 0; host < hosts; ++host)
    for (int device = 0; device < 2; ++device) {
      BenchmarkRank rank;
      rank.rank = 2 * host + device;
      rank.device = device;
      rank.host = host == 0 ? "node-a" : "node-b";
      made.ranks.push_back(rank);
    }
  std::uint64_t line = 10;
  for (const auto& [size, busbw] : curve) {
    Measurement one;
    one.at = LineRef(SourceId{0}, ++line);
    one.size = size;
    one.type = "float";
    one.redop = "sum";
    one.algbw = one.busbw = busbw;
    one.wrong = 0;
    made.measurements.push_back(one);
  }
  return made;
}

std::size_t findings_of(std::string_view rule, Benchmark benchmark) {
  Model model;
  model.benchmarks.push_back(std::move(benchmark));
  const Rule* const found = find_rule(rule);
  REQUIRE(found != nullptr);
  return found->check(model).findings.size();
}

TEST_CASE("bandwidth-drop: several large sizes, twice the size apart, far below the best") {
  CHECK(findings_of("NCA512", run_of({{16 * mebi, 40}, {32 * mebi, 100}, {64 * mebi, 50}, {128 * mebi, 55}})) == 1);
  CHECK(findings_of("NCA512", run_of({{16 * mebi, 40}, {32 * mebi, 100}, {64 * mebi, 50}, {128 * mebi, 99}})) == 0);
  CHECK(findings_of("NCA512", run_of({{16 * mebi, 40}, {32 * mebi, 100}, {64 * mebi, 70}, {128 * mebi, 65}})) == 0);
  CHECK(findings_of("NCA512", run_of({{mebi, 100}, {2 * mebi, 50}, {4 * mebi, 55}, {8 * mebi, 99}})) == 0);
  CHECK(findings_of("NCA512", run_of({{32 * mebi, 100}, {64 * mebi, 50}, {65 * mebi, 50}, {66 * mebi, 50}})) == 0);
}

TEST_CASE("bandwidth-drop: the fall begins at the last size on the level, which need not be the best one") {
  Model model;
  model.benchmarks.push_back(
      run_of({{16 * mebi, 100}, {32 * mebi, 98}, {64 * mebi, 70}, {128 * mebi, 50}, {256 * mebi, 49}}));
  const std::vector<Finding> found = find_rule("NCA512")->check(model).findings;
  REQUIRE(found.size() == 1);
  CHECK(found[0].message ==
        "The bus bandwidth of all_reduce_perf begins to fall above 32 MiB: from 98.00 GB/s there to 49.00 GB/s at 256 "
        "MiB, 50 % less; it is low from 128 MiB to 256 MiB, the largest size that was measured");
  // Healthy curves: a step where NCCL changes its algorithm, noise, and less at the end.
  CHECK(findings_of("NCA512", run_of({{8 * mebi, 60},
                                      {16 * mebi, 36},
                                      {32 * mebi, 70},
                                      {64 * mebi, 88},
                                      {128 * mebi, 80},
                                      {256 * mebi, 91},
                                      {512 * mebi, 79}})) == 0);
}

TEST_CASE("benchmarks: the size from which on the curve has its level") {
  const auto level = [](std::initializer_list<std::pair<std::int64_t, double>> curve) {
    return level_from(run_of(curve)).value_or(-1);
  };
  CHECK(level({{mebi, 10}, {4 * mebi, 50}, {16 * mebi, 91}, {64 * mebi, 100}}) == 16 * mebi);
  CHECK(level({{mebi, 10}, {2 * mebi, 20}, {4 * mebi, 40}, {8 * mebi, 80}}) == -1);   // still rises
  CHECK(level({{mebi, 95}, {2 * mebi, 97}, {4 * mebi, 100}, {8 * mebi, 99}}) == -1);  // begins on its level
  CHECK(level({{mebi, 10}, {2 * mebi, 95}, {4 * mebi, 100}, {8 * mebi, 80}}) == -1);  // falls again
  CHECK(level({{mebi, 10}, {64 * mebi, 95}, {128 * mebi, 100}}) == -1);               // somewhere between the two
  CHECK(level({}) == -1);
  Benchmark two_types = run_of({{mebi, 10}, {4 * mebi, 95}, {16 * mebi, 100}});
  CHECK(level_from(two_types) == 4 * mebi);
  two_types.measurements[0].type = "half";
  CHECK(!level_from(two_types));
}

/// A run whose bus bandwidth is 100 GB/s in place, and these out of place.
Benchmark run_in_both_places(std::initializer_list<double> out_of_place) {
  std::int64_t size = 32 * mebi;
  Benchmark made = run_of({});
  for (const double busbw : out_of_place) {
    size *= 2;
    for (const Benchmark& part : {run_of({{size, 100}}), run_of({{size, busbw}})}) {
      made.measurements.push_back(part.measurements[0]);
      made.measurements.back().in_place = busbw != part.measurements[0].busbw;
    }
  }
  return made;
}

TEST_CASE("benchmarks: a difference between the places is told if all large sizes have it") {
  const auto line = [](Benchmark benchmark) {
    Model model;
    model.benchmarks.push_back(std::move(benchmark));
    for (std::string& text : describe_benchmarks(model))
      if (text.find("out of place") != std::string::npos) return std::move(text);
    return std::string();
  };
  CHECK(
      line(run_in_both_places({60, 65, 61})) ==
      "  in place 100.00 GB/s at 256 MiB, out of place 61.00 (39 % less); at least 30 % less at all 3 sizes of 64 MiB "
      "or more");
  CHECK(line(run_in_both_places({160, 165, 200})) ==
        "  out of place 200.00 GB/s at 256 MiB, in place 100.00 (50 % less); at least 30 % less at all 3 sizes of 64 "
        "MiB or more");
  CHECK(line(run_in_both_places({60, 71, 61})).empty());
  CHECK(line(run_in_both_places({60, 61})).empty());
  CHECK(line(run_in_both_places({60, 160, 61})).empty());
  Benchmark small = run_in_both_places({60, 65, 61});
  small.measurements[0].size = small.measurements[1].size = mebi;
  CHECK(line(small).empty());
}

TEST_CASE("wrong-results: rows, and the sum where no row counts") {
  Benchmark right = run_of({{mebi, 10}, {2 * mebi, 20}});
  right.ended = true;
  right.out_of_bounds = 0;
  CHECK(findings_of("NCA609", right) == 0);
  Benchmark unchecked = right;
  unchecked.measurements[0].wrong = unchecked.out_of_bounds = -1;
  CHECK(findings_of("NCA609", unchecked) == 0);
  Benchmark wrong = right;
  wrong.measurements[1].wrong = 3;
  CHECK(findings_of("NCA609", wrong) == 1);
  Benchmark summed = right;
  summed.out_of_bounds = 4;
  summed.ended_at = LineRef(SourceId{0}, 20);
  CHECK(findings_of("NCA609", summed) == 1);
}

TEST_CASE("bandwidth-below-path: nothing is said without the paths") {
  Model model;
  model.benchmarks.push_back(run_of({{1024 * mebi, 1}}));
  const RuleResult verdict = find_rule("NCA511")->check(model);
  CHECK(verdict.findings.empty());
  CHECK(verdict.not_evaluated.size() == 1);
  CHECK(find_rule("NCA511")->check(Model{}).not_evaluated.empty());
}

TEST_CASE("benchmarks: runs on different numbers of hosts stand side by side") {
  Model model;
  model.benchmarks.push_back(run_of({{1024 * mebi, 220}}, 1));
  model.benchmarks.push_back(run_of({{1024 * mebi, 46.5}}, 2));
  CHECK(describe_benchmarks(model).back() == "peak busbw of all_reduce_perf: 1 host 220.00 GB/s, 2 hosts 46.50 GB/s");
}

}  // namespace
}  // namespace nccl_analyze
