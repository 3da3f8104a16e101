#pragma once
/// Tells which release of NCCL a program needs that misses one of its functions.

#include <string_view>

namespace nccl_analyze {

/// The function of NCCL that the text says is undefined: `ncclMemFree` of `undefined symbol: ncclMemFree`; empty if
/// there is none.
std::string_view missing_function(std::string_view text);

/// The first release of NCCL with the function; empty if it is not known.
std::string_view first_release_with(std::string_view function);

}  // namespace nccl_analyze
