#pragma once
/// Finds the NCCL release that a program needs if a function of NCCL is undefined.

#include <string_view>

namespace nccl_analyze {

/// Returns the NCCL function that a loader, a linker or a compiler reports as undefined: `ncclMemFree` for
/// `undefined symbol: ncclMemFree`; empty if there is none. Names with `nccl_` are those of plugins, such as
/// aws-ofi-nccl, and no functions of NCCL.
std::string_view missing_function(std::string_view text);

/// Returns the release of NCCL that added the function; empty for functions that are not in the table.
std::string_view first_release_with(std::string_view function);

}  // namespace nccl_analyze
