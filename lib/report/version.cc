// The one place where the build's version number enters the code.

#include "nccl_analyze/report.h"

namespace nccl_analyze {

std::string_view version() { return NCCL_ANALYZE_VERSION; }

}  // namespace nccl_analyze
