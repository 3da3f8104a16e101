// Describes and writes runs of nccl-tests.

#include "report/benchmarks.h"

#include <array>
#include <charconv>
#include <cstddef>
#include <optional>
#include <set>
#include <string_view>

#include "report/phrases.h"
#include "rules/support/paths.h"

namespace nccl_analyze {
namespace {

constexpr std::size_t max_shown = 8;

/// Formats a size with four digits: `8 B`, `1.5 KiB`, `1 GiB`.
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

std::string bandwidth_text(double gigabytes) {
  char digits[320];  // the log may contain any number; the largest one has 309 digits before the point
  const auto [end, error] = std::to_chars(digits, digits + sizeof digits, gigabytes, std::chars_format::fixed, 2);
  return std::string(digits, end) + " GB/s";
}

std::string ranks_of(const Benchmark& benchmark) {
  std::set<std::string_view> hosts;
  for (const BenchmarkRank& rank : benchmark.ranks) hosts.insert(rank.host.view());
  const std::size_t ranks = benchmark.ranks.size();
  if (ranks == 0) return {};
  return ", " + count_text(ranks, "rank", "ranks") + " on " + count_text(hosts.size(), "host", "hosts");
}

/// `, P2P inside nodes, NET/IB between nodes with GPUDirect RDMA`; empty for a run without a communicator.
std::string paths_of(const Model& model, const Benchmark& benchmark) {
  if (benchmark.communicator < 0) return {};
  const CommPaths paths = find_paths(model, model.communicators[benchmark.communicator]);
  std::string text;
  if (!paths.inside.empty()) text.append(", ").append(paths.inside).append(" inside nodes");
  if (!paths.between.empty()) text.append(", ").append(paths.between).append(" between nodes");
  if (paths.gdr) text += *paths.gdr ? " with GPUDirect RDMA" : " without GPUDirect RDMA";
  return text;
}

std::string result_of(const Benchmark& benchmark) {
  const Measurement* const peak = benchmark.peak();
  if (peak == nullptr) return "no measurement";
  std::string text = "peak busbw " + bandwidth_text(peak->busbw) + " at " + size_text(peak->size);
  if (benchmark.average_busbw > 0) text += ", average " + bandwidth_text(benchmark.average_busbw);
  if (!benchmark.ended) text += ", not finished";
  if (benchmark.out_of_bounds > 0) text += ", " + std::to_string(benchmark.out_of_bounds) + " wrong values";
  return text;
}

void write_measurement(JsonWriter& json, const Measurement& measurement) {
  json.begin_object(Layout::line);
  json.member("size", measurement.size);
  json.member("type", measurement.type.view());
  json.member("redop", measurement.redop.view());
  json.member("in_place", measurement.in_place);
  json.member("microseconds", measurement.microseconds);
  json.member("algbw", measurement.algbw);
  json.member("busbw", measurement.busbw);
  json.member("wrong", measurement.wrong < 0 ? std::nullopt : std::optional{measurement.wrong});
  json.member("line", measurement.at.line);
  json.end();
}

void write_rank(JsonWriter& json, const BenchmarkRank& rank) {
  json.begin_object(Layout::line);
  json.member("rank", rank.rank);
  json.member("host", rank.host.view());
  json.member("pid", rank.pid);
  json.member("gpu", rank.gpu.view());
  json.member("bus_id", rank.bus_id.view());
  json.member("process", rank.process < 0 ? std::nullopt : std::optional{rank.process});
  json.end();
}

}  // namespace

std::vector<std::string> describe_benchmarks(const Model& model) {
  std::vector<std::string> texts;
  for (const Benchmark& benchmark : model.benchmarks) {
    if (texts.size() == max_shown) {
      texts.push_back("and " + std::to_string(model.benchmarks.size() - max_shown) + " more");
      break;
    }
    const std::string name = benchmark.operation == "unknown" ? "nccl-tests" : benchmark.operation;
    texts.push_back(name + ranks_of(benchmark) + paths_of(model, benchmark) + ": " + result_of(benchmark));
  }
  return texts;
}

void write_benchmarks(JsonWriter& json, const Model& model) {
  json.begin_array("benchmarks");
  for (const Benchmark& benchmark : model.benchmarks) {
    json.begin_object();
    json.member("operation", benchmark.operation);
    json.member("source", static_cast<std::uint32_t>(benchmark.at.source));
    json.member("line", benchmark.at.line);
    json.member("communicator", benchmark.communicator < 0 ? std::nullopt : std::optional{benchmark.communicator});
    json.member("ended", benchmark.ended);
    json.member("wrong", benchmark.out_of_bounds < 0 ? std::nullopt : std::optional{benchmark.out_of_bounds});
    json.member("average_busbw", benchmark.average_busbw > 0 ? std::optional{benchmark.average_busbw} : std::nullopt);
    json.begin_array("ranks");
    for (const BenchmarkRank& rank : benchmark.ranks) write_rank(json, rank);
    json.end();
    json.begin_array("measurements");
    for (const Measurement& measurement : benchmark.measurements) write_measurement(json, measurement);
    json.end();
    json.end();
  }
  json.end();
}

}  // namespace nccl_analyze
