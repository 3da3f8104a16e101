// Names runs of nccl-tests, and orders their measurements by size.

#include "queries/benchmarks.h"

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

}  // namespace nccl_analyze
