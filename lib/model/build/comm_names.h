#pragma once
// Recognises the settings of a communicator that hold its name.

#include "nccl_analyze/event.h"

namespace nccl_analyze::builder {

/// NCCL prints `Comm name` before the initialisation begins; a profiler plugin prints `commName` during the
/// initialisation.
inline bool is_name_to_come(const CommConfigSet& event) { return event.key == "Comm name"; }
inline bool is_name(const CommConfigSet& event) { return is_name_to_come(event) || event.key == "commName"; }

}  // namespace nccl_analyze::builder
