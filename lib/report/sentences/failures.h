#pragma once
/// Who failed first: the first failure of each process, in order.

#include <cstdint>
#include <iosfwd>
#include <string>
#include <string_view>
#include <vector>

#include "nccl_analyze/model.h"
#include "nccl_analyze/rule.h"

namespace nccl_analyze {

/// The first failure of one process. The views in it are valid as long as the model.
struct ProcessFailure {
  Index process = -1;  ///< Index into Model::processes; -1: unknown.
  int rank = -1;
  Index communicator = -1;   ///< The communicator of `rank`; -1: `rank` is a rank of the job.
  LineRef at;                ///< The message, or the last line of a process that died without one.
  Moment when;               ///< Negative microseconds: no time is known.
  std::string_view message;  ///< Not escaped; empty for a process that died without a message.
  /// Whether this failure came first. False for all failures if their order is unknown, or if the first two have the
  /// same time.
  bool is_first = false;
};

/// The basis of the order of a FailureList. Times of several hosts are from their own clocks, which need not agree.
enum class FailureOrder : std::uint8_t { none, time, line };
std::string_view to_string(FailureOrder order);
/// Returns the order in words: `in order of time`, `in order of lines` or `in no known order`.
std::string_view about(FailureOrder order);

struct FailureList {
  FailureOrder order = FailureOrder::none;
  /// Processes that died without a message, then the others, sorted by time, or else by source and line.
  std::vector<ProcessFailure> failures;
};

/// Lists the earliest incident of each process from the report's errors, without incidents that the process survived.
/// Each incident of an unknown process has an entry of its own. The time at which a process died without a message is
/// unknown. Empty unless the job failed or hangs, because what a job survives is no failure.
FailureList list_failures(const Model& model, const Report& report);

/// Returns a row for each failure: `first` or empty, time or place, rank with its host, message. Only places are
/// escaped.
std::vector<std::vector<std::string>> failure_rows(const Model& model, const FailureList& list);

}  // namespace nccl_analyze
