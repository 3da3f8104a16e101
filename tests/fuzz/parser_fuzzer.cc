// Fuzzes the parser alone, for speed: every view in every record can be read, and every byte is counted.

#include <cstdint>
#include <cstdlib>
#include <functional>
#include <string_view>

#include "fuzz.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace nccl_analyze;
  std::size_t hash = 0;
  const auto read = [&](std::string_view text) { hash = hash * 31 + std::hash<std::string_view>{}(text); };
  std::uint64_t records = 0;
  Parser parser(SourceId{0}, [&](const Record& record) {
    for (const std::string_view text : {record.text, record.message, record.origin.host, record.origin.pod,
                                        record.origin.container, record.origin.location, record.origin.timestamp})
      read(text);
    for (const Field& field : fields_in(record.event))
      if (field.type == FieldType::text) read(field.in<std::string_view>(address_of(record.event)));
    records += record.times;
  });
  fuzz::feed_copy(parser, fuzz::view_of(data, size));
  parser.finish();
  const ParseStats& stats = parser.stats();
  if (stats.bytes != size || stats.unrecognized > records || hash == 1) std::abort();
  return 0;
}
