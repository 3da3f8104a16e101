#pragma once
// The text report of a log, for tests of what its sentences say.

#include <sstream>
#include <string>
#include <string_view>
#include <utility>

#include "nccl_analyze/analyzer.h"
#include "nccl_analyze/report.h"

namespace nccl_analyze::test {

inline std::string text_of(std::string_view log) {
  Analyzer analyzer;
  analyzer.feed("log", log);
  const Analysis analysis = std::move(analyzer).finish();
  std::ostringstream out;
  write_text(out, analysis.model, analysis.report, {.columns = 1000});
  return out.str();
}

inline bool holds(std::string_view text, std::string_view words) { return text.find(words) != std::string_view::npos; }

}  // namespace nccl_analyze::test
