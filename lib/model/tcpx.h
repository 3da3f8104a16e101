#pragma once
/// Recognises Google's network plugins.

#include <string_view>

namespace nccl_analyze {

/// Whether the network is one of Google's plugins, which access GPU memory without GPUDirect RDMA.
inline bool is_google_network(std::string_view network) {
  return network == "FasTrak" || network.starts_with("GPUDirectTCPX");
}

}  // namespace nccl_analyze
