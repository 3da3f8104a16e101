// Extracts IP addresses from NCCL's notations and indexes ranks by them.

#include "queries/bootstrap_address.h"

#include "queries/ranks.h"
#include "text/search.h"

namespace nccl_analyze {

std::string_view ip_of(std::string_view address) {
  address = address.substr(0, address.find('<'));
  // A dot after the first colon means `eth0:10.0.0.1`; a dot before the colon means `10.0.0.1:4242`. An IPv6 address
  // contains no dot and is returned unchanged.
  if (const auto colon = address.find(':'); colon != std::string_view::npos && contains(address.substr(colon), ".")) {
    address.remove_prefix(colon + 1);
  } else if (colon != std::string_view::npos && contains(address.substr(0, colon), ".")) {
    address = address.substr(0, colon);
  }
  return address;
}

std::span<const Rank* const> RanksByAddress::at(Index communicator, std::string_view address) {
  const std::string_view ip = ip_of(address);
  if (communicator < 0 || ip.empty()) return {};
  const auto [known, is_new] = known_.try_emplace(communicator);
  auto& ranks = known->second;
  if (is_new)
    for (const Rank& rank : model_.communicators[communicator].ranks)
      if (const Process* const process = process_of(model_, rank.process))
        ranks[ip_of(process->bootstrap_address)].push_back(&rank);
  const auto found = ranks.find(ip);
  return found == ranks.end() ? std::span<const Rank* const>{} : found->second;
}

}  // namespace nccl_analyze
