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

/// The first failure of one process. Views are valid as long as the model.
struct ProcessFailure {
  Index process = -1;  ///< Index into Model::processes; -1: unknown.
  int rank = -1;
  Index communicator = -1;   ///< The one in which `rank` counts; -1: that of the whole job.
  LineRef at;                ///< The message, or the last line of a process that died without one.
  Moment when;               ///< Negative microseconds: no time is known.
  std::string_view message;  ///< Raw log text; empty for a process that died without a message.
  /// Whether it came before all others. False for all of them if nothing tells their order, or if the first two came
  /// together.
  bool is_first = false;
};

/// What the order of a FailureList is from. Times of several hosts are those of their clocks, which need not agree.
enum class FailureOrder : std::uint8_t { none, time, line };
std::string_view to_string(FailureOrder order);
/// The order in words: `in order of time`.
std::string_view about(FailureOrder order);

struct FailureList {
  FailureOrder order = FailureOrder::none;
  /// Processes that died without a message, then the others, sorted by time, or by source and line.
  std::vector<ProcessFailure> failures;
};

/// Lists the incidents of the report's errors, the earliest of each process; those that the processes survived are left
/// out. An incident of an unknown process is a row of its own. Nothing tells when a process died without a message.
/// Empty unless the job failed or hangs, because what a job outlives is no failure.
FailureList list_failures(const Model& model, const Report& report);

/// The rows as text: `first`, time or place, rank with its host, message. Raw log text, but for places.
std::vector<std::vector<std::string>> failure_rows(const Model& model, const FailureList& list);

}  // namespace nccl_analyze
