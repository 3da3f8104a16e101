#pragma once
/// Helpers that the fuzz targets share.

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>

#include "nccl_analyze/analyzer.h"
#include "nccl_analyze/event.h"
#include "nccl_analyze/report.h"
#include "nccl_analyze/requirements.h"

namespace nccl_analyze::fuzz {

inline std::string_view view_of(const std::uint8_t* data, std::size_t size) {
  return {reinterpret_cast<const char*>(data), size};
}

/// Feeds a copy of the bytes that is freed afterwards, so that sanitizers catch reads beyond its end or after its
/// lifetime.
inline void feed_copy(Parser& parser, std::string_view bytes) {
  const auto copy = std::make_unique<char[]>(bytes.size());
  bytes.copy(copy.get(), bytes.size());
  parser.feed({copy.get(), bytes.size()});
}

inline Model model_of(std::string_view bytes) {
  ModelBuilder builder({.max_connections = 100'000});
  Parser parser(SourceId{0}, [&](const Record& record) { builder.add(record); });
  feed_copy(parser, bytes);
  parser.finish();
  builder.add_source(SourceId{0}, "fuzz.log", parser.stats());
  return std::move(builder).build();
}

inline std::string report_of(ModelBuilder&& builder) {
  const Model model = std::move(builder).build();
  std::ostringstream json;
  write_json(json, model, analyze(model));
  return json.str();
}

/// The report of a log, and that of its summary after it was written and read back; these must be equal.
inline std::pair<std::string, std::string> reports_of(std::string_view bytes) {
  ModelBuilder direct, replayed;
  Summary summary;
  Parser parser(SourceId{0}, [&](const Record& record) {
    direct.add(record);
    summary.add(record);
  });
  feed_copy(parser, bytes);
  parser.finish();
  direct.add_source(SourceId{0}, "fuzz.log", parser.stats());
  summary.add_source(SourceId{0}, "fuzz.log", parser.stats());
  std::ostringstream written;
  write_summary(written, summary);
  Summary read;
  SummaryReader reader(read);
  if (!reader.feed(written.str()) || !reader.finish().empty()) std::abort();
  read.replay(replayed);
  return {report_of(std::move(direct)), report_of(std::move(replayed))};
}

}  // namespace nccl_analyze::fuzz
