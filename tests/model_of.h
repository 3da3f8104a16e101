#pragma once
/// The model of a text that is one log.

#include <string_view>
#include <utility>

#include "nccl_analyze/analyzer.h"
#include "nccl_analyze/event.h"
#include "nccl_analyze/report.h"

namespace nccl_analyze {

/// Returns the model of `log`; its only source has the name "log".
inline Model model_of(std::string_view log, ModelLimits limits = {}) {
  ModelBuilder builder(limits);
  Parser parser(SourceId{0}, [&](const Record& record) { builder.add(record); });
  parser.feed(log);
  parser.finish();
  builder.add_source(SourceId{0}, "log", parser.stats());
  return std::move(builder).build();
}

}  // namespace nccl_analyze
