#pragma once
/// The border between C and C++: no exception passes it, and calls on one handle wait for each other.

#include <cstddef>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

#include "c_api/session.h"
#include "nccl_analyze.h"

namespace nccl_analyze {

/// The common base of the objects behind the handles of analyzers and redactions.
struct Handle {
  mutable std::mutex turn;
  std::string error;
  /// The status that every later call returns, after an exception that may have left the object in an inconsistent
  /// state.
  std::optional<nccl_analyze_status> broken;
};

}  // namespace nccl_analyze

/// The object behind the handle of an analyzer.
struct nccl_analyze_analyzer : nccl_analyze::Handle {
  nccl_analyze::Session session;
};

namespace nccl_analyze {

/// Stores the exception that is being handled as the error of an object, and returns its status. Unless the exception
/// is a Failure, also sets Handle::broken. Must be called in a catch block.
nccl_analyze_status store_exception(Handle& handle) noexcept;

/// Stores `sentence` as the error of a wrong call, and returns NCCL_ANALYZE_MISUSE.
nccl_analyze_status store_misuse(Handle& handle, const char* sentence) noexcept;

/// Sets *text to a copy of the bytes with a zero at the end, which the caller frees, and *size to their number; `size`
/// may be null. Throws std::bad_alloc.
void give_text(std::string_view bytes, char** text, std::size_t* size);

/// Calls `work` while no other call runs on the handle, and returns its status. Does not call `work` if the handle is
/// broken, or if `valid` is false. `valid`: whether no argument is null.
template <class Work>
nccl_analyze_status guarded_call(Handle& handle, bool valid, const Work& work) noexcept {
  const std::lock_guard turn(handle.turn);
  if (handle.broken) return *handle.broken;
  if (!valid) return store_misuse(handle, "an argument is null");
  try {
    handle.error.clear();
    return work();
  } catch (...) {
    return store_exception(handle);
  }
}

/// Calls `work` with the session of an analyzer, as guarded_call() does. A null or finished analyzer is misuse.
template <class Work>
nccl_analyze_status guarded(nccl_analyze_analyzer* analyzer, bool valid, const Work& work) noexcept {
  if (analyzer == nullptr) return NCCL_ANALYZE_MISUSE;
  return guarded_call(*analyzer, valid, [&] {
    if (analyzer->session.finished()) return store_misuse(*analyzer, "the analyzer is finished");
    return work(analyzer->session);
  });
}

}  // namespace nccl_analyze
