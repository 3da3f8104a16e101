#pragma once
// The facts of a run of nccl-tests, which its table and its JSON share.

#include <cstdint>
#include <string>
#include <string_view>

namespace nccl_analyze::evidence {

struct BenchmarkValue {
  std::int64_t size = -1, count = -1;
  std::string_view type, redop;
  bool in_place = false;
  double time = 0, algbw = 0, busbw = 0, p99 = 0, cv = 0;
  std::int64_t wrong = -1;
};

/// The name of a program of nccl-tests without its folder: `all_reduce_perf`.
std::string benchmark_began(std::string_view program);
std::string benchmark_rank(int rank, std::int64_t pid, std::string_view host, int device, std::string_view bus_id,
                           std::string_view gpu);
std::string benchmark_measured(const BenchmarkValue& value);
std::string benchmark_ended(std::int64_t wrong, double busbw);

}  // namespace nccl_analyze::evidence
