// Tests where the rules about nccl-tests draw their lines: noise, small sizes and unknown paths are no finding.

#include <initializer_list>
#include <utility>

#include "catch.h"
#include "nccl_analyze/rule.h"
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
