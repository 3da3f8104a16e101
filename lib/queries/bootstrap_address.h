#pragma once
/// Finds ranks by the address that they use in the bootstrap.

#include <map>
#include <span>
#include <string_view>
#include <vector>

#include "nccl_analyze/model.h"

namespace nccl_analyze {

/// Extracts the IP address: `10.0.0.1` from `10.0.0.1<4242>`, `eth0:10.0.0.1<0>` or `10.0.0.1:4242`.
std::string_view ip_of(std::string_view address);

/// Index of ranks by bootstrap address, built for each communicator on its first query.
class RanksByAddress {
 public:
  explicit RanksByAddress(const Model& model) : model_(model) {}
  /// Returns the ranks of the communicator that use this address, in rank order; empty for an unknown address.
  std::span<const Rank* const> at(Index communicator, std::string_view address);

 private:
  const Model& model_;
  std::map<Index, std::map<std::string_view, std::vector<const Rank*>>> known_;
};

}  // namespace nccl_analyze
