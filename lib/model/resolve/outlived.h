#pragma once
// Finds the lines that prove that all processes of a job survived a fault.

#include <map>
#include <vector>

#include "nccl_analyze/model.h"

namespace nccl_analyze::builder {

/// The last correct result of a benchmark in each source. It proves that every process of the benchmark was alive. A
/// benchmark that lists processes counts only if the log shows one of them, because otherwise it belongs to another
/// job.
std::map<SourceId, LineRef> last_results(const Model& model);

/// The progress of the processes of a source.
struct SourceProgress {
  LineRef last;  ///< The last progress of any process.
  /// The first line after which a process that did not end in order made no more progress; line 0 if there is none.
  LineRef first_stop;
};

std::vector<SourceProgress> work_of_sources(const Model& model);

/// Whether every process of the source made progress after this line or ended in order. The failure that a program
/// reports in this line then ended no process.
bool progressed_after(const std::vector<SourceProgress>& work, LineRef at);

/// The first end of a process, if all processes with ranks ended in order in one source; else no line. Faults that the
/// kernel reported before this line harmed no process.
LineRef first_orderly_end(const Model& model);

/// Whether all processes survived a fault that the kernel reports. False for reports of programs and launchers, because
/// these may have been written late. `first_end`: the result of first_orderly_end().
bool job_survived(const Incident& incident, LineRef first_end);

}  // namespace nccl_analyze::builder
