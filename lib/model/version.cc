// Returns the version number that the build defines; no other source file refers to it.

#include "nccl_analyze/model.h"

namespace nccl_analyze {

std::string_view version() { return NCCL_ANALYZE_VERSION; }

}  // namespace nccl_analyze
