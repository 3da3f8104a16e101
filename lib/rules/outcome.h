#pragma once
/// Lines that prove the outcome of the job: that a process failed, or that the job reached its end.

#include <string_view>
#include <vector>

#include "nccl_analyze/model.h"
#include "queries/attempts.h"

namespace nccl_analyze {

/// An incident that proves that its process failed: an error that NCCL returned to its caller, a program or test that
/// ended with an error, a fatal signal.
struct FailureProof {
  Index incident = -1;
  Index process = -1;  ///< -1 if the log does not show it.
  LineRef at;
};

/// Returns the proofs in line order. Leaves out proofs of earlier attempts, proofs after which the process continued,
/// and proofs after which a benchmark of the source ended. If the process of a line is unknown, all processes of the
/// source must have continued.
std::vector<FailureProof> find_failure_proofs(const Model& model, const Attempts& attempts);

/// Returns the lines that prove that the job reached its end: the averages of benchmarks, or the ends of the
/// communicators of every process. Empty if nothing proves it.
std::vector<LineRef> find_completion(const Model& model, const Attempts& attempts);

/// Returns for each process the line after which it has no communicator: the end of its last one. Line 0 if it had no
/// communicator, did not end all of them, or ended them in several sources.
std::vector<LineRef> last_communicator_ends(const Model& model);

/// Returns the lines after which sources end with training steps (ParseStats::trained_at). Empty if a process did not
/// survive a warning that is not known to be harmless, or if the input has no NCCL line.
std::vector<LineRef> find_training(const Model& model);

/// Whether a line of another program reports that this program ends: by a signal, an abort, a failed check.
bool is_fatal_phrase(const Incident& incident);

/// Whether the line only mentions a failure, in a form that programs do not use to report one.
bool is_mention(const Incident& incident);

}  // namespace nccl_analyze
