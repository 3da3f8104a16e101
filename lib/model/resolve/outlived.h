#pragma once
// Finds the lines that prove that all processes of a job outlived a fault.

#include <map>

#include "nccl_analyze/model.h"

namespace nccl_analyze::builder {

/// The last right result of a benchmark in each source. It proves that every process of the benchmark was alive.
std::map<SourceId, LineRef> last_results(const Model& model);

/// The first end of a process, if all processes with ranks ended in order in one source; else no line. What the kernel
/// reports before it harmed none of them.
LineRef first_orderly_end(const Model& model);

/// Whether all processes outlived what the kernel reports. What programs and launchers report may have come late.
/// `first_end`: the result of first_orderly_end().
bool is_outlived(const Incident& incident, LineRef first_end);

}  // namespace nccl_analyze::builder
