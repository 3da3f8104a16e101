#pragma once
/// `nccl-analyze redact`: writes logs again and masks everything except what is known to be harmless.

#include "cli/options.h"

namespace nccl_analyze {

/// Returns 0 when every input was redacted, and 2 when some could not be read. Throws Failure when nothing could be
/// done.
int run_redact(const Options& options, Log& log);

}  // namespace nccl_analyze
