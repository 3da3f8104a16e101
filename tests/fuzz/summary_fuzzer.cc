// Fuzzes summaries: the report of a summary that was written and read back equals the report of the log.

#include <cstdint>
#include <cstdlib>
#include <iostream>

#include "fuzz.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace nccl_analyze;
  const auto [whole, again] = fuzz::reports_of(fuzz::view_of(data, size));
  if (whole == again) return 0;
  std::cerr << whole << "\n--- of the summary:\n" << again;
  std::abort();
}
