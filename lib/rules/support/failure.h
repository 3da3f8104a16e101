#pragma once
/// Predicates on incidents that several rules share.

#include <map>
#include <string>
#include <utility>

#include "nccl_analyze/model.h"

namespace nccl_analyze {

/// Whether NCCL or a plugin printed the line of the incident, rather than a framework, a launcher or the kernel.
bool is_printed_by_nccl(const Incident& incident);

/// Whether `trail`, an error_propagated incident, is the first line of its process's error trace and reports a failed
/// system call in NCCL's socket code. False if a warning of the input gives a reason, or if any warning of the same
/// process precedes the trace.
bool is_socket_error_trace(const Model& model, const Incident& trail);

/// Whether `trail`, an error_propagated incident, follows from an abort by the program: the abort flag ends the poll of
/// a socket, and the poll returns an internal error.
bool follows_program_abort(const Incident& trail);

/// Whether the errno of the incident is one that a connection gets when the peer process is gone: ECONNREFUSED,
/// ECONNRESET or EPIPE. False for any other errno, such as that of an unreachable host.
bool says_peer_gone(const Incident& incident);

/// Finds the lines in which programs report errors of NCCL as exceptions. NCCL_DEBUG=WARN prints no error traces, so
/// only such an exception shows that the warning before it was fatal.
class RaisedErrors {
 public:
  explicit RaisedErrors(const Model& model);
  /// Whether the process of the warning, or an unknown process of its source, reports an error of NCCL after it. False
  /// if the process survived the warning. If neither the warning nor the error names a process, their order does not
  /// count: people who cut prefixes off often move lines, too.
  bool after(const Incident& warning) const;

 private:
  const Model& model_;
  std::map<std::pair<SourceId, Index>, LineRef> last_;  ///< The last report of each process of each source.
};

/// Whether the warning gives the size of an allocation that CUDA refused, but not the reason. NCCL prints such a
/// warning for every CUDA error; the warning before it names the error.
bool hides_cuda_error(const Incident& incident);

/// Returns the error number of a cuda_failed incident as ` (error 35)`; empty if the line has no error number.
std::string driver_code_text(const Incident& incident);

}  // namespace nccl_analyze
