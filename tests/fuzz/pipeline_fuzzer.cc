// Fuzzes parser, model and rules with any bytes as a log.

#include <cstdint>

#include "fuzz.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace nccl_analyze;
  const Model model = fuzz::model_of(fuzz::view_of(data, size));
  analyze(model);
  return 0;
}
