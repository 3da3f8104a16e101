#pragma once
/// The border between C and C++: no exception passes it, and calls on one analyzer wait for each other.

#include <mutex>
#include <optional>
#include <string>

#include "c_api/session.h"
#include "nccl_analyze.h"

/// The object that a handle in C points to.
struct nccl_analyze_analyzer {
  mutable std::mutex turn;
  nccl_analyze::Session session;
  std::string error;
  /// The status that every later call returns, after an exception that may have left the session in an inconsistent
  /// state.
  std::optional<nccl_analyze_status> broken;
};

namespace nccl_analyze {

/// Stores the exception that is being handled as the analyzer's error. Must be called in a catch block.
nccl_analyze_status store_exception(nccl_analyze_analyzer& analyzer) noexcept;

/// Stores the error of a wrong call.
nccl_analyze_status store_misuse(nccl_analyze_analyzer& analyzer, const char* sentence) noexcept;

/// Calls `work` with the session and returns its status. `valid`: whether no argument is null.
template <class Work>
nccl_analyze_status guarded(nccl_analyze_analyzer* analyzer, bool valid, const Work& work) noexcept {
  if (analyzer == nullptr) return NCCL_ANALYZE_MISUSE;
  const std::lock_guard turn(analyzer->turn);
  if (analyzer->broken) return *analyzer->broken;
  if (!valid) return store_misuse(*analyzer, "an argument is null");
  if (analyzer->session.finished()) return store_misuse(*analyzer, "the analyzer is finished");
  try {
    analyzer->error.clear();
    return work(analyzer->session);
  } catch (...) {
    return store_exception(*analyzer);
  }
}

}  // namespace nccl_analyze
