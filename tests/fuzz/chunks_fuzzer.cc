// Fuzzes the parser with input that is cut at any position. The records must be equal whether the parser is fed byte by
// byte, with the whole input, or with two pieces. Byte by byte, the parser never takes its fast path, so that the fast
// path is verified against the slow one.

#include <cstdint>
#include <cstdlib>
#include <initializer_list>
#include <sstream>
#include <string>
#include <string_view>

#include "fuzz.h"

namespace nccl_analyze {
namespace {

constexpr ParserLimits limits{.max_line = 4096};  // Small enough for the fuzzer to reach.

std::string text_of(const ParseStats& stats) {
  std::ostringstream out;
  out << stats.bytes << ' ' << stats.lines << ' ' << stats.nccl_lines << ' ' << stats.unrecognized << ' '
      << stats.malformed << ' ' << stats.truncated;
  for (const std::uint64_t count : stats.damaged) out << ' ' << count;
  return out.str();
}

std::string records(std::initializer_list<std::string_view> pieces, std::size_t step) {
  std::ostringstream out;
  Parser parser(
      SourceId{0}, [&](const Record& record) { write_event(out, record); }, limits);
  for (const std::string_view piece : pieces)
    for (std::size_t at = 0; at < piece.size(); at += step) fuzz::feed_copy(parser, piece.substr(at, step));
  parser.finish();
  return out.str() + text_of(parser.stats());
}

}  // namespace
}  // namespace nccl_analyze

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes = nccl_analyze::fuzz::view_of(data, size);
  // The position of the cut is computed from the bytes, so that a crash can be reproduced.
  std::size_t cut = 0;
  for (const char byte : bytes.substr(0, 16)) cut = cut * 31 + static_cast<unsigned char>(byte);
  cut = size == 0 ? 0 : cut % (size + 1);
  constexpr std::size_t whole = static_cast<std::size_t>(-1);
  const std::string expected = nccl_analyze::records({bytes}, 1);
  if (nccl_analyze::records({bytes}, whole) != expected) std::abort();
  if (nccl_analyze::records({bytes.substr(0, cut), bytes.substr(cut)}, whole) != expected) std::abort();
  return 0;
}
