#pragma once
// What is left of a damaged line's prefix looks like a host of its own: a garbled host.

#include <cstdint>
#include <string_view>

#include "nccl_analyze/model.h"

namespace nccl_analyze::builder {

/// Lines of a process with a garbled host in which nothing of another host is left.
inline constexpr std::uint64_t few_lines = 2;

/// Whether a process has so many more lines than another that the other's host may be its own, garbled.
inline bool has_many_more(std::uint64_t lines, std::uint64_t others) {
  constexpr std::uint64_t times = 8, often = 4;
  return lines >= others * times || (others <= few_lines && lines >= often);
}

/// Whether the host is that of another process without its first letters, or with letters of another line before it.
inline bool is_alias(std::string_view host, std::string_view pod, const Process& whole) {
  if (host.empty() || host == whole.host.view() || pod != whole.pod.view()) return false;
  return whole.host.view().ends_with(host) || host.ends_with(whole.host.view());
}

}  // namespace nccl_analyze::builder
