#pragma once
// Finds the lines that prove that all processes of a job outlived a fault.

#include <map>
#include <vector>

#include "nccl_analyze/model.h"

namespace nccl_analyze::builder {

/// The last right result of a benchmark in each source. It proves that every process of the benchmark was alive. A
/// benchmark that lists its processes, none of which the log shows, is that of another job.
std::map<SourceId, LineRef> last_results(const Model& model);

/// How far the processes of a source came.
struct SourceWork {
  LineRef last;        ///< The last progress of any process.
  LineRef first_stop;  ///< The first last progress of a process that did not end in order; line 0: there is none.
};

std::vector<SourceWork> work_of_sources(const Model& model);

/// Whether all processes that were at work worked on behind this line of a program, so that it ended none of them.
bool worked_on(const std::vector<SourceWork>& work, LineRef at);

/// The first end of a process, if all processes with ranks ended in order in one source; else no line. What the kernel
/// reports before it harmed none of them.
LineRef first_orderly_end(const Model& model);

/// Whether all processes outlived what the kernel reports. What programs and launchers report may have come late.
/// `first_end`: the result of first_orderly_end().
bool is_outlived(const Incident& incident, LineRef first_end);

}  // namespace nccl_analyze::builder
