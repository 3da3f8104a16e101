#pragma once
/// Implements the analyzer of the C interface in C++: takes options, bytes that the caller feeds and paths to read, and
/// returns reports.

#include <atomic>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "input/logging.h"
#include "input/reading.h"
#include "input/user_requirements.h"
#include "nccl_analyze/analyzer.h"

namespace nccl_analyze {

/// A judged log.
struct Judged {
  Analysis analysis;
  std::vector<std::string> notices;  ///< Sentences on input that could not be read or was left out.
};

/// The functions throw Failure. After any other exception, the session must not be used.
class Session {
 public:
  Session();

  void set(std::string_view option, std::string_view value);
  void feed(std::string_view source, std::string_view bytes);
  void end(std::string_view source);
  /// Returns false if stop() ended the reading.
  bool read(const std::vector<std::string>& paths);
  Judged look();
  Judged finish();

  /// Ends read() and keeps later calls from reading. Any thread may call it at any time.
  void stop() { stopped_ = true; }
  bool finished() const { return finished_; }

 private:
  Analyzer& analyzer();
  bool wait(int descriptor) const;
  void require_sources(const ReadCounts& counts, std::size_t notices_before);

  RequirementWords words_;
  std::optional<Analyzer> analyzer_;  ///< Created with the options by the first call that reads or makes a report.
  std::vector<std::string> notices_;
  Log log_;  ///< Writes to notices_.
  std::atomic<bool> stopped_ = false;
  bool finished_ = false;
};

}  // namespace nccl_analyze
