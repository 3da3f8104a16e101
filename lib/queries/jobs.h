#pragma once
/// Detects several jobs in one input, such as the logs of two runs in one folder.

#include <string>
#include <vector>

#include "nccl_analyze/model.h"
#include "nccl_analyze/rule.h"

namespace nccl_analyze {

/// The processes of one job, represented by the sources of their lines.
struct Job {
  int nranks = -1;                ///< Size of the job's largest communicator.
  std::vector<SourceId> sources;  ///< Sorted.

  bool holds(SourceId source) const;
  bool holds(const Model& model, Index process) const;  ///< False for -1.
};

/// Whether the finding has evidence lines or processes from the sources of this job.
bool concerns(const Model& model, const Finding& finding, const Job& job);

/// Returns the jobs in the input, if it certainly has several: groups of processes that have no source in common, have
/// equally large communicators, and use mostly the same GPUs. Empty if the input may be a single job; it does not
/// suffice that processes have no communicator in common.
std::vector<Job> find_jobs(const Model& model);

/// Returns the id of the Slurm job that Slurm's own lines and the names of the inputs (`slurm-77.out`) show, or `known`
/// if they show none. Empty if they show several.
std::string slurm_job_of(const Model& model, const std::string& known);

}  // namespace nccl_analyze
