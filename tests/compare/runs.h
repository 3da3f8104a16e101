#pragma once
/// Helpers for tests of comparisons: logs of the simulated job, changes to a log, and the difference of two logs.

#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "nccl_analyze/analyzer.h"
#include "nccl_analyze/compare.h"
#include "nccl_analyze/event.h"
#include "simulated_job.h"

namespace nccl_analyze::test {

inline std::string log_of(const JobShape& shape) {
  std::string log;
  simulate(shape, [&log](const std::string& line) { log += line; });
  return log;
}

inline constexpr JobShape two_hosts{.hosts = 2, .channels = 2, .local_ranks = 4, .splits = false};

inline Analysis analysis_of(const std::string& log) {
  Analyzer analyzer;
  analyzer.feed("job.log", log);
  return std::move(analyzer).finish();
}

inline RunFacts facts_of(const std::string& log) {
  const Analysis analysis = analysis_of(log);
  return nccl_analyze::facts_of(analysis.model, analysis.report);
}

inline std::string json_of(const std::string& log) {
  const Analysis analysis = analysis_of(log);
  std::ostringstream out;
  write_json(out, analysis.model, analysis.report);
  return out.str();
}

/// Returns `text` with every `from` replaced by `to` in the lines that contain `where`.
inline std::string replaced(const std::string& text, const std::string& from, const std::string& to,
                            const std::string& where = "") {
  std::istringstream lines(text);
  std::string out;
  for (std::string line; std::getline(lines, line);) {
    if (line.find(where) != std::string::npos)
      for (std::size_t at = 0; (at = line.find(from, at)) != std::string::npos; at += to.size())
        line.replace(at, from.size(), to);
    out += line + "\n";
  }
  return out;
}

/// Returns `text` without the lines that contain `part`.
inline std::string without(const std::string& text, const std::string& part) {
  std::istringstream lines(text);
  std::string out;
  for (std::string line; std::getline(lines, line);)
    if (line.find(part) == std::string::npos) out += line + "\n";
  return out;
}

inline RunDiff diff_of(const std::string& old_log, const std::string& new_log, std::vector<Topic> ignored = {}) {
  return compare(facts_of(old_log), facts_of(new_log), ignored);
}

/// Formats each change as old and new value: `network: IB | Socket`.
inline std::vector<std::string> lines_of(const RunDiff& diff) {
  std::vector<std::string> lines;
  for (const Change& change : diff.changes)
    lines.push_back(change.what + ": " + change.old_value.value_or("-") + " | " + change.new_value.value_or("-"));
  return lines;
}

}  // namespace nccl_analyze::test
