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

/// The first failure of one process.
struct ProcessFailure {
  Index incident = -1;  ///< Index into Model::incidents.
  /// Whether it came before all others. False for all of them if nothing tells their order, or if the first two came
  /// together.
  bool is_first = false;
};

/// What the order of a FailureList is from. Times of several hosts are those of their clocks, which need not agree.
enum class FailureOrder : std::uint8_t { none, time, line };
std::string_view to_string(FailureOrder order);

struct FailureList {
  FailureOrder order = FailureOrder::none;
  std::vector<ProcessFailure> failures;  ///< Sorted by time, or by source and line.
};

/// Lists the incidents of the report's errors, the earliest of each process; those that the processes survived are left
/// out. An incident of an unknown process is a row of its own. Empty unless the job failed or hangs, because what a
/// job outlives is no failure.
FailureList list_failures(const Model& model, const Report& report);

/// The rows as text: `first`, time or place, rank with its host, message. Raw log text, but for places.
std::vector<std::vector<std::string>> failure_rows(const Model& model, const FailureList& list);

/// Writes all rows as a table, for people and awk: a head and a line for each process, two blanks between columns.
void write_failures(std::ostream& out, const Model& model, const Report& report);

}  // namespace nccl_analyze
