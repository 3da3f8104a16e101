#pragma once
/// Detects several jobs in one input, such as the logs of two runs in one folder.

#include <vector>

#include "nccl_analyze/model.h"
#include "nccl_analyze/rule.h"

namespace nccl_analyze {

/// Processes that are connected by common communicators, represented by the sources of their lines.
struct Job {
  int nranks = -1;                ///< Size of its largest communicator.
  std::vector<SourceId> sources;  ///< Sorted.

  bool holds(SourceId source) const;
  bool holds(const Model& model, Index process) const;  ///< False for -1.
};

/// Whether the finding has evidence lines or processes from the sources of this job.
bool concerns(const Model& model, const Finding& finding, const Job& job);

/// Jobs that are proven to be different: they have no process and no source in common, and yet use the same GPUs. Empty
/// when the input may be a single job, whose parts may well have no communicator in common.
std::vector<Job> find_jobs(const Model& model);

}  // namespace nccl_analyze
