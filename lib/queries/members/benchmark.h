#pragma once
/// What the report shows of runs of nccl-tests.

#include <cmath>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "queries/bandwidth_limits.h"
#include "queries/members/line.h"

namespace nccl_analyze::members {

/// Returns the type or operation; `unknown` if it is empty, because an older release of nccl-tests did not print it.
constexpr std::string_view named(std::string_view name) { return name.empty() ? "unknown" : name; }

template <>
inline constexpr auto members_of<BenchmarkRank> = std::tuple{
    in_line("benchmark_rank"),
    member("rank", plain, &BenchmarkRank::rank),
    member("host", plain, &BenchmarkRank::host),
    member("pid", plain, &BenchmarkRank::pid),
    member("gpu", plain, &BenchmarkRank::gpu),
    member("bus_id", plain, &BenchmarkRank::bus_id),
    added("group", known, "Groups are measured at the same time (NCCL_TESTS_SPLIT).", &BenchmarkRank::group),
    member("process", reference, &BenchmarkRank::process),
};

template <>
inline constexpr auto members_of<Measurement> = std::tuple{
    in_line("measurement"),
    member("size", plain, "Bytes.", &Measurement::size),
    member("type", plain, [](const Measurement& one) { return named(one.type); }),
    member("redop", plain, [](const Measurement& one) { return named(one.redop); }),
    member("in_place", plain, &Measurement::in_place),
    member("microseconds", at_least(0), &Measurement::microseconds),
    member("algbw", at_least(0), &Measurement::algbw),
    member("busbw", at_least(0), &Measurement::busbw),
    member("wrong", known, "Wrong elements; null: not checked.", &Measurement::wrong),
    member("line", Line{}, &Measurement::at),
};

template <>
inline constexpr auto members_of<Benchmark> = std::tuple{
    in_block("benchmark"),
    member("operation", plain, "all_reduce_perf; unknown where the program does not print it.",
           [](const Benchmark& run) { return named(run.operation); }),
    flat(&Benchmark::at),
    member("communicator", reference, "The one that was measured.", &Benchmark::communicator),
    member("ended", plain, "Whether the output is complete.", &Benchmark::ended),
    member("wrong", known, "Wrong values of all measurements.", &Benchmark::out_of_bounds),
    member("average_busbw", measured, &Benchmark::average_busbw),
    member("ranks", objects, "By rank.", &Benchmark::ranks),
    member("measurements", objects, "In the order of the output.", &Benchmark::measurements),
};

inline double hundredths(double value) { return std::round(value * 100) / 100; }

template <>
inline constexpr auto members_of<Ceiling> = std::tuple{
    in_line("ceiling"),
    member("algorithm", plain, &Ceiling::algorithm),
    member("possible", plain, [](const Ceiling& ceiling) { return hundredths(ceiling.gigabytes); }),
    member("limit", plain, &Ceiling::way),
};

/// What the largest size of a run reached.
struct ReachRow {
  std::string_view operation;
  std::string_view tool;  ///< What measured it.
  std::size_t ranks;      ///< Those that the tool names.
  const Reach& reach;
};
template <auto Part>
inline constexpr auto measured_of = [](const ReachRow& row) { return row.reach.measured->*Part; };
template <>
inline constexpr auto members_of<ReachRow> = std::tuple{
    in_block("reach"),
    member("operation", plain, [](const ReachRow& row) { return named(row.operation); }),
    member("bytes", plain, measured_of<&Measurement::size>),
    added("tool", OneOf{"nccl-tests|NCCL Inspector|flight recorder"}, "What measured it.", &ReachRow::tool),
    member("ranks", plain, &ReachRow::ranks),
    member("busbw", at_least(0),
           "The better one, in place or out of place; of recorded durations that of the shortest one, which may "
           "include waiting for late ranks.",
           measured_of<&Measurement::busbw>),
    member("possible", known, "The lowest ceiling that busbw does not exceed, or the highest; null: not known.",
           [](const ReachRow& row) {
             return row.reach.ceiling ? std::optional{hundredths(row.reach.ceiling->gigabytes)} : std::nullopt;
           }),
    member("algorithm", known, "With which the ceiling holds: ring, tree, NVLS, NVLS tree; direct: sends and receives.",
           [](const ReachRow& row) {
             return row.reach.ceiling ? std::optional{row.reach.ceiling->algorithm} : std::nullopt;
           }),
    member("limit", known, "The links that limit it.",
           [](const ReachRow& row) {
             return row.reach.ceiling ? std::string_view(row.reach.ceiling->way) : std::string_view();
           }),
    member(
        "higher", objects, "Higher ceilings, of other algorithms.",
        [](const ReachRow& row) -> auto& { return row.reach.higher; }),
    member(
        "unknown", known, "Why no ceiling is known.", [](const ReachRow& row) -> auto& { return row.reach.unknown; }),
    member(
        "add", known, "What would show it.", [](const ReachRow& row) -> auto& { return row.reach.add; }),
    flat(measured_of<&Measurement::at>),
};

}  // namespace nccl_analyze::members
