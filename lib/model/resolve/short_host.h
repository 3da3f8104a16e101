#pragma once
// Names of hosts as NCCL prints them.

#include <string_view>

namespace nccl_analyze::builder {

/// Cuts a host name at its first dot, as NCCL does (utils.cc, getHostName()).
inline std::string_view short_host(std::string_view host) { return host.substr(0, host.find('.')); }

}  // namespace nccl_analyze::builder
