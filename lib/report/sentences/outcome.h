#pragma once
/// The outcome of the job, with the lines that show it.

#include <string>
#include <vector>

#include "nccl_analyze/analyzer.h"
#include "nccl_analyze/model.h"
#include "nccl_analyze/rule.h"

namespace nccl_analyze {

/// An outcome, and at most Evidence::max_lines lines that show it. Without lines the outcome is unknown.
struct JobOutcome {
  Outcome outcome = Outcome::unknown;
  std::vector<LineRef> lines;
};

/// Judges the current attempt of the job; what earlier attempts printed does not count.
JobOutcome outcome_of(const Model& model, const Report& report);

/// Returns a sentence such as `The job failed (worker-0.log:900).` Empty if the outcome is unknown.
std::string describe_outcome(const Model& model, const JobOutcome& outcome);

}  // namespace nccl_analyze
