// Fuzzes summaries: the report of a summary that was written and read back equals the report of the log.

#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <sstream>
#include <string>
#include <utility>

#include "fuzz.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace nccl_analyze;
  ModelBuilder direct, replayed;
  Summary summary;
  Parser parser(SourceId{0}, [&](const Record& record) {
    direct.add(record);
    summary.add(record);
  });
  fuzz::feed_copy(parser, fuzz::view_of(data, size));
  parser.finish();
  direct.add_source(SourceId{0}, "fuzz.log", parser.stats());
  summary.add_source(SourceId{0}, "fuzz.log", parser.stats());

  std::ostringstream written;
  write_summary(written, summary);
  Summary read;
  SummaryReader reader(read);
  if (!reader.feed(written.str()) || !reader.finish().empty()) std::abort();
  read.replay(replayed);
  const std::string whole = fuzz::report_of(std::move(direct)), again = fuzz::report_of(std::move(replayed));
  if (whole == again) return 0;
  std::cerr << whole << "\n--- of the summary:\n" << again;
  std::abort();
}
