// Names runs of nccl-tests, and orders their measurements by size.

#include "queries/benchmarks.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <map>
#include <set>
#include <utility>

namespace nccl_analyze {

std::string_view name_of(const Benchmark& benchmark) {
  return benchmark.operation.empty() ? std::string_view("nccl-tests") : std::string_view(benchmark.operation);
}

std::string size_text(std::int64_t bytes) {
  constexpr std::array<std::string_view, 5> units{"B", "KiB", "MiB", "GiB", "TiB"};
  constexpr double step = 1024;
  auto value = static_cast<double>(bytes);
  std::size_t unit = 0;
  for (; value >= step && unit + 1 < units.size(); ++unit) value /= step;
  char digits[32];
  const auto [end, error] = std::to_chars(digits, digits + sizeof digits, value, std::chars_format::general, 4);
  return std::string(digits, end).append(" ").append(units[unit]);
}

std::size_t count_hosts(const Benchmark& benchmark) {
  std::set<std::string_view> hosts;
  for (const BenchmarkRank& rank : benchmark.ranks) hosts.insert(rank.host.view());
  return hosts.size();
}

std::size_t count_copies(const Benchmark& benchmark) {
  std::set<std::pair<std::string_view, std::int64_t>> first_ranks;
  for (const BenchmarkRank& rank : benchmark.ranks)
    if (rank.rank == 0) first_ranks.emplace(rank.host.view(), rank.pid);
  return first_ranks.size() < 2 ? 0 : first_ranks.size();
}

std::string decimals(double number, int digits) {
  char buffer[320];  // The log may contain any number; the largest double has 309 digits before the point.
  const auto [end, error] = std::to_chars(buffer, buffer + sizeof buffer, number, std::chars_format::fixed, digits);
  return {buffer, end};
}

std::string bandwidth_text(double gigabytes) { return decimals(gigabytes) + " GB/s"; }

std::vector<Curve> curves_of(const Benchmark& benchmark) {
  std::map<std::pair<std::string_view, std::string_view>, std::map<std::int64_t, const Measurement*>> found;
  for (const Measurement& one : benchmark.measurements) {
    const Measurement*& best = found[{one.type.view(), one.redop.view()}][one.size];
    if (best == nullptr || one.busbw > best->busbw) best = &one;
  }
  std::vector<Curve> curves;
  for (const auto& [kind, by_size] : found) {
    Curve& curve = curves.emplace_back();
    for (const auto& [size, best] : by_size) curve.push_back({size, best});
  }
  return curves;
}

std::optional<std::int64_t> level_from(const Benchmark& benchmark) {
  constexpr std::int64_t largest_step = 4;
  const std::vector<Curve> curves = curves_of(benchmark);
  const Measurement* const peak = benchmark.peak();
  if (curves.size() != 1 || peak->busbw <= 0) return std::nullopt;
  const Curve& curve = curves.front();
  std::size_t first = curve.size();
  while (first > 0 && curve[first - 1].best->busbw >= level_share * peak->busbw) --first;
  if (first == 0 || first == curve.size()) return std::nullopt;
  const std::int64_t size = curve[first].size;
  const bool is_exact = size / largest_step <= curve[first - 1].size && curve.back().size / 2 >= size;
  return is_exact ? std::optional{size} : std::nullopt;
}

namespace {

/// The best bus bandwidth of one size: in place, and out of place.
using BothPlaces = std::array<double, 2>;

std::optional<PlaceGap> gap_of(const std::map<std::int64_t, BothPlaces>& by_size) {
  PlaceGap gap;
  for (const auto& [size, busbw] : by_size) {
    const auto [in_place, out_of_place] = busbw;
    if (in_place <= 0 || out_of_place <= 0) continue;
    if (std::min(in_place, out_of_place) > (1 - much_slower) * std::max(in_place, out_of_place)) return std::nullopt;
    if (gap.sizes > 0 && (in_place < out_of_place) != (gap.in_place < gap.out_of_place)) return std::nullopt;
    gap = {.size = size, .in_place = in_place, .out_of_place = out_of_place, .sizes = gap.sizes + 1};
  }
  return gap.sizes < 3 ? std::nullopt : std::optional{gap};
}

}  // namespace

std::optional<PlaceGap> place_gap(const Benchmark& benchmark) {
  std::map<std::pair<std::string_view, std::string_view>, std::map<std::int64_t, BothPlaces>> found;
  for (const Measurement& one : benchmark.measurements) {
    if (one.size < smallest_judged) continue;
    double& busbw = found[{one.type.view(), one.redop.view()}][one.size][one.in_place ? 0 : 1];
    busbw = std::max(busbw, one.busbw);
  }
  for (const auto& [kind, by_size] : found)
    if (const std::optional<PlaceGap> gap = gap_of(by_size)) return gap;
  return std::nullopt;
}

}  // namespace nccl_analyze
