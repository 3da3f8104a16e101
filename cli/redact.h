#pragma once
/// `nccl-analyze redact`: writes logs again without the names and addresses in them.

#include "cli/options.h"

namespace nccl_analyze {

/// Returns 0 when every input was redacted, 2 when some could not be read; throws Failure when nothing could be done.
int run_redact(const Options& options, Log& log);

}  // namespace nccl_analyze
