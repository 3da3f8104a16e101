// Any bytes, cut anywhere, give the same records: the whole input is compared with the input in two pieces.

#include <cstdint>
#include <cstdlib>
#include <memory>
#include <sstream>
#include <string>
#include <string_view>

#include "nccl_analyze/export.h"
#include "nccl_analyze/parser.h"

namespace nccl_analyze {
namespace {

constexpr ParserLimits limits{.max_line = 4096};  // Small, so that the fuzzer reaches it.

/// A copy in memory of its own: reading past its end, or after it is gone, is caught.
void feed_copy(Parser& parser, std::string_view bytes) {
  const auto copy = std::make_unique<char[]>(bytes.size());
  bytes.copy(copy.get(), bytes.size());
  parser.feed({copy.get(), bytes.size()});
}

std::string records(std::string_view head, std::string_view tail) {
  std::ostringstream out;
  Parser parser(
      SourceId{0}, [&](const Record& record) { write_event(out, record); }, limits);
  feed_copy(parser, head);
  feed_copy(parser, tail);
  parser.finish();
  const ParseStats& stats = parser.stats();
  out << stats.bytes << ' ' << stats.lines << ' ' << stats.nccl_lines << ' ' << stats.unrecognized << ' '
      << stats.malformed << ' ' << stats.truncated;
  for (const std::uint64_t count : stats.damaged) out << ' ' << count;
  return out.str();
}

}  // namespace
}  // namespace nccl_analyze

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  // The cut follows from the bytes, so that a crash repeats.
  std::size_t cut = 0;
  for (const char byte : bytes.substr(0, 16)) cut = cut * 31 + static_cast<unsigned char>(byte);
  cut = size == 0 ? 0 : cut % (size + 1);
  if (nccl_analyze::records(bytes, {}) != nccl_analyze::records(bytes.substr(0, cut), bytes.substr(cut))) std::abort();
  return 0;
}
