#pragma once
/// Implements the analyzer of the C interface in C++: takes options, bytes that the caller feeds and paths to read, and
/// returns reports.

#include <atomic>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "c_api/kept_summary.h"
#include "input/input_wait.h"
#include "input/logging.h"
#include "input/reading.h"
#include "input/summary_origin.h"
#include "input/user_requirements.h"
#include "nccl_analyze/analyzer.h"
#include "nccl_analyze/compare.h"

namespace nccl_analyze {

/// A judged log, or the difference of two runs.
struct Judged {
  std::variant<Analysis, RunDiff> content;
  std::vector<std::string> notices;  ///< Sentences on input that could not be read or was left out.
};

/// What the options say.
struct SessionWords {
  RequirementWords required;
  OriginWords origin;
  bool keeps_summary = false;
};

/// The functions throw Failure. After any other exception, the session must not be used.
class Session {
 public:
  Session();

  void set(std::string_view option, std::string_view value);
  void feed(std::string_view source, std::string_view bytes);
  void end(std::string_view source);
  /// Returns false if stop() ended the reading, as do merge() and diff().
  bool read(const std::vector<std::string>& paths);
  Judged look();
  Judged finish();

  // Need the option `format` of the value `summary`.
  bool merge(const std::vector<std::string>& paths);
  void merge(std::string_view name, std::string_view bytes);
  std::string summary();

  // Use the options and no log that was read.
  /// Returns the paths of the files that read() would read, each with a zero byte at its end. A summary says which
  /// paths could not be read.
  std::string list(const std::vector<std::string>& paths);
  std::optional<Judged> diff(const std::string& old_path, const std::string& new_path);
  /// Returns nullopt if there is no such format.
  std::optional<std::string> explain(std::string_view what, std::string_view format) const;

  /// Ends read() and keeps later calls from reading. Any thread may call it at any time.
  void stop() { stopped_ = true; }
  bool finished() const { return finished_; }
  const std::vector<std::string>& notices() const { return notices_; }

 private:
  using Job = std::variant<std::monostate, Analyzer, KeptSummary>;

  /// Reads the user's requirements. Leaves out a baseline whose reading was stopped, with a notice.
  AnalyzerOptions requirements();
  /// Calls `work` with the Analyzer or the KeptSummary, which the first call creates with the options.
  template <class Work>
  auto with_job(const Work& work);
  KeptSummary& kept_summary();
  template <class Collector>
  bool read_into(Collector& job, const std::vector<std::string>& paths);
  bool check_reading(const ReadCounts& counts, std::size_t notices_before);
  bool wait(int descriptor) const;
  WaitForBytes waiting() {
    return [this](int descriptor) { return wait(descriptor); };
  }

  SessionWords words_;
  Job job_;
  std::vector<std::string> notices_;
  Log log_;  ///< Writes to notices_.
  std::atomic<bool> stopped_ = false;
  bool finished_ = false;
};

}  // namespace nccl_analyze
