#pragma once
// Recognises garbled hosts: host names that exist only because the prefix of a line is damaged.

#include <cstdint>
#include <string_view>

#include "nccl_analyze/model.h"

namespace nccl_analyze::builder {

/// A process with at most this many lines may have a garbled host.
inline constexpr std::uint64_t few_lines = 2;

/// Whether `lines` exceeds `others` by so much that the process with `others` lines may exist only because of damage.
inline bool has_many_more(std::uint64_t lines, std::uint64_t others) {
  constexpr std::uint64_t times = 8, often = 4;
  return lines >= others * times || (others <= few_lines && lines >= often);
}

/// Whether `host` may be a garbled form of the host of `whole`: without its first letters, or with letters of another
/// line in front.
inline bool is_alias(std::string_view host, std::string_view pod, const Process& whole) {
  if (host.empty() || host == whole.host.view() || pod != whole.pod.view()) return false;
  return whole.host.view().ends_with(host) || host.ends_with(whole.host.view());
}

}  // namespace nccl_analyze::builder
