// Fuzzes the readers of other tools' output. The first byte chooses a format, whose beginning is put before the bytes
// if they lack it, and a cut. The records of the whole input must equal those of its pieces, and the report of its
// summary that of the input. Every format of lib/evidence/formats.cc takes part.

#include <cstdint>
#include <cstdlib>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>

#include "evidence/formats.h"
#include "fuzz.h"

namespace nccl_analyze {
namespace {

/// The input as a document of the format that `choice` selects: first those that are read by lines, then those of JSON,
/// then no format at all.
std::string document_of(std::size_t choice, std::string_view bytes) {
  const auto lines = evidence::line_formats();
  const auto documents = evidence::json_formats();
  choice %= lines.size() + documents.size() + 1;
  std::string begin;
  if (choice < lines.size()) {
    begin = lines[choice].sign;
  } else if (choice < lines.size() + documents.size()) {
    const evidence::JsonFormat& format = documents[choice - lines.size()];
    begin.append("{\"").append(format.first_key).append("\": \"1\", ").append(format.sign);
  }
  if (bytes.find(begin) != std::string_view::npos) return std::string(bytes);
  return begin.append(bytes);
}

std::string records(std::string_view bytes, std::size_t step) {
  std::ostringstream out;
  Parser parser(SourceId{0}, [&](const Record& record) { write_event(out, record); });
  for (std::size_t at = 0; at < bytes.size(); at += step) fuzz::feed_copy(parser, bytes.substr(at, step));
  parser.finish();
  return out.str();
}

}  // namespace
}  // namespace nccl_analyze

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace nccl_analyze;
  if (size == 0) return 0;
  constexpr std::size_t steps[] = {1, 7, 64, 1000};
  const std::string input = document_of(data[0] / std::size(steps), fuzz::view_of(data + 1, size - 1));
  const std::string whole = records(input, input.size() + 1);
  if (records(input, steps[data[0] % std::size(steps)]) != whole) std::abort();
  const auto [direct, replayed] = fuzz::reports_of(input);
  if (direct != replayed) std::abort();
  return 0;
}
