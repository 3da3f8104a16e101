// Fuzzes the reader of JSON reports: it rejects the bytes, or the facts that it read can be compared and the difference
// written.

#include <cstdint>
#include <sstream>

#include "fuzz.h"
#include "nccl_analyze/compare.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace nccl_analyze;
  const ReadReport read = read_report(fuzz::view_of(data, size));
  if (!read.error.empty()) return 0;
  std::ostringstream out;
  const RunDiff diff = compare({}, read.facts);
  write_diff_text(out, diff);
  write_diff_json(out, diff);
  write_diff_html(out, diff);
  if (!compare(read.facts, read.facts).same()) std::abort();
  return 0;
}
