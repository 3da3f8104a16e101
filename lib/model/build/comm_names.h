#pragma once
// Which settings of a communicator are its name.

#include "nccl_analyze/event.h"

namespace nccl_analyze::builder {

/// NCCL prints the name before it begins the initialisation, a profiler plugin (`commName`) inside of it.
inline bool is_name_to_come(const CommConfigSet& event) { return event.key == "Comm name"; }
inline bool is_name(const CommConfigSet& event) { return is_name_to_come(event) || event.key == "commName"; }

}  // namespace nccl_analyze::builder
