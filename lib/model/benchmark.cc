#include "nccl_analyze/model/benchmark.h"

#include <algorithm>

namespace nccl_analyze {

const Measurement* Benchmark::peak() const {
  const auto found = std::ranges::max_element(measurements, {}, &Measurement::busbw);
  return found == measurements.end() ? nullptr : &*found;
}

}  // namespace nccl_analyze
