#pragma once
// Finds the lines that prove that all processes of a job survived a fault.

#include <map>
#include <vector>

#include "nccl_analyze/model.h"

namespace nccl_analyze::builder {

/// Returns for each source the line of the last benchmark result without wrong values. Such a result proves that every
/// process of the benchmark was alive. Ignores benchmarks of other jobs: the logs show processes, but none that such a
/// benchmark lists.
std::map<SourceId, LineRef> last_results(const Model& model);

/// The progress of the processes of a source.
struct SourceProgress {
  LineRef last;  ///< The last progress of any process.
  /// The first line after which a process that did not end in order made no more progress; line 0 if there is none.
  LineRef first_stop;
};

std::vector<SourceProgress> work_of_sources(const Model& model);

/// Whether all processes of the source made progress after this line or ended in order, and at least one made progress
/// after it. The failure that a program reports in this line then ended no process.
bool progressed_after(const std::vector<SourceProgress>& work, LineRef at);

/// Returns the line in which the first process ended by destroying its last communicator. Returns no line unless the
/// processes of all ranks are known and ended in order, all in one source. Faults that the kernel reported before this
/// line harmed no process.
LineRef first_orderly_end(const Model& model);

/// Whether all processes survived a fault, because the kernel reported it before the first process ended, in the same
/// source. False for reports of programs and launchers, because these may have been written late. `first_end`: the
/// result of first_orderly_end().
bool job_survived(const Incident& incident, LineRef first_end);

}  // namespace nccl_analyze::builder
