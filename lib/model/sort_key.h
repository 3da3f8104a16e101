#pragma once
// Keys of connections and edges in few words, because millions of them are sorted and compared.

#include <cstdint>
#include <tuple>

#include "nccl_analyze/model/connections.h"

namespace nccl_analyze {

/// Returns 32 bits that are in the order of the numbers, of which some are negative.
constexpr std::uint64_t sortable(int number) { return std::uint64_t{static_cast<std::uint32_t>(number) ^ 0x80000000U}; }

/// Returns a key in the order of ConnectionGroup::key().
inline auto sort_key(const ConnectionGroup& group) {
  const auto bit = [](bool set, unsigned place) { return std::uint64_t{set ? 1U : 0U} << place; };
  const std::uint64_t way =
      std::uint64_t{group.transport} << 16U | std::uint64_t{group.block} << 8U | bit(group.receive, 0);
  const std::uint64_t nic = std::uint64_t{static_cast<std::uint16_t>(group.device ^ 0x8000)} << 35U;
  const std::uint64_t flags = bit(group.gdrdma, 2) | bit(group.shared, 1) | bit(group.read, 0);
  return std::tuple{std::uint64_t{group.connection} << 32U | sortable(group.from), sortable(group.to) << 32U | way,
                    nic | sortable(group.proxy_rank) << 3U | flags};
}

}  // namespace nccl_analyze
