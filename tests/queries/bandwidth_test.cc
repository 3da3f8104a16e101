// Tests bandwidth ceilings: published measurements beside the formulas, and what is said of runs of nccl-tests.

#include <algorithm>
#include <sstream>
#include <string>
#include <vector>

#include "catch.h"
#include "model_of.h"
#include "queries/bandwidth_limits.h"
#include "report/sentences/benchmarks.h"
#include "text/search.h"

namespace nccl_analyze {
namespace {

constexpr double figure_rounding = 0.006;

/// The links of hosts with `gpus` GPUs of a product, and with NICs of so many Gbit/s.
Roads roads(std::string_view product, int hosts, int gpus, int nics = 0, double gigabits = 0) {
  const GpuFigures* const gpu = gpu_figures(product);
  REQUIRE(gpu != nullptr);
  Roads made;
  made.hosts = hosts;
  made.gpus = gpus;
  made.nvls = gpu->nvls;
  made.inside = {gpu->all_nvlinks(), "NVLink"};
  made.network = behind_pcie({nics * gigabits / 8, "NICs"}, gpu->pcie_bandwidth(), gpus);
  made.own = made.network;
  return made;
}

/// The ceiling of an algorithm; a negative number if the collective has none with it.
double ceiling(Collective collective, const Roads& of, std::string_view algorithm) {
  const std::vector<Ceiling> all = ceilings_of(collective, of);
  const auto found = std::ranges::find(all, algorithm, &Ceiling::algorithm);
  return found == all.end() ? -1 : found->gigabytes;
}

void check_near(double value, double expected) {
  CHECK(value > expected - figure_rounding);
  CHECK(value < expected + figure_rounding);
}

/// A run of nccl-tests on one host with so many GPUs, without a line of NCCL.
std::string table(const std::string& program, int ranks, const std::string& product, const std::string& row) {
  std::ostringstream out;
  out << "# nccl-tests version 2.17.6 nccl-headers=22805 nccl-library=22805\n# Collective test starting: " << program
      << "\n# nThread 1 nGpus 1 minBytes 8 maxBytes 17179869184 step: 2(factor) warmup iters: 5 iters: 20 agg iters: "
         "1\n"
      << "#\n# Using devices\n";
  for (int rank = 0; rank < ranks; ++rank)
    out << "#  Rank  " << rank << " Group  0 Pid   " << 4000 + rank << " on     gpu-a1 device  " << rank
        << " [0000:" << 10 + rank << ":00] NVIDIA " << product << "\n";
  out << "#\n#                                                              out-of-place                       "
         "in-place\n"
      << "#       size         count      type   redop    root     time   algbw   busbw  #wrong     time   algbw   "
         "busbw  "
         "#wrong\n"
      << "#        (B)    (elements)                               (us)  (GB/s)  (GB/s)             (us)  (GB/s)  "
         "(GB/s)\n"
      << row << "\n# Out of bounds values : 0 OK\n# Avg bus bandwidth    : 40.7675\n#\n";
  return out.str();
}

constexpr std::string_view reduced =
    " 17179869184    4294967296     float     sum      -1  62600.0  274.43  480.26       0  62700.0  274.00  479.49    "
    "   0";

/// The line of the report about what the links can carry.
std::string reach_line(const std::string& log) {
  for (const std::string& line : describe_benchmarks(model_of(log)))
    if (line.starts_with("  busbw at ")) return line;
  return {};
}

}  // namespace

TEST_CASE("bandwidth ceilings: what NVIDIA and others measured lies below them") {
  const Roads h100 = roads("NVIDIA H100 80GB HBM3", 1, 8);
  check_near(ceiling(Collective::all_gather, h100, "ring"), 370.80);                        // 370, nccl-tests#212
  check_near(ceiling(Collective::all_reduce, h100, "NVLS"), 576.80);                        // 480, nccl-tests#212
  check_near(ceiling(Collective::all_reduce, roads("NVIDIA H800", 1, 8), "NVLS"), 256.36);  // 215, nccl#1374
  const std::string_view a100 = "NVIDIA A100-SXM4-80GB";
  check_near(ceiling(Collective::all_reduce, roads(a100, 4, 8, 8, 200), "ring"), 200);  // 192, nccl#812
  check_near(ceiling(Collective::all_reduce, roads(a100, 3, 8, 4, 200), "ring"), 100);  // 96, nccl-tests#119
  check_near(ceiling(Collective::all_reduce, roads(a100, 2, 8, 2, 200), "ring"), 50);
  check_near(ceiling(Collective::all_reduce, roads(a100, 2, 8, 2, 200), "tree"), 93.75);  // 57.06, nccl#837
  const std::string_view product = "NVIDIA H100 80GB HBM3";
  check_near(ceiling(Collective::all_reduce, roads(product, 5, 8, 4, 400), "ring"), 200);     // 190, nccl#1368
  check_near(ceiling(Collective::all_reduce, roads(product, 2, 1, 4, 400), "ring"), 63.02);   // 50, nccl-tests#232
  check_near(ceiling(Collective::all_reduce, roads(product, 2, 8, 8, 200), "tree"), 375);     // 338.82 on A3 Mega
  check_near(ceiling(Collective::all_reduce, roads(product, 4, 8, 8, 400), "tree"), 387.50);  // 370 to 380, nccl#1649
  check_near(ceiling(Collective::all_reduce, roads(product, 3, 8, 4, 200), "tree"), 127.78);
}

TEST_CASE("bandwidth ceilings: other collectives, and links that are not known") {
  const MachineFigures* const p5 = machine_figures("p5.48xlarge");
  REQUIRE(p5 != nullptr);
  const Roads two = roads_of(*p5, 2);
  check_near(ceiling(Collective::all_to_all, two, "direct"), 93.75);  // 50 x 15/8
  check_near(ceiling(Collective::send_recv, two, "direct"), 50);      // 4 of 32 NICs
  check_near(ceiling(Collective::broadcast, two, "ring"), 370.80);
  CHECK(ceilings_of(Collective::broadcast, two).size() == 1);

  const std::vector<Ceiling> unknown =
      ceilings_of(Collective::all_reduce, roads_of(*machine_figures("nd-mi300x-v5"), 1));
  REQUIRE(unknown.size() == 1);
  CHECK(unknown[0].gigabytes == 0);
  CHECK(unknown[0].missing == "V");
  const Ceiling partly = ceilings_of(Collective::all_gather, roads_of(*machine_figures("nd-mi300x-v5"), 2)).front();
  check_near(partly.gigabytes, 400);
  CHECK(partly.missing == "V");

  // One GPU in each host: a tree gains nothing.
  CHECK(ceilings_of(Collective::all_reduce, roads("NVIDIA A100-SXM4-80GB", 4, 1, 1, 200)).size() == 1);
  Roads uneven = two;
  uneven.is_even = false;
  CHECK(ceilings_of(Collective::all_reduce, uneven).size() == 1);
  CHECK(ceilings_of(Collective::all_to_all, uneven).empty());
}

TEST_CASE("bandwidth ceilings: hosts that NVLink joins are one") {
  const MachineFigures& rack = *machine_figures("gb200-nvl72");
  CHECK(roads_of(rack, 18).hosts == 1);
  check_near(ceiling(Collective::all_gather, roads_of(rack, 18), "ring"), 18 * 40.1);
  check_near(ceiling(Collective::all_reduce, roads_of(rack, 18), "NVLS"), 1404.05);  // 846.82, coreweave/nccl-tests#43
  CHECK(ceilings_of(Collective::all_gather, roads_of(rack, 36)).front().missing == "N");
  const Roads ultra = roads_of(*machine_figures("p6e-gb200.36xlarge"), 20);
  CHECK(ultra.hosts == 2);
  check_near(ultra.network.gigabytes, 2 * 200.0);
  CHECK(!ultra.is_even);
}

TEST_CASE("bandwidth ceilings: a measurement is compared with the lowest ceiling that it does not exceed") {
  CHECK(reach_line(table("all_reduce_perf", 8, "H100 80GB HBM3", std::string(reduced))) ==
        "  busbw at 16 GiB: 480.26 GB/s of 576.80 that NVLink can carry with NVLink SHARP (83 %)");
  const std::string half =
      "  1073741824     268435456     float     sum      -1   5368.7  200.00  350.00       0   5368.7  200.00  350.00"
      "       0";
  CHECK(reach_line(table("all_reduce_perf", 8, "H100 80GB HBM3", half)) ==
        "  busbw at 1 GiB: 350.00 GB/s of 370.80 that NVLink can carry in rings and trees (94 %), 576.80 with NVLink "
        "SHARP");
  // 8 A100 of one host reached about 200 GB/s: nccl-tests#149.
  const std::string a100 =
      "  1073741824     268435456     float     sum      -1   9395.2  114.29  200.00       0   9395.2  114.29  200.00"
      "       0";
  CHECK(reach_line(table("all_reduce_perf", 8, "A100-SXM4-80GB", a100)) ==
        "  busbw at 1 GiB: 200.00 GB/s of 240.00 that NVLink can carry in rings and trees (83 %)");
  // Without a name, by the ratio of the two bandwidths; a ratio of 1 is that of sends and receives too.
  CHECK(reach_line(table("", 8, "H100 80GB HBM3", half)).ends_with("576.80 with NVLink SHARP"));
  const std::string ratio_of_one =
      "  1073741824     268435456     float     sum      -1   5368.7  200.00  200.00       0   5368.7  200.00  200.00"
      "       0";
  CHECK(contains(reach_line(table("", 8, "H100 80GB HBM3", ratio_of_one)), "the operation has no known limit"));
  // More than all formulas allow, as with SHARP in the network: no percentage is named.
  const std::string more =
      "  1073741824     268435456     float     sum      -1   5368.7  400.00  700.00       0   5368.7  400.00  700.00"
      "       0";
  CHECK(contains(reach_line(table("all_reduce_perf", 8, "H100 80GB HBM3", more)), "NVLink SHARP give less"));
  // Two GPUs may have few of their links to each other, and a small size says little.
  CHECK(contains(reach_line(table("all_reduce_perf", 2, "A100-SXM4-80GB", a100)), "is not known"));
  const std::string small =
      "     1048576        262144     float     sum      -1   5368.7  200.00  350.00       0   5368.7  200.00  350.00"
      "       0";
  CHECK(reach_line(table("all_reduce_perf", 8, "H100 80GB HBM3", small)) == "");
  CHECK(reach_line(table("reduce_scatter_perf", 8, "H100 80GB HBM3", half)).ends_with("can carry in rings (94 %)"));
}

TEST_CASE("bandwidth ceilings: groups that are measured at once have no percentage") {
  std::string split = table("all_reduce_perf", 8, "H100 80GB HBM3", std::string(reduced));
  CHECK(reach_line(split).ends_with("(83 %)"));
  for (int rank = 1; rank < 8; rank += 2) {
    const std::string sign = "Rank  " + std::to_string(rank) + " Group  0";
    split.replace(split.find(sign), sign.size(), "Rank  " + std::to_string(rank) + " Group  1");
  }
  CHECK(
      reach_line(split) ==
      "  busbw at 16 GiB: 480.26 GB/s; what the links can carry is not known: the ranks ran in several groups at once "
      "(NCCL_TESTS_SPLIT), which may share links (a run without groups has the links for itself)");
  CHECK(describe_benchmarks(model_of(split))
            .front()
            .starts_with("all_reduce_perf, 8 ranks on 1 host in 2 groups at once: peak"));
}

TEST_CASE("bandwidth ceilings: a table whose processes have other communicators has no percentage") {
  const std::string tabled = table("all_reduce_perf", 8, "H100 80GB HBM3", std::string(reduced));
  const std::string log =
      "gpu-a1:4000:4000 [0] NCCL INFO ncclCommInitRank comm 0x55 rank 0 nranks NUMBER cudaDev 0 nvmlDev 0 busId 10000 "
      "commId 0xabc - Init START\n";
  std::string other = log;
  CHECK(contains(reach_line(other.replace(other.find("NUMBER"), 6, "4") + tabled),
                 "has no communicator of the benchmark"));
  std::string own = log;
  CHECK(contains(reach_line(own.replace(own.find("NUMBER"), 6, "8") + tabled), "not all ranks of the run"));
}

TEST_CASE("bandwidth ceilings: GPUs without NVLink, GPUs without figures, other programs") {
  const std::string row =
      "   134217728      33554432     float     sum      -1  12500.0   10.74   18.79       0  12500.0   10.74   18.79"
      "       0";
  // The slots may have fewer lanes than the GPUs.
  CHECK(contains(reach_line(table("all_reduce_perf", 8, "GeForce RTX 4090", row)), "is not known"));
  CHECK(contains(reach_line(table("all_reduce_perf", 8, "Q100", row)),
                 "not known: the input has no communicator of the benchmark (NCCL_DEBUG=INFO"));
  CHECK(contains(reach_line(table("alltoallv_perf", 8, "H200", row)), "the operation has no known limit"));
  CHECK(reach_line(table("all_reduce_perf", 1, "L40S", row)) == "");
  CHECK(contains(reach_line(table("all_reduce_perf", 0, "L40S", row)), "the table has no list of ranks"));
}

}  // namespace nccl_analyze
