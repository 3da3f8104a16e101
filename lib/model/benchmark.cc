#include "nccl_analyze/model/benchmark.h"

#include <algorithm>
#include <set>

namespace nccl_analyze {

const Measurement* Benchmark::peak() const {
  const auto found = std::ranges::max_element(measurements, {}, &Measurement::busbw);
  return found == measurements.end() ? nullptr : &*found;
}

std::size_t Benchmark::groups() const {
  std::set<int> found;
  for (const BenchmarkRank& rank : ranks) found.insert(rank.group);
  return std::max<std::size_t>(found.size(), 1);
}

}  // namespace nccl_analyze
