#pragma once
/// Google's network plugins, by their names.

#include <string_view>

namespace nccl_analyze {

/// They have ways of their own to the GPU's memory.
inline bool is_tcpx(std::string_view network) { return network == "FasTrak" || network.starts_with("GPUDirectTCPX"); }

}  // namespace nccl_analyze
