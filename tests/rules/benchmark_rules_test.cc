// Tests where the rules about nccl-tests draw their lines: noise, small sizes and unknown paths are no finding.

#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "catch.h"
#include "model_of.h"
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

TEST_CASE("bandwidth-drop: without a list of ranks the two bandwidths must differ") {
  Benchmark unlisted = run_of({{32 * mebi, 100}, {64 * mebi, 50}, {128 * mebi, 55}});
  unlisted.ranks.clear();
  CHECK(findings_of("NCA512", unlisted) == 0);
  for (Measurement& one : unlisted.measurements) one.algbw /= 1.9;
  CHECK(findings_of("NCA512", unlisted) == 1);
  unlisted.ranks.resize(1);
  CHECK(findings_of("NCA512", unlisted) == 0);
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

/// A complete run on a GPU of each host; two on a single host.
Benchmark run_on(std::initializer_list<std::string_view> hosts, double busbw) {
  Benchmark made = run_of({{mebi, 1}, {1024 * mebi, busbw}});
  made.ended = true;
  made.ranks.resize(2);
  for (std::size_t i = 0; i < 2; ++i) {
    made.ranks[i].host = *(hosts.begin() + (hosts.size() == 2 ? i : 0));
    made.ranks[i].device = hosts.size() == 2 ? 0 : static_cast<int>(i);
    made.ranks[i].gpu = "NVIDIA H200";
  }
  return made;
}

/// The messages of bandwidth-outlier about these runs.
std::string outliers_of(std::vector<Benchmark> runs) {
  Model model;
  for (Benchmark& run : runs) {
    run.measurements[1].at = LineRef(SourceId{0}, 10 * model.benchmarks.size() + 10);
    model.benchmarks.push_back(std::move(run));
  }
  std::string messages;
  for (const Finding& finding : find_rule("NCA514")->check(model).findings) messages += finding.message + "\n";
  return messages;
}

TEST_CASE("bandwidth-outlier: a host is named if its runs alone are slow, otherwise the runs are") {
  const auto pairs = [](double a_b, double a_c, double a_d, double b_c, double b_d, double c_d) {
    return std::vector{run_on({"a", "b"}, a_b), run_on({"a", "c"}, a_c), run_on({"a", "d"}, a_d),
                       run_on({"b", "c"}, b_c), run_on({"b", "d"}, b_d), run_on({"c", "d"}, c_d)};
  };
  CHECK(
      outliers_of(pairs(100, 100, 50, 100, 52, 51)) ==
      "All 3 runs of all_reduce_perf with d are slow: at most 52.00 GB/s at 1 GiB, 52 % of 100.00 GB/s, the median of "
      "3 equal runs without it\n");
  CHECK(outliers_of(pairs(100, 100, 100, 100, 52, 100)) ==
        "all_reduce_perf on b with d reaches at most 52.00 GB/s at 1 GiB, 52 % of 100.00 GB/s, the median of 6 equal "
        "runs\n");
  CHECK(outliers_of(pairs(100, 100, 100, 100, 71, 100)).empty());
  CHECK(outliers_of(pairs(50, 50, 50, 50, 50, 50)).empty());
  // nccl-tests#106, where NVIDIA's answer was that node 644 has a problem.
  CHECK(outliers_of({run_on({"gn644", "gn699"}, 49.36), run_on({"gn632", "gn641"}, 88.36),
                     run_on({"gn284", "gn678"}, 49.28), run_on({"gn641", "gn644"}, 49.30),
                     run_on({"gn404", "gn699"}, 86.81)}) ==
        "All 2 runs of all_reduce_perf with gn644 are slow: at most 49.36 GB/s at 1 GiB, 57 % of 86.81 GB/s, the "
        "median of 3 equal runs without it\n"
        "all_reduce_perf on gn284 with gn678 reaches at most 49.28 GB/s at 1 GiB, 57 % of 86.81 GB/s, the median of 3 "
        "equal runs\n");
  // A host that ran with slow hosts only is not named.
  CHECK(
      outliers_of({run_on({"a", "b"}, 50), run_on({"b", "c"}, 50), run_on({"c", "d"}, 50), run_on({"d", "e"}, 50),
                   run_on({"e", "f"}, 100), run_on({"f", "g"}, 100), run_on({"g", "h"}, 100), run_on({"h", "a"}, 100)})
          .starts_with("All 4 runs of all_reduce_perf with b and d are slow"));
  // Of disjoint pairs no run tells which host it is; one of three is no outlier.
  const std::vector<Benchmark> disjoint{run_on({"a", "b"}, 100), run_on({"c", "d"}, 100), run_on({"e", "f"}, 30),
                                        run_on({"g", "h"}, 100)};
  CHECK(outliers_of(disjoint).starts_with("all_reduce_perf on e with f reaches at most 30.00 GB/s"));
  CHECK(outliers_of({disjoint.begin(), disjoint.begin() + 3}).empty());
  CHECK(outliers_of({run_on({"a"}, 100), run_on({"b"}, 30), run_on({"c"}, 100), run_on({"d"}, 100)})
            .starts_with("all_reduce_perf on b reaches at most 30.00 GB/s at 1 GiB, 30 %"));
  // The best of several runs on the same hosts counts.
  std::vector<Benchmark> repeated = pairs(100, 100, 100, 100, 52, 100);
  repeated.push_back(run_on({"b", "d"}, 99));
  CHECK(outliers_of(repeated).empty());
}

TEST_CASE("bandwidth-outlier: runs that differ in more than their hosts are not compared") {
  const auto with_last = [](void (*change)(Benchmark&)) {
    std::vector<Benchmark> runs{run_on({"a", "b"}, 100), run_on({"c", "d"}, 100), run_on({"e", "f"}, 100),
                                run_on({"g", "h"}, 100), run_on({"i", "k"}, 30)};
    change(runs.back());
    return outliers_of(runs);
  };
  CHECK(!with_last([](Benchmark&) {}).empty());
  CHECK(with_last([](Benchmark& run) { run.operation = "sendrecv_perf"; }).empty());
  CHECK(with_last([](Benchmark& run) { run.operation.clear(); }).empty());
  CHECK(with_last([](Benchmark& run) { run.ended = false; }).empty());
  CHECK(with_last([](Benchmark& run) { run.ranks[0].gpu = "NVIDIA L4"; }).empty());
  CHECK(with_last([](Benchmark& run) { run.ranks[0].device = 4; }).empty());
  CHECK(with_last([](Benchmark& run) { run.ranks[0].group = 1; }).empty());
  CHECK(with_last([](Benchmark& run) { run.ranks[1].rank = 2; }).empty());
  CHECK(with_last([](Benchmark& run) { run.measurements[0].size = 2 * mebi; }).empty());
  CHECK(with_last([](Benchmark& run) { run.measurements[1].size = mebi; }).empty());
  CHECK(with_last([](Benchmark& run) { run.measurements.push_back(run.measurements[1]); }).empty());
}

TEST_CASE("bandwidth-outlier: runs of many hosts are not compared") {
  const auto outliers = [](std::size_t hosts) {
    std::vector<Benchmark> runs;
    for (std::size_t run = 0; run < 5; ++run) {
      Benchmark& made = runs.emplace_back(run_on({"a", "b"}, run == 4 ? 30 : 100));
      made.ranks.resize(hosts, made.ranks[0]);
      for (std::size_t i = 0; i < hosts; ++i) {
        made.ranks[i].rank = static_cast<int>(i);
        made.ranks[i].host = "node-" + std::to_string(100 * run + i);
      }
    }
    return outliers_of(std::move(runs));
  };
  CHECK(outliers(8).starts_with("all_reduce_perf on 8 hosts with node-400 reaches at most 30.00 GB/s"));
  CHECK(outliers(9).empty());
}

TEST_CASE("benchmarks: why the links are not known is said once") {
  Model model;
  for (const std::string_view host : {"a", "b"}) model.benchmarks.push_back(run_on({host}, 100));
  std::size_t said = 0;
  for (const std::string& line : describe_benchmarks(model))
    if (line.find("is not known") != std::string::npos) ++said;
  CHECK(said == 1);
}

TEST_CASE("benchmarks: equal runs are summed up in a line") {
  Model model;
  for (const std::string_view host : {"a", "b", "c", "d"})
    model.benchmarks.push_back(run_on({host}, 100 + static_cast<double>(model.benchmarks.size())));
  CHECK(describe_benchmarks(model).back() ==
        "all_reduce_perf at 1 GiB, 4 equal runs: median 101.50 GB/s, lowest 100.00 (a), highest 103.00");
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

TEST_CASE("benchmark rules: a table without a row is a warning only if the log goes on behind its head") {
  const std::string head =
      "#       size         count      type   redop    root     time   algbw   busbw #wrong     time   algbw   busbw "
      "#wrong\n#        (B)    (elements)                               (us)  (GB/s)  (GB/s)            (us)  (GB/s)  "
      "(GB/s)       \n";
  const Rule* const rule = find_rule("benchmark-stands");
  REQUIRE(rule != nullptr);
  const auto severity_of = [&](const std::string& log) {
    const std::vector<Finding> found = rule->check(model_of(log)).findings;
    REQUIRE(found.size() == 1);
    return found.front().own_severity.value_or(rule->info.severity);
  };
  CHECK(severity_of(head) == Severity::info);
  CHECK(severity_of(head + "^C\n$ \n") == Severity::warning);
}

}  // namespace
}  // namespace nccl_analyze
