#pragma once
/// Recognises network interfaces that do not connect hosts, by their names and addresses.

#include <string_view>

namespace nccl_analyze {

struct UnsuitableInterface {
  std::string_view prefix;  ///< Prefix of an interface name, or of an address.
  std::string_view what;    ///< "a tunnel"
  bool is_vpn = false;      ///< Whether it is a VPN, through which hosts may reach each other, but slowly.
};

/// Returns why an interface is unsuitable between hosts: by its name or else by its address. Null if nothing is known
/// against it.
const UnsuitableInterface* find_unsuitable_interface(std::string_view interface, std::string_view ip);

}  // namespace nccl_analyze
