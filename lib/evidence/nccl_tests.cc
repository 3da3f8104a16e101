#include "evidence/nccl_tests.h"

#include "evidence/wording.h"

namespace nccl_analyze::evidence {

std::string benchmark_began(std::string_view program) {
  return sentence("nccl-tests: ", word(program.substr(program.rfind('/') + 1)), " began");
}

std::string benchmark_rank(int rank, std::int64_t pid, std::string_view host, int device, std::string_view bus_id,
                           std::string_view gpu) {
  return sentence("nccl-tests: rank ", rank, " is pid ", pid, " on ", word(host), " with device ", device, " [",
                  word(bus_id), "] ", phrase(gpu));
}

std::string benchmark_measured(const BenchmarkValue& value) {
  std::string text =
      sentence("nccl-tests: ", value.size, " B (", value.count, " x ", word(value.type), " ", word(value.redop), ") ",
               value.in_place ? "in-place" : "out-of-place", " in ", real(value.time), " us, algbw ", real(value.algbw),
               " GB/s, busbw ", real(value.busbw), " GB/s, wrong ", value.wrong);
  if (value.p99 > 0) text += sentence(", p99 ", real(value.p99), " us, cv ", real(value.cv), " %");
  return text;
}

std::string benchmark_ended(std::int64_t wrong, double busbw) {
  return sentence("nccl-tests: ended with ", wrong, " wrong values, average busbw ", real(busbw), " GB/s");
}

}  // namespace nccl_analyze::evidence
