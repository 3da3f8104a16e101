// Any bytes as a log: the report of its summary is that of the log itself. Any bytes as a summary: they are read or
// refused.

#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>

#include "nccl_analyze/nccl_analyze.h"

namespace nccl_analyze {
namespace {

std::string report_of(ModelBuilder&& builder) {
  const Model model = std::move(builder).build();
  std::ostringstream json;
  write_json(json, model, analyze(model));
  return json.str();
}

void require_same_report(std::string_view bytes) {
  ModelBuilder direct, replayed;
  Summary summary;
  Parser parser(SourceId{0}, [&](const Record& record) {
    direct.add(record);
    summary.add(record);
  });
  parser.feed(bytes);
  parser.finish();
  direct.add_source(SourceId{0}, "fuzz.log", parser.stats());
  summary.add_source(SourceId{0}, "fuzz.log", parser.stats());
  summary.replay(replayed);
  const std::string whole = report_of(std::move(direct)), again = report_of(std::move(replayed));
  if (whole == again) return;
  std::cerr << whole << "\n--- of the summary:\n" << again;
  std::abort();
}

void require_refusal_or_model(std::string_view bytes) {
  Summary summary;
  SummaryReader reader(summary);
  reader.feed(bytes);
  reader.finish();
  ModelBuilder builder;
  summary.replay(builder);
  report_of(std::move(builder));
}

}  // namespace
}  // namespace nccl_analyze

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace nccl_analyze;
  const std::string_view bytes{reinterpret_cast<const char*>(data), size};
  require_same_report(bytes);
  require_refusal_or_model(bytes);
  return 0;
}
