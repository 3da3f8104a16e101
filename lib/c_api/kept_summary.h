#pragma once
/// What a session collects if its option `format` is `summary`: a summary of logs and of other summaries.

#include <cstdint>
#include <iosfwd>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "input/input_wait.h"
#include "input/inputs.h"
#include "input/logging.h"
#include "input/reading.h"
#include "nccl_analyze/analyzer.h"
#include "nccl_analyze/parser.h"
#include "nccl_analyze/summary.h"

namespace nccl_analyze {

/// Stands in the place of an Analyzer; its functions of the same names do the same.
class KeptSummary {
 public:
  /// `options`: those of the reports. `writer`: who writes the summary of the logs.
  KeptSummary(AnalyzerOptions options, SummaryWriter writer);
  KeptSummary(const KeptSummary&) = delete;  // The parsers point to this object.
  KeptSummary& operator=(const KeptSummary&) = delete;
  ~KeptSummary() = default;

  void feed(std::string_view source, std::string_view bytes);
  void end(std::string_view source);
  SourceId next_source() const { return SourceId{sources_}; }
  void add(const Record& record) { summary_.add(record); }
  void add_source(SourceId source, std::string_view name, const ParseStats& stats);
  /// Returns the report on the sources that have ended.
  Analysis look() const;

  /// Takes note of a reading of logs, and of what could not be read.
  void add_reading(const std::vector<ReadFailure>& failures);
  /// Merges summaries from files.
  ReadCounts merge(const InputList& list, Log& log, WaitForBytes wait);
  /// Merges a summary that is in memory. Returns what is wrong with it; it then counts as an input that could not be
  /// read.
  std::string merge(std::string_view name, std::string_view bytes);
  /// Ends all sources and signs the summary of the logs. Logs, once, of which jobs the merged summaries are and what
  /// their writers could not read.
  void close(Log& log);
  void write(std::ostream& out) const;

 private:
  struct Open {
    SourceId source;
    Parser parser;
  };

  AnalyzerOptions options_;
  SummaryWriter writer_;
  Summary summary_;
  std::map<std::string, Open, std::less<>> open_;  ///< Sources that have not ended, by name.
  std::uint32_t sources_ = 0;
  bool has_logs_ = false;              ///< Whether logs were read or fed, so that there is something to sign.
  bool has_origins_ = false;           ///< Whether summaries were merged whose origins are not logged yet.
  std::vector<std::string> left_out_;  ///< Sentences on logs that could not be read.
  std::vector<ReadFailure> damaged_;   ///< Summaries that could not be merged.
};

}  // namespace nccl_analyze
