// Tests that the table and the JSON of nccl-tests become benchmarks of the model, whatever release wrote them.

#include <string>
#include <utility>

#include "catch.h"
#include "evidence/evidence_models.h"
#include "nccl_analyze/analyzer.h"
#include "report/sentences/benchmarks.h"

namespace nccl_analyze {
namespace {

constexpr std::string_view table =
    "# nccl-tests version 2.17.6 nccl-headers=22805 nccl-library=22805\n"
    "# Collective test starting: ./build/all_reduce_perf\n"
    "# nThread 1 nGpus 1 minBytes 8 maxBytes 33554432 step: 2(factor) warmup iters: 1 iters: 20 agg iters: 1\n"
    "#\n"
    "# Using devices\n"
    "#  Rank  0 Group  0 Pid   4711 on   worker-0 device  0 [0000:19:00] NVIDIA H100 80GB HBM3\n"
    "#  Rank  1 Group  0 Pid   4711 on worker-1.example.org device  0 [0000:19:00] NVIDIA H100 80GB HBM3\n"
    "worker-0:4711:4711 [0] NCCL INFO Using network IB\n"
    "#\n"
    "#                                                              out-of-place                       in-place\n"
    "#       size         count      type   redop    root     time   algbw   busbw  #wrong     time   algbw   busbw  "
    "#wrong\n"
    "#        (B)    (elements)                               (us)  (GB/s)  (GB/s)             (us)  (GB/s)  (GB/s)\n"
    "    16777216       4194304     float     sum      -1   420.70   39.88   39.88       0   415.20   40.41   40.41    "
    " "
    "  0\n"
    "worker-0:4711:4712 [0] NCCL INFO Channel 00/0 : 0[0] -> 1[0] [send] via NET/IB/0\n"
    "    33554432       8388608     float     sum      -1   811.80   41.33   41.33       0   809.50   41.45   41.45    "
    " "
    "N/A\n"
    "# Out of bounds values : 0 OK\n"
    "# Avg bus bandwidth    : 40.7675 \n"
    "#\n"
    "# Collective test concluded: all_reduce_perf\n";

constexpr std::string_view json =
    R"({"version":3,"start_time":"2026-01-31 10:00:00","args":["all_reduce_perf"],"env":["TOKEN=secret"],)"
    R"("nccl_version":22805,"config":{"nthreads":1,"devices":[{"rank":0,"group":0,"pid":4711,"hostname":"worker-0",)"
    R"("device":0,"device_hex":"0000:19:00","device_info":"NVIDIA H100"}]},"results":[{"size":8388608,)"
    R"("count":2097152,"type":"float","redop":"sum","root":"    -1","out_of_place":{"time":210.500000,)"
    R"("alg_bw":39.850000,"bus_bw":69.740000,"nwrong":0.000000},"out_of_place_per_iter":{"p99_us":240.0,)"
    R"("cv_pct":3.5,"times_us":[1.0,2.0]},"in_place":null,"actual_iterations":20,)"
    R"("experiment_name":"all_reduce_perf"}],"out_of_bounds":{"count":0,"okay":"true"},)"
    R"("average_bus_bandwidth":{"bandwidth":62.100000,"okay":"unchecked"},"errors":[],)"
    R"("end_time":"2026-01-31 10:01:00"})";

TEST_CASE("evidence: a benchmark whose lines a store delivered twice is no copy of itself") {
  const std::string_view old = table.substr(table.find("# nThread"));  // nccl-tests up to 2.16 began with this line
  std::string twice;
  for (std::string_view rest = old; !rest.empty(); rest.remove_prefix(rest.find('\n') + 1))
    for (int i = 0; i < 2; ++i) twice += rest.substr(0, rest.find('\n') + 1);
  const Model model = model_of_text(twice);
  REQUIRE(model.benchmarks.size() == 2);
  CHECK(model.benchmarks[1].ranks.size() == 2);
  CHECK(analyze(model).findings.empty());
  twice.replace(twice.find("Pid   4711", twice.find("Pid   4711") + 1), 10, "Pid   4712");
  const Report report = analyze(model_of_text(twice));
  REQUIRE_FALSE(report.findings.empty());
  CHECK(report.findings.front().rule->name == "world-split");
}

TEST_CASE("evidence: rows that lines of NCCL tear apart are read by their parts") {
  const std::string call =
      "w-0:7:9 [0] NCCL INFO AllReduce: opCount 0 sendbuff 0x1 recvbuff 0x2 count 4194304 datatype 7 op 0 root 0 "
      "comm 0x5 [nranks=2] stream 0x6\n";
  const std::size_t rows = table.find("    16777216"), end = table.find("# Out of bounds");
  const std::string torn =
      std::string(table.substr(0, rows)) + "    16777216       4194304     float     sum      -1" + call + call +
      "   420.70   39.88   39.88       0" + call + "   415.20   40.41   40.41       0\n" +
      "    33554432       8388608     float     sum      -1" + call + "   811.80   41.33   41.33     N/A" + call +
      "   809.50   41.45   41.45     N/A\n" + "    67108864      16777216     float     sum      -1\n" + call +
      "   1585.4   42.33   42.33       0   1580.9   42.45   42.45       0\n" +
      // Four numbers that no row waits for, and a row of which nothing else was printed.
      "   1.0   2.0   3.0       0\n   134217728      33554432     float     sum      -1" + call +
      std::string(table.substr(end));
  for (const std::size_t chunk : {std::size_t{1}, std::size_t{13}, torn.size()}) {
    const Model model = model_of_text(torn, chunk);
    REQUIRE(model.benchmarks.size() == 1);
    std::vector<double> busbw;
    for (const Measurement& one : model.benchmarks[0].measurements) busbw.push_back(one.busbw);
    CHECK(busbw == std::vector{39.88, 40.41, 41.33, 41.45, 42.33, 42.45});
  }
}

TEST_CASE("evidence: numbers that a torn row does not have are no measurement") {
  const std::string call =
      "4021:7:9 [0] NCCL INFO AllReduce: opCount 0 sendbuff 0x1 recvbuff 0x2 count 4194304 datatype 7 op 0 root 0 "
      "comm 0x5 [nranks=2] stream 0x6\n";
  const std::string begin(table.substr(0, table.find("    16777216")));
  const std::string head = "    16777216       4194304     float     sum      -1" + call;
  const auto measured = [&](const std::string& rows) {
    std::vector<std::pair<double, std::int64_t>> found;
    for (const Benchmark& run : model_of_text(begin + rows, 1000).benchmarks)
      for (const Measurement& one : run.measurements) found.emplace_back(one.busbw, one.wrong);
    return found;
  };
  using Found = std::vector<std::pair<double, std::int64_t>>;
  // The host may be a number, which the number of wrong elements runs into.
  CHECK(measured(head + "   420.70   39.88   39.88       0" + call) == Found{{39.88, -1}});
  // Text of another program, the second place without the first, and the places of a row of another size.
  for (const std::string& rows : {head + "   10   20.5   0.3   epoch\n", head + "   415.20   40.41   40.41       0\n",
                                  head + "   83.33   1.66   1.66       0" + call,
                                  std::string("   100   200   lr   0.1   done\n   1   2   3   x\n"),
                                  head + "# nThread 1 nGpus 1 \n   420.70   39.88   39.88       0" + call})
    CHECK(measured(rows).empty());
}

TEST_CASE("evidence: a line with a record belongs to no table, however the input is cut") {
  const std::string text =
      "# nccl-tests version 2.17.6\n"
      "# nThread 1 nGpus 1 graph: w-0:7:9 [0] NCCL INFO Using network IB\n"
      "# nThread 1 nGpus 1 graph: w-0:7:9 [0] NCCL INFO Using network IB\n";
  for (const std::size_t chunk : {std::size_t{1}, std::size_t{7}, text.size()}) {
    const Model model = model_of_text(text, chunk);
    CHECK(model.benchmarks.empty());
    REQUIRE(model.processes.size() == 1);
    CHECK(model.processes[0].network == "IB");
  }
}

}  // namespace

TEST_CASE("evidence: a table of nccl-tests between lines of NCCL") {
  const Model model = model_of_text(table);
  REQUIRE(model.benchmarks.size() == 1);
  const Benchmark& benchmark = model.benchmarks[0];
  CHECK(benchmark.operation == "all_reduce_perf");
  CHECK(benchmark.at.line == 3);
  CHECK(benchmark.ended);
  CHECK(benchmark.out_of_bounds == 0);
  CHECK(benchmark.average_busbw == Approx(40.7675));
  REQUIRE(benchmark.ranks.size() == 2);
  CHECK(benchmark.ranks[0].process == 0);
  CHECK(benchmark.ranks[0].gpu == Text("NVIDIA H100 80GB HBM3"));
  CHECK(benchmark.ranks[1].process == -1);
  REQUIRE(benchmark.measurements.size() == 4);
  CHECK(benchmark.peak()->busbw == Approx(41.45));
  CHECK(benchmark.peak()->in_place);
  CHECK(benchmark.peak()->wrong == -1);
  CHECK(benchmark.peak()->at.line == 15);
  CHECK(benchmark.measurements[0].wrong == 0);
  CHECK(benchmark.measurements[0].size == 16777216);
  CHECK(model.processes.size() == 1);
}

TEST_CASE("evidence: groups that are measured at once have no common communicator") {
  const Model one = model_of_text(table);
  CHECK(one.benchmarks.at(0).groups() == 1);
  CHECK(one.benchmarks[0].ranks.at(0).group == 0);
  std::string split(table);
  split.replace(split.find("Rank  1 Group  0"), 16, "Rank  1 Group  7");
  const Model two = model_of_text(split);
  CHECK(two.benchmarks.at(0).groups() == 2);
  CHECK(two.benchmarks[0].ranks.at(1).group == 7);
  CHECK(report_of(two).find("\"group\": 7") != std::string::npos);
  CHECK(report_of(through_summaries({{"log", split}})) == report_of(two));
  std::string old(table);  // nccl-tests up to 2.12 print no group
  for (std::size_t at = old.find(" Group  0"); at != std::string::npos; at = old.find(" Group  0")) old.erase(at, 9);
  CHECK(model_of_text(old).benchmarks.at(0).ranks.at(1).group == -1);
  CHECK(model_of_text(old).benchmarks[0].groups() == 1);
  CHECK(model_of_text(json).benchmarks.at(0).ranks.at(0).group == 0);
}

TEST_CASE("evidence: a table is the same in any chunks, behind decoration, and through a summary") {
  const std::string whole = report_of(model_of_text(table));
  CHECK(report_of(model_of_text(table, 1)) == whole);
  CHECK(report_of(model_of_text(table, 7)) == whole);
  CHECK(report_of(through_summaries({{"log", std::string(table)}})) == whole);
  std::string decorated;
  std::istringstream lines{std::string(table)};
  for (std::string line; std::getline(lines, line);) decorated += "[1,0]<stdout>: " + line + "\n";
  CHECK(model_of_text(decorated).benchmarks.at(0).measurements.size() == 4);
}

TEST_CASE("evidence: tables of old nccl-tests lack columns") {
  const Model model = model_of_text(
      "# nThread 1 nGpus 2 minBytes 8 maxBytes 8 step: 2(factor) warmup iters: 5 iters: 20 validation: 1 \n"
      "#   Rank  0 Pid  15833 on  node-a device  0 [0x02] GeForce GTX 1080 Ti\n"
      "#       size         count    type             time   algbw   busbw   error     time   algbw   busbw   error\n"
      "           8             2   float            38.21    0.00    0.00   0e+00    37.90    0.00    0.00   0e+00\n"
      "# Out of bounds values : 0 OK\n"
      "# Avg bus bandwidth    : 0.5 \n"
      "# nThread 1 nGpus 2 minBytes 8 maxBytes 8 step: 2(factor) warmup iters: 5 iters: 20 validation: 1 \n"
      "#       size         count    type   redop    root     time   algbw   busbw   error     time   algbw   busbw   "
      "error\n"
      "          16             4   float              -1    38.21    0.00    1.00   0e+00    37.90    0.00    2.00   "
      "0e+00\n");
  REQUIRE(model.benchmarks.size() == 2);
  CHECK(model.benchmarks[0].operation.empty());
  CHECK(model.benchmarks[0].ranks.at(0).bus_id == Text("0x02"));
  REQUIRE(model.benchmarks[0].measurements.size() == 2);
  CHECK(model.benchmarks[0].measurements[1].microseconds == Approx(37.9));
  CHECK(model.benchmarks[0].measurements[1].wrong == -1);
  REQUIRE(model.benchmarks[1].measurements.size() == 2);
  CHECK(model.benchmarks[1].measurements[0].redop.empty());
  CHECK(model.benchmarks[1].peak()->busbw == Approx(2));
  CHECK_FALSE(model.benchmarks[1].ended);
}

TEST_CASE("evidence: a table begins at the names of its columns where the lines before them are missing") {
  constexpr std::string_view row =
      "  1073741824     268435456     float     sum      -1   344981    3.11    3.11      7   344454    3.12    3.12 "
      "     0\n";
  constexpr std::string_view end = "# Avg bus bandwidth    : 1.15327\n#\n";
  const std::string columns =
      "#       size         count      type   redop    root     time   algbw   busbw #wrong     time   algbw   busbw "
      "#wrong\n"
      "#        (B)    (elements)                               (us)  (GB/s)  (GB/s)            (us)  (GB/s)  (GB/s)\n";
  const std::string part = columns + std::string(row) + std::string(end);
  for (const std::size_t chunk : {std::size_t{1}, part.size()}) {
    const Model model = model_of_text(part, chunk);
    REQUIRE(model.benchmarks.size() == 1);
    CHECK(model.benchmarks[0].operation.empty());
    CHECK(model.benchmarks[0].at.line == 1);
    CHECK(model.benchmarks[0].ended);
    REQUIRE(model.benchmarks[0].measurements.size() == 2);
    CHECK(model.benchmarks[0].measurements[0].wrong == 7);
  }
  CHECK(model_of_text(part + part).benchmarks.size() == 2);
  const std::string old =
      "#       size         count    type             time   algbw   busbw   error     time   algbw   "
      "busbw   error\n"
      "           8             2   float            38.21    0.00    0.00   0e+00    37.90    0.00    "
      "0.00   0e+00\n";
  CHECK(model_of_text("[1,0]<stdout>:" + old.substr(0, old.find('\n') + 1) +
                      "[1,0]<stdout>:" + old.substr(old.find('\n') + 1))
            .benchmarks.at(0)
            .measurements.size() == 2);
  // Lines that have these names and are no head of a table: the run begins at its row.
  CHECK(model_of_text("# results: size count algbw busbw\n" + std::string(row)).benchmarks.at(0).at.line == 2);
  const std::string sentence = "all_reduce of size 4: algbw = 3.11, busbw = 3.11\n";
  CHECK(model_of_text(sentence).benchmarks.empty());
  CHECK(model_of_text(sentence + std::string(row)).benchmarks.at(0).at.line == 2);
}

TEST_CASE("evidence: rows are read where the names of their columns are missing") {
  const std::string rows =
      "    33554432       8388608     float     sum      -1   2180.1   15.39   29.50      0   2285.2   14.68   28.14   "
      "  "
      " 0\n"
      "w-0:7:9 [0] NCCL INFO Using network IB\n"
      "    67108864      16777216     float     sum      -1    24410    2.75    5.27      0    24425    2.75    5.27   "
      "  "
      "N/A\n";
  const std::string end = "# Out of bounds values : 0 OK\n# Avg bus bandwidth    : 17.1\n";
  const Model model = model_of_text(rows + end);
  REQUIRE(model.benchmarks.size() == 1);
  CHECK(model.benchmarks[0].at.line == 1);
  CHECK(model.benchmarks[0].ended);
  CHECK(model.benchmarks[0].operation.empty());
  REQUIRE(model.benchmarks[0].measurements.size() == 4);
  CHECK(model.benchmarks[0].measurements[1].busbw == Approx(28.14));
  CHECK(model.benchmarks[0].measurements[1].in_place);
  CHECK(model.benchmarks[0].measurements[1].wrong == 0);
  CHECK(model.processes.size() == 1);
  check_same_report(rows + end);
  CHECK(model_of_text(std::string(table) + rows).benchmarks.size() == 2);
  // Larger sizes have fewer blanks before them.
  const std::string longer =
      "   134217728      33554432     float     sum      -1    49264    2.72    5.22      0    48558    2.76    5.30   "
      "  "
      " 0\n";
  CHECK(model_of_text(rows + longer).benchmarks.size() == 1);
  CHECK(model_of_text(rows + longer).benchmarks.at(0).measurements.size() == 6);
  const std::string tag = "[1,0]<stdout>:";
  CHECK(model_of_text(tag + rows.substr(0, rows.find('\n') + 1) + tag + longer).benchmarks.at(0).measurements.size() ==
        4);
  CHECK(model_of_text("[1,0]<stdout>:" + rows.substr(0, rows.find('\n') + 1)).benchmarks.at(0).measurements.size() ==
        2);
  for (const std::string_view line :
       {"x    33554432       8388608     float     sum      -1   2180.1   15.39   29.50      0   2285.2   14.68   "
        "28.14\n",
        "    33554432       8388607     float     sum      -1   2180.1   15.39   29.50      0   2285.2   14.68   28.14 "
        " 0\n",
        "float     sum      -1   2180.1\n", "sum      -1 \n"})
    CHECK(model_of_text(line).benchmarks.empty());
}

TEST_CASE("evidence: rows without names of columns are of one run while they follow each other") {
  const auto row = [](std::int64_t size, const std::string& busbw) {
    const std::string values = "   1000.0   15.00   " + busbw + "      0";
    return "   " + std::to_string(size) + "   " + std::to_string(size / 4) + "     float     sum      -1" + values +
           values + "\n";
  };
  const std::string first = row(67'108'864, "29.00") + row(134'217'728, "30.00");
  CHECK(
      model_of_text(first + "w-0:7:9 [0] NCCL INFO Using network IB\n" + row(268'435'456, "31.00")).benchmarks.size() ==
      1);
  CHECK(model_of_text(first + "and two nodes:\n" + row(268'435'456, "5.00")).benchmarks.size() == 2);
  CHECK(model_of_text(first + row(67'108'864, "5.00")).benchmarks.size() == 2);
}

TEST_CASE("evidence: a row that a terminal has cut is not shifted into other columns") {
  const std::string head =
      "#       size         count      type   redop    root     time   algbw   busbw #wrong     time   al\n";
  CHECK(model_of_text(head +
                      "   268435456      67108864     float    none      -1   5694.19   47.14   47.14      0   567\n")
            .benchmarks.at(0)
            .measurements.empty());
}

TEST_CASE("evidence: a run without a list of ranks is that of the only communicator beside it") {
  const std::string row =
      "  1073741824     134217728     float    none      -1  24414.9   43.98   21.99       0  24472.5   43.88   21.94  "
      "  "
      "   0\n";
  const auto start = [](const std::string& comm_id) {
    return "w-0:7:9 [0] NCCL INFO ncclCommInitRank comm 0x5" + comm_id +
           " rank 0 nranks 2 cudaDev 0 nvmlDev 0 busId 10000 commId 0x" + comm_id + " - Init START\n";
  };
  const Model one = model_of_text(start("a") + row);
  CHECK(one.benchmarks.at(0).communicator == 0);
  CHECK(describe_benchmarks(one).at(0).starts_with("nccl-tests, 2 ranks: peak busbw 21.99 GB/s"));
  CHECK(model_of_text(start("a") + start("b") + row).benchmarks.at(0).communicator == -1);
  // The ratio of the two bandwidths is that of AllReduce with eight ranks.
  const std::string of_eight =
      "  1073741824     268435456     float     sum      -1   4085.0  262.86  460.00       0   4085.0  262.86  460.00  "
      "     0\n";
  CHECK(model_of_text(start("a") + of_eight).benchmarks.at(0).communicator == -1);
  CHECK(model_of({{"a", start("a")}, {"b", row}}).benchmarks.at(0).communicator == -1);
}

TEST_CASE("evidence: JSON of nccl-tests, whose environment is never read") {
  const Model model = model_of_text(json);
  REQUIRE(model.benchmarks.size() == 1);
  const Benchmark& benchmark = model.benchmarks[0];
  CHECK(benchmark.operation == "all_reduce_perf");
  CHECK(benchmark.average_busbw == Approx(62.1));
  REQUIRE(benchmark.ranks.size() == 1);
  CHECK(benchmark.ranks[0].host == Text("worker-0"));
  REQUIRE(benchmark.measurements.size() == 1);
  CHECK(benchmark.measurements[0].p99_microseconds == Approx(240));
  CHECK(benchmark.measurements[0].variation == Approx(3.5));
  const std::string report = report_of(model);
  CHECK(report.find("secret") == std::string::npos);
  CHECK(report_of(model_of_text(json, 1)) == report);
  CHECK(report_of(through_summaries({{"log", std::string(json)}})) == report);
  CHECK(model_of_text(json).sources[0].stats.lines == 1);
}

TEST_CASE("evidence: JSON as a line of a log, and damaged JSON as a log") {
  const std::string log = "worker-0:4711:4711 [0] NCCL INFO Using network IB\n";
  CHECK(model_of_text(log + std::string(json) + "\n" + log).benchmarks.size() == 1);
  const Model both = model_of_text(std::string(json) + "\n" + log);
  CHECK(both.benchmarks.size() == 1);
  CHECK(both.processes.size() == 1);
  const Model damaged = model_of_text(std::string(json.substr(0, json.size() - 10)) + "\n" + log);
  CHECK(damaged.benchmarks.empty());
  CHECK(damaged.processes.size() == 1);
  const Model gelf =
      model_of_text("{\"version\":\"1.1\",\"short_message\":\"" + log.substr(0, log.size() - 1) + "\"}\n");
  CHECK(gelf.benchmarks.empty());
}

}  // namespace nccl_analyze
