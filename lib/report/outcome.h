#pragma once
/// The outcome of the job, with the lines that show it.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "nccl_analyze/model.h"
#include "nccl_analyze/rule.h"

namespace nccl_analyze {

enum class Outcome : std::uint8_t {
  unknown,
  completed,  ///< The job reached its end: results were printed, or every process ended its communicators.
  failed,     ///< A process failed.
  hung,       ///< Ranks wait for others that do not come.
  running     ///< The log ends in the middle of healthy work.
};
std::string_view to_string(Outcome outcome);

/// An outcome, and at most Evidence::max_lines lines that show it. Without lines the outcome is unknown.
struct JobOutcome {
  Outcome outcome = Outcome::unknown;
  std::vector<LineRef> lines;
};

/// Judges the current attempt of the job; what earlier attempts printed does not count.
JobOutcome outcome_of(const Model& model, const Report& report);

/// `The job failed (worker-0.log:900).` Empty if the outcome is unknown.
std::string describe_outcome(const Model& model, const JobOutcome& outcome);

}  // namespace nccl_analyze
