// The build defines the version number as a macro. Only this file uses it, so that a new version recompiles only this
// file.

#include "nccl_analyze/model.h"

namespace nccl_analyze {

std::string_view version() { return NCCL_ANALYZE_VERSION; }

}  // namespace nccl_analyze
