#pragma once
/// Several jobs in one input: runs that were put into one folder.

#include <vector>

#include "nccl_analyze/model.h"
#include "nccl_analyze/rule.h"

namespace nccl_analyze {

/// Processes that communicators join, and where they stand.
struct Job {
  int nranks = -1;                ///< Of its largest communicator.
  std::vector<SourceId> sources;  ///< Sorted.

  bool holds(SourceId source) const;
  bool holds(const Model& model, Index process) const;  ///< False for -1.
};

/// Whether lines or processes of the job prove it.
bool concerns(const Model& model, const Finding& finding, const Job& job);

/// Jobs that cannot be one: they share no process and no source, and yet run on the same GPUs. Fewer than two: nothing
/// of the kind is proven. Parts of a job that merely have no communicator in common are none.
std::vector<Job> find_jobs(const Model& model);

}  // namespace nccl_analyze
