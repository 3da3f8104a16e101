#pragma once
// What programs call their communicators: NCCL prints the name before the initialisation, often by another thread.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "model/build/state.h"
#include "nccl_analyze/event.h"

namespace nccl_analyze::draft {

/// NCCL prints the name before it begins the initialisation, a profiler plugin (`commName`) inside of it.
inline bool is_name_to_come(const CommConfigSet& event) { return event.key == "Comm name"; }
inline bool is_name(const CommConfigSet& event) { return is_name_to_come(event) || event.key == "commName"; }

/// Names that a process printed for communicators that have not begun yet.
struct GivenNames {
  struct Given {
    std::int64_t tid = -1;
    std::string name;
  };
  std::vector<Given> waiting;
  bool mixed = false;  ///< Several different ones began at once: which is whose cannot be told.
};

/// A rank of the communicator tells its name; ranks that differ leave it without one.
void note_name(CommDraft& comm, std::string_view name);

}  // namespace nccl_analyze::draft
