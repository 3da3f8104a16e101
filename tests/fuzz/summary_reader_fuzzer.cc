// Fuzzes the reader of summaries: it rejects the bytes, or the summary that it read can be replayed.

#include <cstdint>
#include <utility>

#include "fuzz.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace nccl_analyze;
  Summary summary;
  SummaryReader reader(summary);
  reader.feed(fuzz::view_of(data, size));
  reader.finish();
  ModelBuilder builder;
  summary.replay(builder);
  fuzz::report_of(std::move(builder));
  return 0;
}
