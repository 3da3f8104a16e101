#pragma once
/// The verdict: the whole report in one line.

#include <string>
#include <string_view>

#include "nccl_analyze/analyzer.h"
#include "nccl_analyze/model.h"
#include "nccl_analyze/rule.h"
#include "queries/jobs.h"

namespace nccl_analyze {

/// A Verdict without the outcome.
struct Judgement {
  JobStatus status = JobStatus::unknown;
  std::string headline;
};

/// Whether the lines of the rank show that it connects, and neither the start nor the end of its initialisation.
bool only_connects(const Communicator& comm, const Rank& rank);

/// Whether the suspects are worth naming: the finding has a single suspect, fewer suspects than affected ranks or
/// processes, or a suspect for whom the log gives a reason.
bool singles_out(const Finding& finding);

/// Returns the first suspect with its address, `rank 52 (pod llama-worker-6, dgx007, GPU 4, pid 12828)`, and the number
/// of other suspects. Empty if singles_out() is false.
std::string describe_suspects(const Model& model, const Finding& finding);

/// Judges the whole input by its first error or warning. Without errors and warnings the status is ok, or unknown if
/// the input is too thin. It is always unknown if lines were read newest first.
Judgement judge(const Model& model, const Report& report);

/// Judges one of several jobs by the findings and lines that concern this job.
Judgement judge(const Model& model, const Report& report, const Job& job);

/// Sums the parse statistics of all sources, or of the sources of one job.
ParseStats totals(const Model& model, const Job* job = nullptr);

}  // namespace nccl_analyze
